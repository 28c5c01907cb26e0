#include <headrace/split.hpp>

#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

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

sums add(headrace::reader& part) {
  sums mine;
  for (const record& row : part.rows<record>(headrace::csv)) {
    mine.whole += row.id + row.quantity + row.flag;
    mine.prices += row.price;
  }
  return mine;
}

int main() {
  std::vector<headrace::reader> parts = headrace::split("/dev/stdin", THREADS, headrace::csv);
  std::vector<sums> each(parts.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    threads.emplace_back([&, i] { each[i] = add(parts[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  sums all;
  for (const sums& next : each) {
    all.whole += next.whole;
    all.prices += next.prices;
  }
  std::printf("%.17g\n", static_cast<double>(all.whole) + all.prices);
}
