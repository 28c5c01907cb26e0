// headrace/replace/stdio_impl.hpp: the conversions of printf and scanf, in the buffer of a FILE. Not for users.
#pragma once

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <langinfo.h>

#include "../config.hpp"
#include "../format.hpp"
#include "../parse.hpp"
#include "../detail/read_digits.hpp"
#include "general_float.hpp"
#include "stdio_calls.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

HEADRACE_FUNC char* write_decimal(char* to, int value) noexcept { return write_integer(to, value); }
HEADRACE_FUNC char* write_decimal(char* to, unsigned value) noexcept { return write_integer(to, value); }
HEADRACE_FUNC char* write_decimal(char* to, long long value) noexcept { return write_integer(to, value); }
HEADRACE_FUNC char* write_decimal(char* to, unsigned long long value) noexcept { return write_integer(to, value); }

// The digits that printf and scanf expect after a point, whatever the locale.
HEADRACE_INLINE bool point_is_a_point() noexcept {
  const char* const point = ::nl_langinfo(RADIXCHAR);
  return likely(point[0] == '.' && point[1] == '\0');
}

// Writes what write_formed() leaves: ties, and more digits than it has. Null for infinities and NaN, which are padded
// otherwise, and what does not fit.
HEADRACE_COLD inline char* write_by_library(char* to, std::size_t room, double value, char letter, int precision) {
  if (!(value - value == 0)) return nullptr;
  const char format[] = {'%', '.', '*', letter, '\0'};
  const int size = std::snprintf(to, room, format, precision, value);
  return size >= 0 && static_cast<std::size_t>(size) < room ? to + size : nullptr;
}

template <class Double>
char* write_formatted(char* to, const char* end, Double value, char letter, int precision) noexcept {
  if (unlikely(!point_is_a_point())) return nullptr;
  const float_form form = letter == 'g'   ? float_form::general
                          : letter == 'e' ? float_form::scientific
                                          : float_form::fixed;
  if (precision < 0) precision = 6;
  const auto room = static_cast<std::size_t>(end - to);
  char text[longest_float];
  char* const from = likely(room >= longest_float) ? to : text;
  char* last = write_formed(from, value, form, precision);
  if (unlikely(last == nullptr)) last = write_by_library(from, longest_float, value, letter, precision);
  if (likely(from == to) || last == nullptr) return last;
  const auto size = static_cast<std::size_t>(last - text);
  if (size > room) return nullptr;
  std::memcpy(to, text, size);
  return to + size;
}

// An argument as its length modifier says.
inline long long cut_to(long long value, const print_step& step) noexcept {
  const unsigned unused = 64 - 8u * step.bytes;
  const auto bits = static_cast<unsigned long long>(value) << unused;
  const bool is_signed = step.letter == 'd' || step.letter == 'i';
  return is_signed ? static_cast<long long>(bits) >> unused : static_cast<long long>(bits >> unused);
}

HEADRACE_FUNC char* pad(char* from, char* end, const char* room_end, const print_step& step) noexcept {
  const std::ptrdiff_t padding = step.width - (end - from);
  if (unlikely(room_end - end < padding)) return nullptr;
  const bool zeros = step.zeros && step.letter != 's' && step.letter != 'c';
  char* const first = step.left ? end : from + (zeros && end != from && *from == '-');
  const char fill = zeros && !step.left ? '0' : ' ';
  if (likely(step.width <= 16 && room_end - end >= 32)) {  // neither has more bytes; what is after them may change
    char text[16];
    std::memcpy(text, first, 16);
    std::memset(first, fill, 16);
    std::memcpy(first + padding, text, 16);
  } else {
    std::memmove(first + padding, first, static_cast<std::size_t>(end - first));
    std::memset(first, fill, static_cast<std::size_t>(padding));
  }
  return end + padding;
}

// An integer in base 8 or 16.
inline char* write_based(char* to, unsigned long long value, char letter) noexcept {
  char text[decimal_room];
  char* const end = text + sizeof(text);
  const char* const digits = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  const char* const first = letter == 'o' ? write_digits_backwards(end, value, 8, digits)  // by shifts
                                          : write_digits_backwards(end, value, 16, digits);
  const auto size = static_cast<std::size_t>(end - first);
  std::memcpy(to, first, size);
  return to + size;
}

// The value of any step at the begin of the room, without padding. Null as above.
template <bool HasFloats>
char* write_value(const file_window& room, const print_step& step, const print_value& value) noexcept {
  if (HasFloats && step.bytes == 0)
    return write_formatted(room.begin, room.end, value.number, step.letter, step.precision);
  if (unlikely(room.end - room.begin < decimal_room)) return nullptr;
  const long long number = cut_to(value.integer, step);
  switch (step.letter) {
    case 'c':
      *room.begin = static_cast<char>(number);
      return room.begin + 1;
    case 'd':
    case 'i':
      return write_decimal(room.begin, number);
    case 'u':
      return write_decimal(room.begin, static_cast<unsigned long long>(number));
    default:
      return write_based(room.begin, static_cast<unsigned long long>(number), step.letter);
  }
}

template <bool HasFloats>
int print_by_plan(std::FILE* file, const char* format, const print_step* step, const print_value* value) noexcept {
  file_window room = room_of(file);
  if (unlikely(room.is_empty())) return -1;
  const char* const from = room.begin;
  for (;; ++step) {
    if (unlikely(!put_text(room, format + step->text, step->size))) return -1;
    if (step->letter == '\0') break;
    if (step->letter == '%') continue;
    const bool done = step->letter == 's' ? put_word(room, *step, static_cast<const char*>((*value++).text))
                                          : put_written(room, *step, write_value<HasFloats>(room, *step, *value++));
    if (unlikely(!done)) return -1;
  }
  written_up_to(file, room.begin);
  return static_cast<int>(room.begin - from);
}

// Whitespace. Null at the end, and at a byte that is a space in some locale.
HEADRACE_INLINE const char* skip_spaces(const char* at, const char* end) noexcept {
  at = skip_whitespace(at, end);
  if (unlikely(at == end)) return nullptr;
  const auto byte = static_cast<unsigned char>(*at);
  return likely(byte < 0x80) || std::isspace(byte) == 0 ? at : nullptr;
}

template <class Integer>
HEADRACE_COLD const char* take_integer_slowly(const char* at, const char* end, void* to) noexcept {
  Integer number = 0;
  const parse_result found = parse(at, end, number, 10);
  if (found.ec != std::errc{} || found.ptr == end) return nullptr;
  std::memcpy(to, &number, sizeof(number));
  return found.ptr;
}

// Eight bytes that may be digits.
struct eight_digits {
  const char* at;
  std::uint64_t digits = load_eight(at) ^ every_byte('0');
  std::uint64_t wrong = not_digits(digits);  // 0: all of them are
};

// Up to 19 digits (int: 15), eight at a time; as above what has more, or may end with what is held.
template <class Integer>
const char* take_integer(const char* at, const char* end, void* to) noexcept {
  at = skip_whitespace(at, end);
  if (unlikely(end - at <= 25)) return take_integer_slowly<Integer>(at, end, to);
  const bool negative = *at == '-';
  const char* const first = at + negative;
  eight_digits next{first};
  std::uint64_t sum = 0;
  if (next.wrong == 0) {  // no loop: g++ would keep its constants in registers, for short numbers, too
    sum = join_eight_digits(next.digits);
    next = eight_digits{first + 8};
    if (sizeof(Integer) == 8 && next.wrong == 0) {
      sum = sum * 100000000 + join_eight_digits(next.digits);
      next = eight_digits{first + 16};
    }
    if (unlikely(next.wrong == 0)) return take_integer_slowly<Integer>(at, end, to);
  }
  const char* const last = append_some(next.at, next.digits, next.wrong, sum);
  Integer number = 0;
  if (unlikely(last == first || last - first > 19 || !assign_if_fits(number, sum, negative))) return nullptr;
  std::memcpy(to, &number, sizeof(number));
  return last;
}

// Nothing that begins with a letter, and nothing after which the number might go on in a way of the C library's.
template <class Float>
const char* take_float(const char* at, const char* end, void* to) noexcept {
  at = skip_whitespace(at, end);
  const char* const digits = at + (at != end && *at == '-');
  if (digits == end || !(is_digit(*digits) || *digits == '.') || !point_is_a_point()) return nullptr;
  Float number;
  const parse_result found = parse(at, end, number);
  if (found.ec != std::errc{} || found.ptr == end) return nullptr;
  const char after = *found.ptr;
  if (!is_whitespace(after) && after != ',' && after != ';' && after != ')' && after != ':') return nullptr;
  std::memcpy(to, &number, sizeof(number));
  return found.ptr;
}

// Bytes up to `last`, and a zero.
inline const char* store_text(const char* at, const char* last, void* to) noexcept {
  if (to != nullptr) {
    const auto size = static_cast<std::size_t>(last - at);
    char* const text = static_cast<char*>(to);
    std::memcpy(text, at, size);
    text[size] = '\0';
  }
  return last;
}

// Where text of at most `width` bytes (0: any) has to end.
inline const char* end_of_width(const char* at, const char* end, std::size_t width) noexcept {
  return width != 0 && static_cast<std::size_t>(end - at) > width ? at + width : end;
}

HEADRACE_FUNC const char* take_word(const char* at, const char* end, void* to, std::size_t width) noexcept {
  at = skip_spaces(at, end);
  if (unlikely(at == nullptr)) return nullptr;
  bool high;
  const char* const last = end_of_word(at, end_of_width(at, end, width), high);
  if (unlikely(high)) {
    for (const char* byte = at; byte != last; ++byte) {
      if (std::isspace(static_cast<unsigned char>(*byte)) != 0) return nullptr;
    }
  }
  return likely(last != end) ? store_text(at, last, to) : nullptr;
}

HEADRACE_FUNC const char* take_spaced_byte(const char* at, const char* end, void* to) noexcept {
  at = skip_spaces(at, end);
  if (unlikely(at == nullptr)) return nullptr;
  std::memcpy(to, at, 1);
  return at + 1;
}

inline const char* take_set_bytes(const char* at, const char* end, const scan_step& step, void* to) noexcept {
  const char* const limit = end_of_width(at, end, static_cast<std::size_t>(step.width));
  const char* last = at;
  while (last != limit && step.set.has(*last)) ++last;
  return likely(last != end && last != at) ? store_text(at, last, to) : nullptr;
}

// An integer of any size.
inline const char* take_any_integer(const char* at, const char* end, const scan_step& step, void* to) noexcept {
  switch (step.bytes) {
    case 1:
      return step.is_signed ? take_integer<signed char>(at, end, to) : take_integer<unsigned char>(at, end, to);
    case 2:
      return step.is_signed ? take_integer<short>(at, end, to) : take_integer<unsigned short>(at, end, to);
    case 4:
      return step.is_signed ? take_integer<int>(at, end, to) : take_integer<unsigned>(at, end, to);
    default:
      return step.is_signed ? take_integer<long long>(at, end, to) : take_integer<unsigned long long>(at, end, to);
  }
}

// A conversion; the value goes to `to`, or nowhere where that is null.
template <bool HasFloats>
const char* take_conversion(const char* at, const char* end, const scan_step& step, void* to) noexcept {
  long long unseen;
  if (step.kind == scan_kind::word) return take_word(at, end, to, static_cast<std::size_t>(step.width));
  if (step.kind == scan_kind::integer) return take_any_integer(at, end, step, to != nullptr ? to : &unseen);
  if constexpr (HasFloats) {
    if (step.kind == scan_kind::floating) {
      if (to == nullptr) to = &unseen;
      return step.bytes == sizeof(float) ? take_float<float>(at, end, to) : take_float<double>(at, end, to);
    }
  }
  if (step.skips) at = skip_spaces(at, end);
  if (unlikely(at == nullptr || at == end)) return nullptr;
  if (step.kind == scan_kind::set) return take_set_bytes(at, end, step, to);
  if (step.kind == scan_kind::byte && *at != step.byte) return nullptr;
  if (to != nullptr) *static_cast<char*>(to) = *at;
  return at + 1;
}

template <bool HasFloats>
int scan_by_plan(std::FILE* file, const scan_step* step, void* const* targets) noexcept {
  const file_window held = held_of(file);
  if (unlikely(held.is_empty())) return -1;
  const char* at = held.begin;
  int stored = 0;
  for (; step->kind != scan_kind::end; ++step) {
    const bool is_stored = step->is_kept && step->kind != scan_kind::byte;
    at = take_conversion<HasFloats>(at, held.end, *step, is_stored ? targets[stored] : nullptr);
    if (unlikely(at == nullptr)) return -1;
    stored += is_stored;
  }
  if (step->skips && (at = skip_spaces(at, held.end)) == nullptr) return -1;
  read_up_to(file, at);
  return stored;
}

HEADRACE_FUNC char* get_held_line(char* to, int size, std::FILE* file) noexcept {
  const file_window held = held_of(file);
  if (unlikely(held.is_empty() || size < 2)) return nullptr;
  const std::size_t wanted = static_cast<std::size_t>(size) - 1;
  const std::size_t most = held.size() < wanted ? held.size() : wanted;
  const void* const newline = std::memchr(held.begin, '\n', most);
  if (newline == nullptr && most != wanted) return nullptr;
  const char* const last = newline != nullptr ? static_cast<const char*>(newline) + 1 : held.begin + most;
  const auto taken = static_cast<std::size_t>(last - held.begin);
  std::memcpy(to, held.begin, taken);
  to[taken] = '\0';
  read_up_to(file, last);
  return to;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#pragma GCC diagnostic pop
