#include <headrace/columns.hpp>

#include <cstdint>
#include <cstdio>

struct record {
  std::int64_t id;
  headrace::skip name;
  double price;
  std::int64_t quantity;
  bool flag;
};

int main() {
  std::int64_t whole = 0;
  double prices = 0;
  for (const record& row : headrace::in.rows<record>(headrace::csv)) {
    whole += row.id + row.quantity + row.flag;
    prices += row.price;
  }
  std::printf("%.17g\n", static_cast<double>(whole) + prices);
}
