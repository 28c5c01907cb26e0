#include <headrace/headrace.hpp>

int main() {
  headrace::out.flush_when(headrace::flush_policy::each_line);
  for (int i = 0; i < 1000000; ++i) headrace::out << "hello! " << i << '\n';
}
