// What a project that uses headrace is made of, whichever way it found the headers: prints the sum of stdin.
#include <headrace/headrace.hpp>

int main() {
  long long sum = 0;
  for (long long value : headrace::in.values<long long>()) sum += value;
  headrace::out << sum << '\n';
}
