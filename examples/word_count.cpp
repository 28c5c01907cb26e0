// Counts words: the most frequent ones of standard input, with how often each was seen.
#include <headrace/headrace.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

using headrace::in, headrace::out;

int main() {
  std::unordered_map<std::string, int> seen;
  for (std::string_view word : in.words()) ++seen[std::string(word)];  // a word that is kept is copied
  std::vector<std::pair<int, std::string>> ordered;
  for (const auto& [word, times] : seen) ordered.emplace_back(-times, word);
  std::sort(ordered.begin(), ordered.end());
  ordered.resize(std::min<std::size_t>(ordered.size(), 3));
  for (const auto& [times, word] : ordered) out.println(-times, ' ', word);
}
