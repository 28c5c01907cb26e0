#include <headrace/columns.hpp>

#include <cstdio>
#include <type_traits>

int main() {
  using number = std::conditional_t<NUMBERS == 0, int, double>;
  const headrace::matrix<number> all = headrace::read_matrix<number>(headrace::in, headrace::csv);
  std::conditional_t<NUMBERS == 0, long long, double> total = 0;
  for (const number value : all.values()) total += value;
  std::printf("%.17g\n", static_cast<double>(total));
}
