#include <headrace/headrace.hpp>

int main() {
  for (int i = 0; i < 7064580; ++i) headrace::out << "hello! " << i << '\n';
}
