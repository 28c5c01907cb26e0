// headrace/bench/text.hpp: numbers and columns as text, where text can be shown, and the sentence of a wrong use. Not
// for users.
#pragma once

#include <locale.h>
#include <stdexcept>
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

// Pieces of text in a row. One call instead of a chain of +, each of which the compiler would expand in place.
HEADRACE_BENCH_INLINE std::string join(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text.append(piece);
  return text;
}

HEADRACE_BENCH_INLINE std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;  // UTF-8's leading bytes
  return width;
}

HEADRACE_BENCH_INLINE std::string left(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  return has < width ? text.append(width - has, ' ') : text;
}

HEADRACE_BENCH_INLINE std::string right(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  return has < width ? text.insert(0, width - has, ' ') : text;
}

// printf's number with a point whatever the locale says: a digit, sign or letter (of e, nan and inf) stays, all else is
// the point.
HEADRACE_BENCH_INLINE std::string with_point(const char* printed) {
  std::string text;
  for (; *printed != 0; ++printed) {
    const bool plain = (*printed >= '0' && *printed <= '9') || *printed == '-' || *printed == '+' ||
                       (*printed >= 'a' && *printed <= 'z');
    if (plain) text += *printed;
    else if (text.empty() || text.back() != '.') text += '.';
  }
  return text;
}

// A number with a point, whatever the locale says; -1 where that is not all of the text.
HEADRACE_BENCH_INLINE double number_in(std::string text) {
  const std::size_t point = text.find('.');
  if (point != std::string::npos) text.replace(point, 1, localeconv()->decimal_point);
  char* end = nullptr;
  const double value = strtod(text.c_str(), &end);
  return *end == 0 && !text.empty() ? value : -1;
}

HEADRACE_BENCH_INLINE std::string fixed(double value, int decimals) {
  char buffer[400];  // the largest double has 309 digits before the point
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return with_point(buffer);
}

HEADRACE_BENCH_INLINE std::string digits(double value, int significant) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*g", significant, value);
  return with_point(buffer);
}

HEADRACE_BENCH_INLINE std::string whole(std::uint64_t value) { return std::to_string(value); }

HEADRACE_BENCH_INLINE std::string four_digits(double value) {
  return fixed(value, value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0);
}

HEADRACE_BENCH_INLINE std::string duration(double ns, bool unicode) {
  const char* const units[] = {" ns", unicode ? " µs" : " us", " ms", " s"};
  std::size_t step = 0;
  for (; ns >= 999.95 && step < 3; ++step) ns /= 1000;
  return four_digits(ns).append(units[step]);
}

// "8.120 Gbyte/s"
HEADRACE_BENCH_INLINE std::string rate(double a_second, const std::string& unit) {
  const char* const prefixes[] = {" ", " k", " M", " G", " T", " P"};
  std::size_t step = 0;
  for (; a_second >= 999.95 && step < 5; ++step) a_second /= 1000;
  return join({four_digits(a_second), prefixes[step], unit, "/s"});
}

HEADRACE_BENCH_INLINE std::string percent(double share) { return fixed(share * 100, 1).append(" %"); }

HEADRACE_BENCH_INLINE std::string paint(bool colour, const char* code, std::string_view text) {
  return colour ? join({"\033[", code, "m", text, "\033[0m"}) : std::string(text);
}

[[noreturn]] HEADRACE_BENCH_INLINE void give_up(std::initializer_list<std::string_view> pieces, bool misused = true) {
  const std::string sentence = join(pieces);
#ifdef __cpp_exceptions
  if (misused) throw std::invalid_argument(sentence);
  throw std::runtime_error(sentence);
#else
  static_cast<void>(misused);
  std::fprintf(stderr, "headrace::bench: %s\n", sentence.c_str());
  abort();
#endif
}

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

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
