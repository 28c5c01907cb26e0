// headrace/replace/scan_plan.hpp: scanf's formats, read at compile time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../config.hpp"
#include "literal.hpp"
#include "print_plan.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

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

// The directive at `at`, which moves after it. False as above. `format` ends with a zero.
constexpr bool take_scan_step(const char* format, std::size_t& at, scan_step& step) noexcept {
  for (; has(" \t\n\v\f\r", format[at]); ++at) step.skips = true;
  if (format[at] == '%') return take_scan_conversion(format, ++at, step);
  step.byte = format[at];
  if (format[at] == '\0') return true;
  step.kind = scan_kind::byte;
  return static_cast<unsigned char>(format[at++]) < 0x80;
}

// What a pointer points to: the bytes of an integer, f for a float, d for a double, c for bytes, or 0 for all else.
template <class Pointer>
constexpr char points_to = 0;
template <>
inline constexpr char points_to<char*> = 'c';
template <>
inline constexpr char points_to<signed char*> = 'c';
template <>
inline constexpr char points_to<unsigned char*> = 'c';
template <>
inline constexpr char points_to<short*> = sizeof(short);
template <>
inline constexpr char points_to<unsigned short*> = sizeof(short);
template <>
inline constexpr char points_to<int*> = sizeof(int);
template <>
inline constexpr char points_to<unsigned*> = sizeof(int);
template <>
inline constexpr char points_to<long*> = sizeof(long);
template <>
inline constexpr char points_to<unsigned long*> = sizeof(long);
template <>
inline constexpr char points_to<long long*> = sizeof(long long);
template <>
inline constexpr char points_to<unsigned long long*> = sizeof(long long);
template <>
inline constexpr char points_to<float*> = 'f';
template <>
inline constexpr char points_to<double*> = 'd';

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
