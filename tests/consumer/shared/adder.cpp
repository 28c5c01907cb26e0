#include <headrace/headrace.hpp>

void print_sum() {
  long long sum = 0;
  for (long long value : headrace::in.values<long long>()) sum += value;
  headrace::out << sum << '\n';
}
