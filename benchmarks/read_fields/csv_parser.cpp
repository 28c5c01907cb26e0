#include <csv.hpp>

#include <cstdio>
#include <iostream>

int main() {
  csv::CSVReader file(std::cin, csv::CSVFormat().no_header());
  unsigned long long fields = 0, bytes = 0;
  for (csv::CSVRow& row : file) {
    fields += row.size();
    for (std::size_t i = 0; i < row.size(); ++i) bytes += row[i].get<csv::string_view>().size();
  }
  std::printf("%llu %llu\n", fields, bytes);
}
