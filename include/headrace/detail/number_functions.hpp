// headrace/detail/number_functions.hpp: a row of functions for each type of number. One body serves all types: it calls
// the functions that are listed here. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/dispatch.hpp"
#include "parse_tokens.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct number_type {
  // Tokens of an index to values of `size` bytes each, one after the other. Returns how many were taken: fewer only
  // before one that is malformed or out of range. What is written after them means nothing. With `refused` all are
  // taken, and such tokens are noted there.
  std::size_t (*convert)(const number_type& type, const char* base, const std::uint16_t* edges, std::size_t count,
                         char* out, refusals* refused) noexcept;
  // Values from text that ends with whitespace, edges written on the way; false: this kernel has no such pass.
  bool (*scan)(const number_type& type, const char* text, std::size_t size, std::uint16_t* edges, char* out,
               std::size_t room, std::size_t& done) noexcept;
  // One token in a buffer, of which 24 bytes before `first` and 24 from it or 8 after `last` may be read.
  std::errc (*parse)(const number_type& type, const char* first, const char* last, char* out) noexcept;
  integer_range range;
  unsigned char slot;  // where values that are converted ahead wait: a place per type
  unsigned char size;
};

// Integers of 8 and 16 bits: as 32 of them (Width is 4), of which those that are in range at the front are taken.
inline std::size_t count_in_range(const char* values, std::size_t count, integer_range range) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t value;
    __builtin_memcpy(&value, values + i * sizeof value, sizeof value);
    if (value > static_cast<std::int32_t>(range.max) || value < -static_cast<std::int32_t>(range.max_negative))
      return i;
  }
  return count;
}
// Tokens that are no 32 bits were noted; the others that are out of range are noted between them, from the last on.
inline void note_out_of_range(const char* values, std::size_t count, integer_range range, refusals& refused) noexcept {
  const auto is_in_range = [=](std::size_t i) {
    return count_in_range(values + i * sizeof(std::int32_t), 1, range) == 1;
  };
  std::size_t others = 0;
  const std::uint16_t* noted = refused.first;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_noted = noted != refused.next && refusals::place_of(*noted) == i;
    noted += is_noted;
    others += !is_noted && !is_in_range(i);
  }
  std::uint16_t* to = refused.next += others;
  for (std::size_t i = count; to != noted; --i) {  // until the rest is where it was
    if (noted != refused.first && refusals::place_of(noted[-1]) == i - 1) {
      *--to = *--noted;
    } else if (!is_in_range(i - 1)) {
      *--to = static_cast<std::uint16_t>(i - 1);
    }
  }
}

template <unsigned Width, bool Narrow>
std::size_t convert_to_integers(const number_type& type, const char* base, const std::uint16_t* edges,
                                std::size_t count, char* out, refusals* refused) noexcept {
  if constexpr (Narrow) {
    const std::size_t done = convert_integers<Width>(base, edges, count, out, range_of<std::int32_t>, refused);
    if (refused == nullptr) return count_in_range(out, done, type.range);
    note_out_of_range(out, done, type.range, *refused);
    return done;
  } else {
    return convert_integers<Width>(base, edges, count, out, type.range, refused);
  }
}

template <unsigned Width, bool Narrow>
bool scan_to_integers(const number_type& type, const char* text, std::size_t size, std::uint16_t* edges, char* out,
                      std::size_t room, std::size_t& done) noexcept {
  const integer_range range = Narrow ? range_of<std::int32_t> : type.range;
  if (!scan_integers<Width>(text, size, edges, out, room, range, done)) return false;
  if constexpr (Narrow) done = count_in_range(out, done, type.range);
  return true;
}

template <unsigned Width>
std::errc parse_to_integer(const number_type& type, const char* first, const char* last, char* out) noexcept {
  std::uint64_t value;
  const std::errc code = parse_integer(first, last, type.range, value);
  if (likely(code == std::errc{})) store_value<Width>(out, value);
  return code;
}

template <class Float>
std::size_t convert_to_floats(const number_type&, const char* base, const std::uint16_t* edges, std::size_t count,
                              char* out, refusals* refused) noexcept {
  return convert_floats<Float>(base, edges, count, out, refused);
}

template <class Float>
bool scan_to_floats(const number_type&, const char* text, std::size_t size, std::uint16_t* edges, char* out,
                    std::size_t room, std::size_t& done) noexcept {
  return scan_floats<Float>(text, size, edges, out, room, done);
}

template <class Value>
std::errc parse_to(const number_type&, const char* first, const char* last, char* out) noexcept {
  Value value;
  const std::errc code = parse_token_in_buffer(first, last, value);
  if (likely(code == std::errc{})) __builtin_memcpy(out, &value, sizeof value);
  return code;
}

#if defined(__SIZEOF_INT128__)
template <class Wide>
std::size_t convert_to_wide(const number_type&, const char* base, const std::uint16_t* edges, std::size_t count,
                            char* out, refusals* refused) noexcept {
  return convert_wide<Wide>(base, edges, count, out, refused);
}
inline bool scan_no_wide(const number_type&, const char*, std::size_t, std::uint16_t*, char*, std::size_t,
                         std::size_t&) noexcept {
  return false;
}
#endif

// Types that are converted ahead when they are read one after the other.
template <class T>
constexpr bool is_converted_ahead = is_integer<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
inline constexpr int turn_slot_count = 10, slot_count = 12;  // integers of 128 bits, the last two, take no turns

template <class T>
constexpr unsigned char find_slot() noexcept {
  if constexpr (is_float<T>) return std::is_same_v<T, double>;
  return static_cast<unsigned char>(2 + 2 * __builtin_ctz(sizeof(T)) + is_signed_integer<T>);
}

// The type of a value while it waits: integers of less than 32 bits take 32.
template <class T>
using ahead_t = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;

template <class T>
constexpr number_type describe_number() noexcept {
  constexpr unsigned width = sizeof(ahead_t<T>);
  if constexpr (is_float<T>) {
    return {convert_to_floats<T>, scan_to_floats<T>, parse_to<T>, {}, find_slot<T>(), width};
#if defined(__SIZEOF_INT128__)
  } else if constexpr (is_wide_integer<T>) {
    return {convert_to_wide<T>, scan_no_wide, parse_to<T>, {}, find_slot<T>(), width};
#endif
  } else {
    constexpr bool narrow = sizeof(T) < width;
    return {convert_to_integers<width, narrow>,
            scan_to_integers<width, narrow>,
            parse_to_integer<width>,
            range_of<T>,
            find_slot<T>(),
            width};
  }
}
template <class T>
inline constexpr number_type number_type_of = describe_number<T>();

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
