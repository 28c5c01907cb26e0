#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

static std::string slurp(FILE* f) {
  std::string s;
  char buf[1 << 16];
  size_t n;
  while ((n = fread(buf, 1, sizeof buf, f)) > 0) s.append(buf, n);
  return s;
}

int main() {
  const std::string text = slurp(stdin);
  std::map<std::string, int> count;
  size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && (text[i] == ' ' || text[i] == '\n')) ++i;
    size_t j = i;
    while (j < text.size() && text[j] != ' ' && text[j] != '\n') ++j;
    if (j > i) ++count[text.substr(i, j - i)];
    i = j;
  }
  std::vector<std::pair<int, std::string>> top;
  for (auto& p : count) top.emplace_back(-p.second, p.first);
  std::sort(top.begin(), top.end());
  for (size_t k = 0; k < 20 && k < top.size(); ++k) printf("%-10s %d\n", top[k].second.c_str(), -top[k].first);
}
