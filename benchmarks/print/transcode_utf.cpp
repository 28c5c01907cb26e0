#include <headrace/utf.hpp>

#include <cstdio>
#include <iostream>
#include <string_view>

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif
#ifndef MODE
#define MODE as_is
#endif

// Wide text as UTF-8 to cout, transcoded by headrace.
static void print(std::wstring_view text) {
  char utf8[64 * headrace::utf8_per_unit<wchar_t>];
  const char* const end = headrace::to_utf8(text.data(), text.data() + text.size(), utf8);
  std::cout << std::string_view(utf8, static_cast<std::size_t>(end - utf8));
}

enum class mode { as_is, line, full, unsynced };
constexpr mode chosen = mode::MODE;

int main() {
  if (chosen == mode::line) std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  if (chosen == mode::full) std::setvbuf(stdout, nullptr, _IOFBF, 65536);
  if (chosen == mode::unsynced) std::ios::sync_with_stdio(false);
  for (int set = 0; set < SETS; ++set) {
    for (int i = 0; i < 1000; ++i) print(NEWLINE ? L"Hello World!\n" : L"Hello World!");
  }
}
