#include <headrace/headrace.hpp>

int main() {
  int pairs;
  headrace::in >> pairs;
  while (pairs-- > 0) {
    __int128 a, b;
    headrace::in >> a >> b;
    headrace::out << a + b << '\n';
  }
}
