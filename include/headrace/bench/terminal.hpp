// headrace/bench/terminal.hpp: where text is printed and what can be shown there: colours, UTF-8, a progress
// line. Not for users.
#pragma once

#include "suite.hpp"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

HEADRACE_BENCH_INLINE bool is_terminal(std::FILE* file) {
#ifdef _WIN32
  return _isatty(_fileno(file)) != 0;
#else
  return isatty(fileno(file)) != 0;
#endif
}

HEADRACE_BENCH_INLINE bool is_set(const char* variable) {
  const char* const value = getenv(variable);
  return value != nullptr && *value != 0;
}

HEADRACE_BENCH_INLINE bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(variable)) continue;
    const char* const value = getenv(variable);
    return strstr(value, "UTF-8") != nullptr || strstr(value, "utf8") != nullptr;
  }
  return false;
}

HEADRACE_BENCH_INLINE bench_look look_of(std::FILE* file) {
  bench_look how;
  if (file == nullptr) return how;
  const char* const term = getenv("TERM");
  const bool capable = term != nullptr && *term != 0 && strcmp(term, "dumb") != 0;
  how.colour = capable && !is_set("NO_COLOR") && is_terminal(file);
  how.unicode = locale_is_utf8();
  how.progress = capable && is_terminal(stderr);
  return how;
}

HEADRACE_BENCH_INLINE void print(const suite_state& s, std::initializer_list<std::string_view> pieces) {
  if (s.out == nullptr) return;
  std::fputs(join(pieces).c_str(), s.out);
  std::fflush(s.out);
}

HEADRACE_BENCH_INLINE void print_warning(const suite_state& s, const std::string& text) {
  print(s, {paint(s.look.colour, "33", join({"  ! ", text})), "\n"});
}

// One line on the terminal's stderr, rewritten at most ten times a second, erased by an empty text.
HEADRACE_BENCH_INLINE void progress(suite_state& s, std::initializer_list<std::string_view> pieces) {
  if (!s.look.progress) return;
  const std::uint64_t now = steady_now();
  const bool erase = pieces.size() == 0;
  if (erase ? s.progress_at == 0 : s.progress_at != 0 && now - s.progress_at < 100000000u) return;
  s.progress_at = erase ? 0 : now;
  std::fprintf(stderr, "\r\033[K%s", join(pieces).c_str());
  std::fflush(stderr);
}

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
