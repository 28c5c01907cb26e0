// Where a word occurs in a text, by D. E. Knuth, J. H. Morris and V. R. Pratt (1977).
//
// Input:  two words: the text, and what is looked for
// Output: a line for each place, from 0
#include <headrace/headrace.hpp>
#include <string>
#include <vector>
using headrace::in, headrace::out;

int main() {
  std::string text, word;
  in >> text >> word;
  const std::string both = word + ' ' + text;
  std::vector<std::size_t> border(both.size());
  for (std::size_t i = 1; i < both.size(); ++i) {
    std::size_t length = border[i - 1];
    while (length > 0 && both[i] != both[length]) length = border[length - 1];
    border[i] = length + (both[i] == both[length]);
    if (border[i] == word.size()) out << i - 2 * word.size() << '\n';
  }
}
