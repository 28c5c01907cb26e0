#include <headrace/headrace.hpp>

int main() {
  for (int i = 0; i < 1000000; ++i) headrace::out << "hello! " << i << '\n';
}
