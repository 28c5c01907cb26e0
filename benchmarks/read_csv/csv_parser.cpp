#include <csv.hpp>

#include <cstdio>
#include <iostream>

int main() {
  csv::CSVReader file(std::cin, csv::CSVFormat().no_header());
  long long whole = 0;
  double prices = 0;
  for (csv::CSVRow& row : file) {
    whole += row[0].get<long long>() + row[3].get<long long>() + row[4].get<long long>();
    prices += row[2].get<double>();
  }
  std::printf("%.17g\n", static_cast<double>(whole) + prices);
}
