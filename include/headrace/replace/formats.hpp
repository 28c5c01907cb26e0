// headrace/replace/formats.hpp: the formats of printf and scanf, read at compile time. Not for users.
//
// A macro can pass a literal on only as text or as its spelling. The spelling (#literal) is a constant that does not
// depend on the variables around it, so it can be a member of a type where the literal itself could not:
//   "%d\n" "x"   is spelt   "\"%d\\n\" \"x\""   and holds   %d, a newline, x
#pragma once

#include <cstddef>
#include <cstdint>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// ---- what a literal holds ----

// A literal's bytes, or is_known = false: not a literal, or one with something rare (a prefix, \u, \e, a zero).
template <std::size_t Room>
struct literal_bytes {
  char bytes[Room] = {};
  std::size_t size = 0;
  bool is_known = false;
};

// The byte of a simple escape sequence, or 0.
constexpr char unescaped(char letter) noexcept {
  constexpr const char* pairs = "n\nt\tr\r\\\\\"\"\'\'??a\ab\bf\fv\v";
  for (const char* pair = pairs; *pair != '\0'; pair += 2) {
    if (*pair == letter) return pair[1];
  }
  return '\0';
}

constexpr unsigned digit_value(char byte) noexcept {
  if (byte >= '0' && byte <= '9') return static_cast<unsigned>(byte - '0');
  if (byte >= 'a' && byte <= 'f') return static_cast<unsigned>(byte - 'a') + 10;
  if (byte >= 'A' && byte <= 'F') return static_cast<unsigned>(byte - 'A') + 10;
  return 99;
}

// The byte after a backslash at `spelt[at - 1]`; moves `at` after it. 0 for what is rare.
constexpr char take_escape(const char* spelt, std::size_t& at) noexcept {
  const bool hexadecimal = spelt[at] == 'x';
  if (!hexadecimal && digit_value(spelt[at]) >= 8) return unescaped(spelt[at++]);
  const unsigned base = hexadecimal ? 16 : 8;
  at += hexadecimal;
  const std::size_t begin = at;
  unsigned value = 0;
  for (; (hexadecimal || at != begin + 3) && digit_value(spelt[at]) < base; ++at)
    value = (value * base + digit_value(spelt[at])) & 0xFFFF;
  return value > 255 ? '\0' : static_cast<char>(value);
}

template <std::size_t Room>
constexpr literal_bytes<Room> read_literal(const char* spelt) noexcept {
  literal_bytes<Room> found;
  for (std::size_t at = 0; spelt[at] != '\0';) {
    if (spelt[at++] == ' ') continue;  // between the parts of "one" "two"
    if (spelt[at - 1] != '"') return {};
    while (spelt[at] != '"') {
      char byte = spelt[at++];
      if (byte == '\\') byte = take_escape(spelt, at);
      if (byte == '\0') return {};
      found.bytes[found.size++] = byte;
    }
    ++at;
    found.is_known = true;
  }
  return found;
}

// ---- printf ----

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

// The bytes of an integer that an ellipsis passes on as it is; 0 for all else.
template <class T>
constexpr char bytes_of_integer = is_one_of<T, int, unsigned>                   ? sizeof(int)
                                  : is_one_of<T, long, unsigned long>           ? sizeof(long)
                                  : is_one_of<T, long long, unsigned long long> ? sizeof(long long)
                                                                                : 0;

// Names an argument as an ellipsis passes it on: the bytes of an integer, f for a double, s for a text, 0 for all else.
template <class T>
constexpr char passed_as =
    is_one_of<T, float, double> ? 'f'
    : is_one_of<T, char*, const char*, signed char*, const signed char*, unsigned char*, const unsigned char*>
        ? 's'
        : bytes_of_integer<T>;

// passed_as of a type before its promotion. One that has none (a class, a scoped enumeration) comes to the second.
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

// ---- scanf ----

// The bytes of %[...], a bit each.
struct byte_bits {
  std::uint64_t words[4] = {};
  constexpr bool has(char byte) const noexcept {
    const auto index = static_cast<unsigned char>(byte);
    return (words[index >> 6] >> (index & 63) & 1) != 0;
  }
  constexpr void add(unsigned index) noexcept { words[index >> 6] |= std::uint64_t{1} << (index & 63); }
  constexpr void invert() noexcept {
    for (std::uint64_t& word : words) word = ~word;
  }
};

enum class scan_kind : unsigned char { end, byte, integer, floating, character, word, set };

// One directive, with the whitespace before it.
struct scan_step {
  scan_kind kind = scan_kind::end;
  bool skips = false;       // whitespace first
  bool is_kept = true;      // no star
  bool is_signed = false;   // of an integer
  unsigned char bytes = 0;  // of an integer or a float
  char byte = 0;            // that has to come
  short width = 0;          // of text; 0: any
  byte_bits set;
};

// The set after a [ at `at`. False for a range that runs backwards, and for one that goes on, as in a-c-e.
constexpr bool take_set(const char* text, std::size_t& at, byte_bits& set) noexcept {
  const bool inverted = text[at] == '^';
  at += inverted;
  const std::size_t begin = at;
  for (; text[at] != '\0' && (text[at] != ']' || at == begin); ++at) {
    const auto first = static_cast<unsigned char>(text[at]);
    unsigned last = first;
    if (text[at + 1] == '-' && text[at + 2] != ']' && text[at + 2] != '\0') {
      last = static_cast<unsigned char>(text[at + 2]);
      at += 2;
      if (text[at + 1] == '-' && text[at + 2] != ']' && text[at + 2] != '\0') return false;
    }
    if (last < first) return false;
    for (unsigned byte = first; byte <= last; ++byte) set.add(byte);
  }
  if (text[at] == '\0') return false;
  ++at;
  if (inverted) set.invert();
  return true;
}

// The conversion after a % at `at`, which moves after it. False for what is the C library's.
constexpr bool take_scan_conversion(const char* format, std::size_t& at, scan_step& step) noexcept {
  step.is_kept = format[at] != '*';
  at += !step.is_kept;
  const std::size_t digits = at;
  const int width = take_field(format, at);
  if (width > longest_field || (at != digits && width == 0)) return false;
  step.width = static_cast<short>(width);
  const std::size_t plain = at;
  step.bytes = take_length(format, at);
  const char letter = format[at++];
  const bool has_length = plain + 1 != at, has_long = format[plain] == 'l' && plain + 2 == at;
  if (letter == 'd' || letter == 'u') {
    step.kind = scan_kind::integer;
    step.is_signed = letter == 'd';
    return step.bytes != 0 && width == 0;
  }
  if (letter == 'f' || letter == 'g' || letter == 'e') {
    step.kind = scan_kind::floating;
    step.bytes = has_long ? sizeof(double) : sizeof(float);
    return width == 0 && (has_long || !has_length);
  }
  step.kind = letter == 'c' ? scan_kind::character : letter == 's' ? scan_kind::word : scan_kind::set;
  if (letter == 'c') return !has_length && width <= 1;
  return !has_length && (letter == 's' || (letter == '[' && take_set(format, at, step.set)));
}

// The directive at `at`, which moves after it. False for what is the C library's. `format` ends with a zero.
constexpr bool take_scan_step(const char* format, std::size_t& at, scan_step& step) noexcept {
  for (; has(" \t\n\v\f\r", format[at]); ++at) step.skips = true;
  if (format[at] == '%') return take_scan_conversion(format, ++at, step);
  step.byte = format[at];
  if (format[at] == '\0') return true;
  step.kind = scan_kind::byte;
  return static_cast<unsigned char>(format[at++]) < 0x80;
}

// Names what a pointer points to: the bytes of an integer, f for a float, d for a double, c for bytes, 0 for all else.
template <class Pointer>
constexpr char points_to = 0;
template <class T>
constexpr char points_to<T*> = is_one_of<T, char, signed char, unsigned char> ? 'c'
                               : is_one_of<T, short, unsigned short>          ? sizeof(short)
                               : is_one_of<T, float>                          ? 'f'
                               : is_one_of<T, double>                         ? 'd'
                                                                              : bytes_of_integer<T>;

// Whether a conversion can store to what an argument points to.
constexpr bool is_stored_by(const scan_step& step, char kind) noexcept {
  if (step.kind == scan_kind::floating) return kind == (step.bytes == sizeof(float) ? 'f' : 'd');
  if (step.kind == scan_kind::integer && step.bytes != 1) return kind == static_cast<char>(step.bytes);
  return kind == 'c';
}

// Whether a directive is one that scan_plainly() has a function for.
constexpr bool is_plain(const scan_step& step) noexcept {
  return step.is_kept && step.kind != scan_kind::byte && step.kind != scan_kind::set &&
         (step.kind != scan_kind::integer || step.bytes >= sizeof(int));
}

template <std::size_t Steps>
struct scan_plan {
  scan_step steps[Steps] = {};
  plan_kind kind = plan_kind::library;
  bool has_floats = false;
};

// A directive may be one byte, and the end is one more.
template <std::size_t Spelt>
constexpr scan_plan<Spelt> plan_scan(const char* spelt, const char* kinds) noexcept {
  const literal_bytes<Spelt + 1> format = read_literal<Spelt + 1>(spelt);
  if (!format.is_known) return scan_plan<Spelt>();
  scan_plan<Spelt> plan;
  bool plain = true;
  std::size_t at = 0;
  scan_step* step = plan.steps;
  for (;; ++step) {
    if (!take_scan_step(format.bytes, at, *step)) return scan_plan<Spelt>();
    if (step->kind == scan_kind::end) break;
    plain &= is_plain(*step);
    plan.has_floats |= step->kind == scan_kind::floating;
    if (step->kind != scan_kind::byte && step->is_kept && !is_stored_by(*step, *kinds++)) return scan_plan<Spelt>();
  }
  plan.kind = plain && !step->skips && *kinds == '\0' ? plan_kind::plain : plan_kind::general;
  return plan;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
