#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>
#if defined(_WIN32)
#include <windows.h>
#endif

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif
#ifndef MODE
#define MODE as_is
#endif

// Wide text as UTF-8 to cout, transcoded by the call that the platform has for it.
static void print(const wchar_t* text) {
  char utf8[256];
#if defined(_WIN32)
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, sizeof utf8, nullptr, nullptr) - 1;
#else
  const std::size_t size = std::wcstombs(utf8, text, sizeof utf8);
#endif
  std::cout << std::string_view(utf8, static_cast<std::size_t>(size));
}

enum class mode { as_is, line, full, unsynced };
constexpr mode chosen = mode::MODE;

int main() {
  if (chosen == mode::line) std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  if (chosen == mode::full) std::setvbuf(stdout, nullptr, _IOFBF, 65536);
  if (chosen == mode::unsynced) std::ios::sync_with_stdio(false);
  std::setlocale(LC_ALL, "C.UTF-8");
  for (int set = 0; set < SETS; ++set) {
    for (int i = 0; i < 1000; ++i) print(NEWLINE ? L"Hello World!\n" : L"Hello World!");
  }
}
