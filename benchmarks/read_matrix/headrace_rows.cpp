#include <headrace/columns.hpp>

#include <cstdio>
#include <type_traits>

int main() {
  using number = std::conditional_t<NUMBERS == 0, int, double>;
  std::conditional_t<NUMBERS == 0, long long, double> total = 0;
  struct record {
    number a, b, c, d, e, f, g, h, i, j;
  };
  for (const record& row : headrace::in.rows<record>(headrace::csv)) {
    total += row.a + row.b + row.c + row.d + row.e + row.f + row.g + row.h + row.i + row.j;
  }
  std::printf("%.17g\n", static_cast<double>(total));
}
