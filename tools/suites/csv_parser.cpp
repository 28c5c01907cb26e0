// Reads a file of delimited text by csv-parser, and prints it as rows.cpp does; the arguments are those of rows.cpp.
#include <csv.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

int main(int count, char** words) {
  const std::string file = words[count - 1];
  csv::CSVFormat format;
  bool has_header = false;
  int skipped = 0;
  for (int i = 3; i < count - 1; ++i) {
    const std::string word = words[i], value = word.substr(word.find('=') + 1);
    if (word.compare(0, 10, "separator=") == 0) format.delimiter(value[0]);
    if (word.compare(0, 6, "quote=") == 0) format.quote(value[0]);
    if (word.compare(0, 5, "skip=") == 0) skipped = std::atoi(value.c_str());
    if (word.compare(0, 7, "header=") == 0) has_header = true;
  }
  if (has_header) {
    format.header_row(skipped);
  } else {
    format.no_header();
  }
  try {
    csv::CSVReader reader(file, format);
    for (csv::CSVRow& row : reader) {
      if (!has_header && skipped-- > 0) continue;
      for (std::size_t i = 0; i < row.size(); ++i) std::cout << row[i].get<std::string>() << '\x1f';
      std::cout << '\x1e';
    }
  } catch (const std::exception& error) {
    std::cerr << file << ": " << error.what() << '\n';
    return 3;
  }
}
