// An interactive task: find a number from 1 to 1000 by asking. The judge answers "<" (yours is too small), ">" or "=".
// No flush anywhere: a read that has to wait sends what was written before it waits.
#include <headrace/headrace.hpp>

using headrace::in, headrace::out;

int main() {
  int low = 1, high = 1000;
  while (true) {
    const int guess = low + (high - low) / 2;
    out.println("? ", guess);
    const char answer = in.read<char>();
    if (answer == '=') {
      out.println("! ", guess);
      return 0;
    }
    if (answer == '<') low = guess + 1;
    else high = guess - 1;
  }
}
