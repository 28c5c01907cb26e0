#include <headrace/split.hpp>

#include <cstdint>
#include <cstdio>

struct record {
  std::int64_t id;
  headrace::skip name;
  double price;
  std::int64_t quantity;
  bool flag;
};

struct sums {
  std::int64_t whole = 0;
  double prices = 0;
};

int main() {
  const auto add = [](sums& to, const record& row) {
    to.whole += row.id + row.quantity + row.flag;
    to.prices += row.price;
  };
  const auto combine = [](sums& into, const sums& next) {
    into.whole += next.whole;
    into.prices += next.prices;
  };
  const headrace::threads on{THREADS};
  const sums all = headrace::for_each_row<record>("/dev/stdin", headrace::csv, on, sums(), add, combine);
  std::printf("%.17g\n", static_cast<double>(all.whole) + all.prices);
}
