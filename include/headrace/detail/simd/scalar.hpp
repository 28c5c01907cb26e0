// headrace/detail/simd/scalar.hpp: the reference of every kernel, in plain C++; what the kernels are made of.
//
// Stage 1, index_tokens(): where the tokens of a window begin and end.
//     text     "  42 -7\n"
//     white     1100100 1          D = not whitespace
//     edges = D ^ (D << 1)         alternate between the begin of a token and its end
// Stage 2, convert_integers(): tokens to integers, several at a time.
// convert_floats() does the same for float and double, convert_wide() for integers of 128 bits.
// Each kernel has them, with the signatures in dispatch.hpp, and hands what it does not take to the functions of
// parse_tokens.hpp.
//
// A kernel may read 64 bytes before and 128 after the text that it is given: the reader's buffer keeps that room.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../config.hpp"
#include "../../format.hpp"
#include "../parse_tokens.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Features that a kernel may need and not every processor of its kind has: bits of processor_features().
inline constexpr unsigned sse41_popcnt = 1, avx2_bmi_fma = 2;
inline constexpr unsigned avx512_vbmi2 = 4;

namespace scalar {

// Writes at + the places of the bytes whose top bits are set.
HEADRACE_INLINE std::uint16_t* write_places(std::uint16_t* to, std::uint64_t top_bits, std::size_t at) noexcept {
  for (; top_bits != 0; top_bits &= top_bits - 1) {
    *to++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(__builtin_ctzll(top_bits)) / 8);
  }
  return to;
}

// How many of the places in [first, next) are before `size`: those that the last eight bytes had after it are not.
HEADRACE_INLINE std::size_t count_places(const std::uint16_t* first, const std::uint16_t* next,
                                         std::size_t size) noexcept {
  while (next != first && next[-1] >= size) --next;
  return static_cast<std::size_t>(next - first);
}

// Stage 1. Writes the edges of `size` bytes (at most window_size) and returns how many: when odd, the last token has
// no end yet.
inline std::size_t index_tokens(const char* text, std::size_t size, std::uint16_t* edges) noexcept {
  std::uint16_t* next = edges;
  std::uint64_t carry = 0;  // 0x80 when the byte before this block belongs to a token
  for (std::size_t at = 0; at < size; at += 8) {
    const std::uint64_t solid = ~find_whitespace(load_eight(text + at)) & every_byte(0x80);
    next = write_places(next, solid ^ (solid << 8 | carry), at);
    carry = solid >> 56;
  }
  return count_places(edges, next, size);
}

// Where the newlines of `size` bytes are; returns how many. Aligned: where the loop is in a line of the instruction
// cache is worth 7 % (Sapphire Rapids).
__attribute__((aligned(64))) inline std::size_t index_newlines(const char* text, std::size_t size,
                                                               std::uint16_t* places) noexcept {
  std::uint16_t* next = places;
  for (std::size_t at = 0; at < size; at += 8) {
    const std::uint64_t differs = load_eight(text + at) ^ every_byte('\n');
    next = write_places(next, ~((differs & every_byte(0x7f)) + every_byte(0x7f)) & ~differs & every_byte(0x80), at);
  }
  return count_places(places, next, size);
}

// Stage 2. Integers of 32 or 64 bits: 4 or 8 bytes each, and a range that holds eight digits. Converts from token
// `done` on, and returns the first that was not taken: `count`, or, where `refused` is null, one that is malformed or
// out of range. With `refused` such tokens are noted there, and all are taken.
template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t done, std::size_t count,
                             char* out, integer_range range, refusals* refused) noexcept {
  const unsigned minus = minus_of(range);
  for (; done < count; ++done) {
    const token next = token_at(edges, done);
    std::uint64_t value;
    const std::errc code = parse_integer_token(base + next.begin, base + next.end, minus, range, value);
    if (unlikely(code != std::errc{})) {
      if (refused == nullptr) break;
      refused->note(done, code);
    } else {
      store_value<Width>(out + done * Width, value);
    }
  }
  return done;
}

// Stage 2 for float, double and integers of 128 bits, one token after the other.
template <class Value>
std::size_t convert_others(const char* base, const std::uint16_t* edges, std::size_t done, std::size_t count, char* out,
                           refusals* refused) noexcept {
  for (; done < count; ++done) {
    const token next = token_at(edges, done);
    Value value;
    const std::errc code = parse_token_in_buffer(base + next.begin, base + next.end, value);
    if (unlikely(code != std::errc{})) {
      if (refused == nullptr) break;
      refused->note(done, code);
    } else {
      __builtin_memcpy(out + done * sizeof value, &value, sizeof value);
    }
  }
  return done;
}
template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused) noexcept {
  return convert_others<Float>(base, edges, 0, count, out, refused);
}

// ---- both stages in one pass, which without SIMD is faster than one after the other ----

// `text` ends with whitespace. Stops at `room` values, at the end, or before the first token that convert_integers()
// would not take; the edges are written as index_tokens() would. Each of three ways is the fastest somewhere. Null: a
// kernel has two stages.
using scan_function = std::size_t (*)(const char* text, std::size_t size, std::uint16_t* edges, char* out,
                                      std::size_t room, integer_range range) noexcept;

// The bits 4 that bytes do not have: each digit has it, and no whitespace.
constexpr std::uint64_t find_ends(std::uint64_t bytes) noexcept { return ~bytes & every_byte(0x10); }

// The value of the first of these bytes, up to `place`, which is 8 * length + 4; false where they are no integer of up
// to seven characters. `minus` is the first byte of a negative one, and bit 4 of the second.
//     "-123 45\n"  ->  . . . 0 1 2 3 p     p whatever it is
HEADRACE_INLINE bool join_short_token(std::uint64_t bytes, unsigned place, std::uint64_t minus,
                                      std::uint64_t& value) noexcept {
  const std::uint64_t sign = 0 - std::uint64_t((bytes & 0x10ff) == minus);
  const std::uint64_t digits = (bytes ^ every_byte('0') ^ (sign & ('-' ^ '0'))) << (place ^ 60);  // 8 * (7 - length)
  value = (join_seven_digits(digits) ^ sign) - sign;
  return (not_digits(digits) & every_byte(0x80) >> 8) == 0;
}

// With 64-bit integers: the byte that ends a token is found in the eight bytes that hold its digits.
template <unsigned Width>
std::size_t scan_words(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                       integer_range range) noexcept {
  const std::uint64_t minus = range.max_negative != 0 ? '-' | 0x1000u : ~std::uint64_t(0);
  const char* const end = text + size;
  std::size_t done = 0;
  for (const char* at = text; at < end && done < room;) {
    const std::uint64_t bytes = load_eight(at);
    if (unlikely((bytes & 0xff) <= ' ')) {
      if (unlikely(!is_whitespace(*at))) break;
      ++at;
      continue;
    }
    std::uint64_t ends = find_ends(bytes) & ~std::uint64_t(0xff), value;
    const char* last = at;
    bool is_joined = false;
    if (likely(ends != 0)) {
      const auto place = static_cast<unsigned>(__builtin_ctzll(ends));
      last += place / 8;
      is_joined = join_short_token(bytes, place, minus, value);
    } else {
      for (last += 8; (ends = find_ends(load_eight(last))) == 0;) last += 8;
      last += __builtin_ctzll(ends) / 8;
    }
    if (unlikely(*last != ' ' && !is_whitespace(*last))) break;
    if (unlikely(!is_joined) && unlikely(parse_integer(at, last, range, value) != std::errc{})) break;
    store_value<Width>(out + done * Width, value);
    edges[2 * done] = static_cast<std::uint16_t>(at - text);
    edges[2 * done + 1] = static_cast<std::uint16_t>(last - text);
    at = last + 1;
    ++done;
  }
  return done;
}

#if defined(__x86_64__)
// With SSE2: the ends of tokens are bits, 64 of them in an integer; a token is taken as its end is found, which waits
// for no load.
template <unsigned Width>
std::size_t scan_blocks(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                        integer_range range) noexcept {
  const unsigned minus = minus_of(range);
  std::size_t done = 0, first = 0;
  for (std::size_t block = 0; block < size; block += 64) {
    std::uint64_t ends = sse2_sixteen_characters::find_ends(text + block);
    if (size - block < 64) ends &= (std::uint64_t(1) << (size - block)) - 1;
    for (; ends != 0; ends &= ends - 1) {
      const std::size_t last = block + static_cast<unsigned>(__builtin_ctzll(ends));
      if (!is_whitespace(text[last])) return done;
      if (first != last) {
        std::uint64_t value;
        if (done == room) return done;
        if (parse_integer_token(text + first, text + last, minus, range, value) != std::errc{}) return done;
        store_value<Width>(out + done * Width, value);
        edges[2 * done] = static_cast<std::uint16_t>(first);
        edges[2 * done + 1] = static_cast<std::uint16_t>(last);
        ++done;
      }
      first = last + 1;
    }
  }
  return done;
}
#endif

// With 32-bit integers: digit by digit, as eight at once take three multiplications for one. Of ten digits, which 32
// bits may not hold, the first one tells what is above them.
template <unsigned Width>
std::size_t scan_digits(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                        integer_range range) noexcept {
  const unsigned minus = minus_of(range);
  const char* const end = text + size;
  char *const begin = out, *const full = out + room * Width;
  for (const char* first = text; first != end && out != full; ++first) {
    if (is_whitespace(*first)) continue;
    const bool negative = static_cast<unsigned char>(*first) == minus;
    const char *const digits = first + negative, *last = digits;
    std::uint32_t sum = 0;
    for (unsigned digit; (digit = static_cast<unsigned>(*last - '0')) <= 9; ++last) sum = sum * 10 + digit;
    const auto length = static_cast<std::size_t>(last - digits);
    std::uint64_t value;
    if (likely(length - 1 < 9 && is_whitespace(*last))) {
      value = negative ? 0 - std::uint64_t(sum) : sum;
    } else if (length == 10 && is_whitespace(*last)) {
      const std::uint64_t top = static_cast<unsigned>(*digits - '0') * powers_of_ten[9];
      if (!apply_sign(top + (sum - static_cast<std::uint32_t>(top)), negative, range, value)) break;
    } else {
      while (!is_whitespace(*last)) ++last;
      if (parse_integer(first, last, range, value) != std::errc{}) break;
    }
    store_value<Width>(out, value);
    *edges++ = static_cast<std::uint16_t>(first - text);
    *edges++ = static_cast<std::uint16_t>(last - text);
    out += Width;
    first = last;
  }
  return static_cast<std::size_t>(out - begin) / Width;
}

template <unsigned Width>
constexpr scan_function choose_scan() noexcept {
#if defined(__x86_64__)
  return scan_blocks<Width>;
#else
  return sizeof(std::size_t) > 4 ? scan_words<Width> : scan_digits<Width>;
#endif
}

// Writes `count` numbers, `separator` after each.
template <class Number>
char* write_numbers(char* to, const Number* values, std::size_t count, char separator) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    to = write_short(to, values[i]);
    *to++ = separator;
  }
  return to;
}

struct kernel {
  static constexpr const char* name = "scalar";
  static constexpr unsigned needs = 0;  // bits of processor_features()
  static constexpr auto index_tokens = scalar::index_tokens;
  static constexpr auto index_newlines = scalar::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = scalar::convert_integers<Width>;
  template <unsigned Width>
  static constexpr scan_function scan_integers = choose_scan<Width>();
  template <class Float>
  static constexpr auto convert_floats = scalar::convert_floats<Float>;
#if defined(__SIZEOF_INT128__)
  template <class Wide>
  static constexpr auto convert_wide = scalar::convert_others<Wide>;
#endif
  template <class Integer>
  static constexpr auto write_integers = scalar::write_numbers<Integer>;
  template <class Float>
  static constexpr auto write_floats = scalar::write_numbers<Float>;
};

// The others derive from this one, and have what they leave out from it.
struct two_stages : kernel {
  template <unsigned Width>
  static constexpr scan_function scan_integers = nullptr;
};

}  // namespace scalar
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
