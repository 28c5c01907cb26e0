#include <charconv>
#include <cstdio>

#define restrict __restrict  // its headers are C
extern "C" {
#include <zsv.h>
}
#undef restrict

template <class T>
static T to_number(zsv_cell cell) {
  T value = 0;
  const char* const text = reinterpret_cast<const char*>(cell.str);
  std::from_chars(text, text + cell.len, value);
  return value;
}

struct sums {
  zsv_parser file;
  long long whole = 0;
  double prices = 0;
};

static void add_row(void* context) {
  sums& to = *static_cast<sums*>(context);
  to.prices += to_number<double>(zsv_get_cell(to.file, 2));
  to.whole += to_number<long long>(zsv_get_cell(to.file, 0)) + to_number<long long>(zsv_get_cell(to.file, 3)) +
              to_number<long long>(zsv_get_cell(to.file, 4));
}

int main() {
  sums all{};
  zsv_opts options{};
  options.row_handler = add_row;
  options.ctx = &all;
  options.stream = stdin;
  options.scan_engine = ENGINE;
  all.file = zsv_new(&options);
  while (zsv_parse_more(all.file) == zsv_status_ok) {}
  zsv_finish(all.file);
  zsv_delete(all.file);
  std::printf("%.17g\n", static_cast<double>(all.whole) + all.prices);
}
