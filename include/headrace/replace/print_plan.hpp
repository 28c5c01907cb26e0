// headrace/replace/print_plan.hpp: printf's formats, read at compile time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../config.hpp"
#include "literal.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Who does what a format asks for.
enum class plan_kind : unsigned char {
  library,  // the C library
  plain,    // a function per conversion, called from where the format is; as many conversions as arguments
  general   // one loop over the steps
};

inline constexpr int longest_field = 4096;  // widths and precisions beyond it are the C library's
inline constexpr std::size_t longest_format = 0xFFFF;

// Text, and the conversion after it.
struct print_step {
  unsigned short text = 0;  // its offset in the format
  unsigned short size = 0;
  char letter = 0;          // of the conversion; 0: the format ends here; %: a %, which is the text's last byte
  unsigned char bytes = 0;  // of an integer argument; 0: floating point
  bool left = false, zeros = false;
  short width = 0, precision = -1;
};

// hh, h, l, ll, j, z, t at `at`: the bytes of an integer, or 0 for L and the like.
constexpr unsigned char take_length(const char* text, std::size_t& at) noexcept {
  switch (text[at++]) {
    case 'h':
      if (text[at] != 'h') return sizeof(short);
      ++at;
      return sizeof(char);
    case 'l':
      if (text[at] != 'l') return sizeof(long);
      ++at;
      return sizeof(long long);
    case 'j':
      return sizeof(std::intmax_t);
    case 'z':
      return sizeof(std::size_t);
    case 't':
      return sizeof(std::ptrdiff_t);
    case 'L':
    case 'q':
      return 0;
    default:
      --at;
      return sizeof(int);
  }
}

// A number at `at`; nothing is 0.
constexpr int take_field(const char* text, std::size_t& at) noexcept {
  int value = 0;
  for (; text[at] >= '0' && text[at] <= '9'; ++at)
    value = value > longest_field ? value : value * 10 + (text[at] - '0');
  return value;
}

constexpr bool has(const char* letters, char letter) noexcept {
  while (*letters != '\0' && *letters != letter) ++letters;
  return *letters != '\0';
}

// Whether a conversion is done here, with the precision that it has (-1: none) and the length modifiers before it.
constexpr bool is_printed_here(char letter, int precision, bool has_length, bool has_long, unsigned bytes) noexcept {
  if (has("fFeg", letter)) return !has_length || has_long;
  if (precision >= 0) return false;
  return has("diuxXo", letter) ? bytes != 0 : letter != '\0' && has("cs", letter) && !has_length;
}

// The step at `at`, which moves after it. False for what is the C library's: %*d, positions (%1$d), %n, %m, wide text.
// `format` ends with a zero.
constexpr bool take_print_step(const char* format, std::size_t& at, print_step& step) noexcept {
  step.text = static_cast<unsigned short>(at);
  while (format[at] != '\0' && format[at] != '%') ++at;
  step.size = static_cast<unsigned short>(at - step.text);
  if (format[at] == '\0') return true;
  if (format[++at] == '%') {
    ++step.size;
    step.letter = format[at++];
    return true;
  }
  for (; format[at] == '-' || format[at] == '0'; ++at) (format[at] == '-' ? step.left : step.zeros) = true;
  const int width = take_field(format, at);
  int precision = -1;
  if (format[at] == '.') precision = take_field(format, ++at);
  const std::size_t plain = at;
  step.bytes = take_length(format, at);
  step.letter = format[at];
  step.width = static_cast<short>(width);
  step.precision = static_cast<short>(precision);
  if (format[at] != '\0') ++at;
  const bool has_length = at != plain + 1, has_long = format[plain] == 'l' && at == plain + 2;
  if (!is_printed_here(step.letter, precision, has_length, has_long, step.bytes)) return false;
  if (has("fFeg", step.letter)) step.bytes = 0;
  return width <= longest_field && precision <= longest_field;
}

// What an argument is once it is passed through an ellipsis: the bytes of an integer, f for a double, s for a text, or
// 0 for all else.
template <class T>
constexpr char passed_as = 0;
template <>
inline constexpr char passed_as<int> = sizeof(int);
template <>
inline constexpr char passed_as<unsigned> = sizeof(int);
template <>
inline constexpr char passed_as<long> = sizeof(long);
template <>
inline constexpr char passed_as<unsigned long> = sizeof(long);
template <>
inline constexpr char passed_as<long long> = sizeof(long long);
template <>
inline constexpr char passed_as<unsigned long long> = sizeof(long long);
template <>
inline constexpr char passed_as<float> = 'f';
template <>
inline constexpr char passed_as<double> = 'f';
template <>
inline constexpr char passed_as<char*> = 's';
template <>
inline constexpr char passed_as<const char*> = 's';
template <>
inline constexpr char passed_as<signed char*> = 's';
template <>
inline constexpr char passed_as<const signed char*> = 's';
template <>
inline constexpr char passed_as<unsigned char*> = 's';
template <>
inline constexpr char passed_as<const unsigned char*> = 's';

// The same of a type before its promotion. What has none (a class, a scoped enumeration) comes to the second.
template <class T>
constexpr auto argument_kind(int) noexcept -> decltype(+T(), char{}) {
  return passed_as<decltype(+T())>;
}
template <class T>
constexpr char argument_kind(...) noexcept {
  return 0;
}

// Whether an argument of that kind is what the step takes.
constexpr bool is_taken_by(const print_step& step, char kind) noexcept {
  if (step.bytes == 0) return kind == 'f';
  if (step.letter == 's') return kind == 's';
  return kind == static_cast<char>(step.letter == 'c' || step.bytes < sizeof(int) ? sizeof(int) : step.bytes);
}

// Whether a conversion is one that print_plainly() has a function for.
constexpr bool is_plain(const print_step& step) noexcept {
  return step.letter != '%' && !has("xXo", step.letter) && (step.bytes == 0 || step.bytes >= sizeof(int));
}

template <std::size_t Steps>
struct print_plan {
  print_step steps[Steps] = {};
  plan_kind kind = plan_kind::library;
  bool has_floats = false;
};

// A step takes two bytes of a spelling with its quotes, and the end is one more.
constexpr std::size_t most_steps(std::size_t spelt) noexcept { return spelt / 2 + 1; }

// The plan of a format that is spelt so, for arguments of these kinds (a zero after the last).
template <std::size_t Spelt>
constexpr print_plan<most_steps(Spelt)> plan_print(const char* spelt, const char* kinds) noexcept {
  const literal_bytes<Spelt + 1> format = read_literal<Spelt + 1>(spelt);
  if (!format.is_known || Spelt > longest_format) return {};
  print_plan<most_steps(Spelt)> plan;
  bool plain = true;
  std::size_t at = 0;
  for (print_step* step = plan.steps;; ++step) {
    if (!take_print_step(format.bytes, at, *step)) return {};
    if (step->letter == '\0') break;
    plain &= is_plain(*step);
    if (step->letter == '%') continue;
    if (!is_taken_by(*step, *kinds++)) return {};
    plan.has_floats |= kinds[-1] == 'f';
  }
  plan.kind = plain && *kinds == '\0' ? plan_kind::plain : plan_kind::general;
  return plan;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
