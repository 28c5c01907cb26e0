// Reads a file of delimited text by zsv, and prints it as rows.cpp does; the arguments are those of rows.cpp.
extern "C" {
#define restrict __restrict  // its header is one of C
#include <zsv.h>
}

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

int main(int count, char** words) {
  const std::string file = words[count - 1];
  zsv_opts options{};
  int skipped = 0;
  for (int i = 3; i < count - 1; ++i) {
    const std::string word = words[i], value = word.substr(word.find('=') + 1);
    if (word.compare(0, 10, "separator=") == 0) options.delimiter = value[0];
    if (word.compare(0, 5, "skip=") == 0) skipped += std::atoi(value.c_str());
    if (word.compare(0, 6, "quote=") == 0 && value != "\"") return std::cout << "no call", 0;
    if (word.compare(0, 7, "header=") == 0 && word == words[3]) ++skipped;
  }
  options.stream = std::fopen(file.c_str(), "rb");
  const zsv_parser parser = options.stream != nullptr ? zsv_new(&options) : nullptr;
  if (parser == nullptr) return 1;
  zsv_status status;
  while ((status = zsv_next_row(parser)) == zsv_status_row) {
    if (skipped-- > 0) continue;
    for (std::size_t i = 0; i < zsv_cell_count(parser); ++i) {
      const zsv_cell cell = zsv_get_cell(parser, i);
      std::cout.write(reinterpret_cast<const char*>(cell.str), static_cast<std::streamsize>(cell.len)) << '\x1f';
    }
    std::cout << '\x1e';
  }
  if (status == zsv_status_done || status == zsv_status_no_more_input) return 0;
  std::cerr << file << ": status " << status << '\n';
  return 3;
}
