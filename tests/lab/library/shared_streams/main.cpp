// Both copies are linked.
#include "steps.hpp"

extern "C" {
long a_sum(int), b_sum(int);
void a_print(long), b_print(long);
long a_line(), b_line();
}

int main(int count, char** words) {
  const copy_of_headrace a{a_sum, a_print, a_line}, b{b_sum, b_print, b_line};
  for (int i = 1; i < count; ++i) take_step(words[i][0] == 'a' ? a : b, words[i] + 1);
}
