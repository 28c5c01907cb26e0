// headrace/detail/simd/dispatch.hpp: what readers and writers ask of the kernels, and which kernel answers: the best
// that the processor and the system support, or the one that the environment variable HEADRACE_SIMD names. Chosen at
// the first question, for the whole process; a program that changes its environment by then has one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../parse_tokens.hpp"
#if HEADRACE_COMPILED != 1
#include "kernels.hpp"
#endif

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The edges of the tokens of a window, as scalar.hpp says; returns how many.
std::size_t index_tokens(const char* text, std::size_t size, std::uint16_t* edges) noexcept;

// Where the newlines of a window are; returns how many.
std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* places) noexcept;

// Integers of 4 or 8 bytes in the index of a window. Returns how many tokens were taken: fewer only before one that is
// malformed or out of range. With `refused` all are taken, at most window_size / 2, and such tokens are noted there.
template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                             integer_range range, refusals* refused = nullptr) noexcept;

// `count` tokens to floats or doubles, one after the other in `out`: what parse() gives for each, correctly rounded in
// every rounding mode. Token i is text from base + edges[2 * i] to base + edges[2 * i + 1], in the order of the text,
// followed by a byte that no number has (whitespace, a comma); it may be empty, which is malformed. Returns how many
// tokens were taken: fewer only before one that is malformed or out of range, and nothing in `out` changes from there
// on. 64 bytes before the text and 128 after it may be read. With `refused` all are taken, and those that are malformed
// or out of range are noted there.
template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused = nullptr) noexcept;

#if defined(__SIZEOF_INT128__)
// The same for integers of 128 bits, but no token is empty.
template <class Wide>
std::size_t convert_wide(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                         refusals* refused = nullptr) noexcept;
#endif

// Finds and converts tokens in one pass, as scalar.hpp says; false: the kernel has no such pass. It has one of floats
// where it converts them one at a time, which needs no index.
template <unsigned Width>
bool scan_integers(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                   integer_range range, std::size_t& done) noexcept;
template <class Float>
bool scan_floats(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                 std::size_t& done) noexcept;

// Writes `count` integers in decimal, `separator` after each, and returns the end. Room needed: count *
// (max_length<Integer> + 1) + bulk_write_padding.
template <class Integer>
char* write_integers(char* to, const Integer* values, std::size_t count, char separator) noexcept;

// Writes `count` doubles or floats, each as the shortest text that reads back as the same value, `separator` after
// each. Room needed: count * (max_float_length + 1) + bulk_write_padding.
template <class Float>
char* write_floats(char* to, const Float* values, std::size_t count, char separator) noexcept;
// Whether write_floats() and write_integers() write several numbers at once.
template <class Float>
bool writes_floats_together() noexcept;
template <class Integer>
bool writes_integers_together() noexcept;

#if HEADRACE_COMPILED != 1

// ---- the chosen kernel answers ----

HEADRACE_FUNC std::size_t index_tokens(const char* text, std::size_t size, std::uint16_t* edges) noexcept {
  return part_of_kernel<token_indexer>()(text, size, edges);
}

HEADRACE_FUNC std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* places) noexcept {
  return part_of_kernel<newline_indexer>()(text, size, places);
}

template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                             integer_range range, refusals* refused) noexcept {
  return part_of_kernel<integer_converter<Width>>()(base, edges, 0, count, out, range, refused);
}

template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused) noexcept {
  return part_of_kernel<float_converter<Float>>()(base, edges, count, out, refused);
}

#if defined(__SIZEOF_INT128__)
template <class Wide>
std::size_t convert_wide(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                         refusals* refused) noexcept {
  return part_of_kernel<wide_converter<Wide>>()(base, edges, 0, count, out, refused);
}
#endif

template <unsigned Width>
bool scan_integers(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                   integer_range range, std::size_t& done) noexcept {
  const auto scan = part_of_kernel<integer_scanner<Width>>();
  if (scan != nullptr) done = scan(text, size, edges, out, room, range);
  return scan != nullptr;
}

template <class Float>
bool scan_floats(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                 std::size_t& done) noexcept {
  if (part_of_kernel<float_converter<Float>>() != scalar::convert_floats<Float>) return false;
  done = scan_float_tokens<Float>(text, size, edges, out, room);
  return true;
}

template <class Integer>
char* write_integers(char* to, const Integer* values, std::size_t count, char separator) noexcept {
  return part_of_kernel<integer_writer<Integer>>()(to, values, count, separator);
}

template <class Float>
char* write_floats(char* to, const Float* values, std::size_t count, char separator) noexcept {
  return part_of_kernel<float_writer<Float>>()(to, values, count, separator);
}
template <class Float>
bool writes_floats_together() noexcept {
  return part_of_kernel<float_writer<Float>>() != scalar::write_numbers<Float>;
}
template <class Integer>
bool writes_integers_together() noexcept {
  return part_of_kernel<integer_writer<Integer>>() != scalar::write_numbers<Integer>;
}

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
