// headrace/detail/simd/dispatch.hpp: what readers and writers ask of the kernels, and which kernel answers: the best
// that the processor and the system support, or the one that the environment variable HEADRACE_SIMD names. Chosen at
// the first question, for the whole process; a program that changes its environment by then has one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../parse_tokens.hpp"

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

// Both in one pass, where the kernel has that; true: it has. See scalar.hpp. Floats are, where the kernel converts one
// at a time: that needs no index.
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

// The same of doubles or floats, each as the shortest text that reads back as the same value. Room needed: count *
// (max_float_length + 1) + bulk_write_padding.
template <class Float>
char* write_floats(char* to, const Float* values, std::size_t count, char separator) noexcept;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#if !HEADRACE_COMPILED
#include "dispatch_impl.hpp"
#endif
