#include <cstdio>
#include <iostream>
#include <string>
#include <unordered_map>

class Dictionary {
 public:
  int idOf(const std::string& w) {
    auto it = ids_.find(w);
    if (it != ids_.end()) return it->second;
    int id = static_cast<int>(ids_.size()) + 1;
    ids_.emplace(w, id);
    return id;
  }
  std::size_t size() const { return ids_.size(); }

 private:
  std::unordered_map<std::string, int> ids_;
};

int main() {
  Dictionary dict;
  std::string word;
  while (std::cin >> word) {
    // old code base: output goes through printf
    printf("%s -> %d\n", word.c_str(), dict.idOf(word));
  }
  printf("%zu distinct\n", dict.size());
}
