#include <cstdio>
#include <string_view>

#include <csv2/reader.hpp>

// The bytes of a field without the quotes that csv2 leaves where they are.
static std::size_t size_of(std::string_view text) {
  if (text.size() < 2 || text.front() != '"') return text.size();
  std::size_t size = text.size() - 2;
  for (std::size_t at = text.find('"', 1); at < text.size() - 1; at = text.find('"', at + 2)) --size;
  return size;
}

int main() {
  using no_trimming = csv2::trim_policy::no_trimming;
  csv2::Reader<csv2::delimiter<','>, csv2::quote_character<'"'>, csv2::first_row_is_header<false>, no_trimming> file;
  if (!file.mmap("/dev/stdin")) return 1;
  unsigned long long fields = 0, bytes = 0;
  for (const auto row : file) {
    for (const auto cell : row) {
      ++fields;
      bytes += size_of(cell.read_view());
    }
  }
  std::printf("%llu %llu\n", fields, bytes);
}
