// Interactive: finds a number by halving. No flush is written: reading flushes what was asked.
//
// Input:  n; then an answer to each question: <, > or =
// Output: a question per line: "? x" asks whether the number is less than, greater than, or x
#include <headrace/headrace.hpp>
using headrace::in, headrace::out;

int main() {
  int first = 1, last;
  in >> last;
  for (char answer = ' '; answer != '=';) {
    int middle = first + (last - first) / 2;
    out << "? " << middle << '\n';
    in >> answer;
    if (answer == '<') last = middle - 1;
    if (answer == '>') first = middle + 1;
  }
}
