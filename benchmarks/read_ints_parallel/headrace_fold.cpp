#include <headrace/split.hpp>

#include <cstdio>

int main() {
  headrace::reader head("/dev/stdin");
  const long long size = head.read<long long>() + head.read<long long>();  // "rows columns", which are no summands
  const auto add = [](long long& sum, headrace::reader& part) {
    long long mine = 0;  // stays in a register
    int block[4096];
    for (std::size_t done = 1; done != 0;) {
      done = part.read_some(block);
      for (std::size_t i = 0; i < done; ++i) mine += block[i];
    }
    sum += mine;
  };
  const auto combine = [](long long& into, long long next) { into += next; };
  const headrace::threads on{THREADS};
  const long long sum = headrace::for_each_part("/dev/stdin", on, headrace::at::blank, 0LL, add, combine);
  std::printf("%lld\n", sum - size);
}
