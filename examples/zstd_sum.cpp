// Adds up the integers of a file that zstd has compressed.
//
//     g++ -std=c++17 -O2 -I include examples/zstd_sum.cpp -o zstd_sum -lzstd -pthread && ./zstd_sum numbers.zst
#include <headrace/headrace.hpp>
#include <headrace/zstd.hpp>

#include <cstdio>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: zstd_sum FILE\n", stderr);
    return 2;
  }
  try {
    headrace::reader from{headrace::zstd_source(arguments[1])};
    long long sum = 0;
    for (const long long value : from.values<long long>()) sum += value;
    headrace::out << sum << '\n';
  } catch (const headrace::input_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
