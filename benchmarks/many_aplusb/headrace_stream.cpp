#include <headrace/headrace.hpp>

int main() {
  int pairs;
  headrace::in >> pairs;
  while (pairs-- > 0) {
    long long a, b;
    headrace::in >> a >> b;
    headrace::out << a + b << '\n';
  }
}
