#include <headrace/columns.hpp>

#include <cstdint>
#include <cstdio>

int main() {
  std::uint64_t fields = 0, bytes = 0;
  for (const headrace::record row : headrace::in.records(headrace::csv)) {
    fields += row.size();
    for (std::size_t i = 0; i < row.size(); ++i) bytes += row[i].size();
  }
  std::printf("%llu %llu\n", static_cast<unsigned long long>(fields), static_cast<unsigned long long>(bytes));
}
