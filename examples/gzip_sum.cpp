// Adds up the integers of a gzip file.
//
//     g++ -std=c++17 -O2 -I include examples/gzip_sum.cpp -o gzip_sum -lz -pthread && ./gzip_sum numbers.gz
#include <headrace/gzip.hpp>
#include <headrace/headrace.hpp>

#include <cstdio>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: gzip_sum FILE\n", stderr);
    return 2;
  }
  try {
    headrace::reader from{headrace::gzip_source(arguments[1])};
    long long sum = 0;
    for (const long long value : from.values<long long>()) sum += value;
    headrace::out << sum << '\n';
  } catch (const headrace::input_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
