#include <charconv>
#include <cstdio>
#include <type_traits>

#define restrict __restrict  // its headers are C
extern "C" {
#include <zsv.h>
}
#undef restrict

using number = std::conditional_t<NUMBERS == 0, long long, double>;

struct sum {
  zsv_parser file;
  number total = 0;
};

static void add_row(void* context) {
  sum& to = *static_cast<sum*>(context);
  for (size_t column = 0; column < zsv_cell_count(to.file); ++column) {
    const zsv_cell cell = zsv_get_cell(to.file, column);
    const char* const text = reinterpret_cast<const char*>(cell.str);
    number value = 0;
    std::from_chars(text, text + cell.len, value);
    to.total += value;
  }
}

int main() {
  sum all{};
  zsv_opts options{};
  options.row_handler = add_row;
  options.ctx = &all;
  options.stream = stdin;
  options.scan_engine = ENGINE;
  all.file = zsv_new(&options);
  while (zsv_parse_more(all.file) == zsv_status_ok) {}
  zsv_finish(all.file);
  zsv_delete(all.file);
  std::printf("%.17g\n", static_cast<double>(all.total));
}
