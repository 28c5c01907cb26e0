#include <iostream>
#include <set>
#include <string>

class Tokenizer {
  std::string rest_;

 public:
  explicit Tokenizer(std::string text) : rest_(std::move(text)) {}
  bool next(std::string& tok) {
    auto pos = rest_.find(' ');
    if (pos == std::string::npos) return false;
    tok = rest_.substr(0, pos);
    rest_ = rest_.substr(pos + 1);  // cut the token off
    return true;
  }
};

int main() {
  std::ios::sync_with_stdio(false);
  std::string text, w;
  for (int i = 0; i < 30000 && std::cin >> w; ++i) text += w + " ";
  Tokenizer t(text);
  size_t total = 0, longest = 0;
  while (t.next(w)) {
    ++total;
    if (w.size() > longest) longest = w.size();
  }
  std::cout << total << " tokens, longest " << longest << "\n";
}
