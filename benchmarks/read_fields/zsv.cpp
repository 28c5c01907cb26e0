#include <cstdio>

#include "quoted.hpp"

#define restrict __restrict  // its headers are C
extern "C" {
#include <zsv.h>
}
#undef restrict

struct counts {
  zsv_parser file;
  unsigned long long fields = 0, bytes = 0;
};

static void add_row(void* context) {
  counts& to = *static_cast<counts*>(context);
  const std::size_t fields = zsv_cell_count(to.file);
  to.fields += fields;
  for (std::size_t i = 0; i < fields; ++i) {
    const zsv_cell cell = zsv_get_cell(to.file, i);
    to.bytes += ENGINE == 3 ? size_of({reinterpret_cast<const char*>(cell.str), cell.len}) : cell.len;
  }
}

int main() {
  counts all{};
  zsv_opts options{};
  options.row_handler = add_row;
  options.ctx = &all;
  options.stream = stdin;
  options.scan_engine = ENGINE;
  options.max_columns = 20000;
  options.max_row_size = 1 << 20;
  all.file = zsv_new(&options);
  while (zsv_parse_more(all.file) == zsv_status_ok) {}
  zsv_finish(all.file);
  zsv_delete(all.file);
  std::printf("%llu %llu\n", all.fields, all.bytes);
}
