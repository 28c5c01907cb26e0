#include <headrace/columns.hpp>

#include <cstdint>
#include <cstdio>

int main() {
  std::int64_t whole = 0;
  double prices = 0;
  for (const headrace::record row : headrace::in.records(headrace::csv)) {
    whole += row.get<std::int64_t>(0) + row.get<std::int64_t>(3) + row.get<bool>(4);
    prices += row.get<double>(2);
  }
  std::printf("%.17g\n", static_cast<double>(whole) + prices);
}
