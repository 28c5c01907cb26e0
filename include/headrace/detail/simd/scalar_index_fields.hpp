// headrace/detail/simd/scalar_index_fields.hpp: where the fields of delimited text end, in plain C++, and what every
// kernel's index of them needs. A part of index_fields.hpp.
#pragma once

#include "chosen_kernel.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct field_marks {
  char separator;
  char quote;  // '\0': there are none
};

struct field_index {
  std::size_t fields;    // whose ends were found
  std::size_t newlines;  // among those ends
  std::size_t sound;     // so many bytes hold no quote or carriage return where none may be; a multiple of 64, or all
  bool quoted;           // there are quotes
};

// Places in an index of `size` bytes: one per byte, and what a kernel writes ahead.
constexpr std::size_t places_of(std::size_t size) noexcept { return size + 128; }

// Writes for each field of `size` bytes, less than 65,536, the place after the separator or newline that ends it. What
// is in quotes ends nothing. The text begins with a row; 128 bytes after it may be read.
using index_fields_function = void (*)(const char* text, std::size_t size, field_marks marks, std::uint16_t* ends,
                                       field_index& found) noexcept;

// Bit k: whether an odd number of the bits 0 to k is set.
constexpr std::uint64_t prefix_xor(std::uint64_t mask) noexcept {
  for (unsigned shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
  return mask;
}

namespace scalar {

using byte_pattern = std::uint64_t;
constexpr byte_pattern make_pattern(char byte) noexcept { return every_byte(static_cast<unsigned char>(byte)); }

// One bit per byte of 64 that equals the pattern's.
HEADRACE_INLINE std::uint64_t mask_of_equal(const char* block, byte_pattern pattern) noexcept {
  std::uint64_t mask = 0;
  for (unsigned at = 0; at < 64; at += 8) {
    const std::uint64_t differs = load_eight(block + at) ^ pattern;
    const std::uint64_t equal = ~((differs & every_byte(0x7f)) + every_byte(0x7f)) & ~differs & every_byte(0x80);
    mask |= ((equal >> 7) * 0x0102040810204080u >> 56) << at;
  }
  return mask;
}

struct place_writer {
  HEADRACE_INLINE std::uint16_t* write(std::uint16_t* to, std::uint64_t mask, std::size_t at) const noexcept {
    for (; mask != 0; mask &= mask - 1) {
      *to++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(__builtin_ctzll(mask)));
    }
    return to;
  }
};

#include "generic/index_fields.hpp"

}  // namespace scalar

// A kernel's own function; scalar unless it is given below.
template <class Kernel>
inline constexpr index_fields_function index_fields_of = scalar::index_fields;

struct field_indexer {
  using type = index_fields_function;
  template <class Kernel>
  static constexpr type of = index_fields_of<Kernel>;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
