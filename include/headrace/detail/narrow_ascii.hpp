// headrace/detail/narrow_ascii.hpp: wide text that is ASCII to bytes, sixteen units at a time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

constexpr std::size_t ascii_block = 16;

// If the next 16 units are all ASCII, writes them as bytes and returns true.
template <class Unit>
HEADRACE_INLINE bool narrow_ascii(const Unit* from, char* to) noexcept {
  using unit = std::conditional_t<sizeof(Unit) == 2, std::uint16_t, std::uint32_t>;
  // Compiler vectors: SSE2, NEON or plain code, as it comes.
  typedef unit units __attribute__((vector_size(ascii_block * sizeof(unit))));
  typedef std::uint8_t bytes __attribute__((vector_size(ascii_block)));
  std::uint64_t words[ascii_block * sizeof(unit) / 8];
  std::memcpy(words, from, sizeof words);
  std::uint64_t any = 0;
  for (std::uint64_t word : words) any |= word;
  if ((any & (sizeof(unit) == 2 ? 0xff80ff80ff80ff80 : 0xffffff80ffffff80)) != 0) return false;
  units block;
  std::memcpy(&block, from, sizeof block);
  const bytes narrow = __builtin_convertvector(block, bytes);
  std::memcpy(to, &narrow, sizeof narrow);
  return true;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
