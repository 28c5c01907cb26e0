// headrace/detail/simd/model.hpp: what the instructions of a kernel do, in plain C++: for processors that no kernel
// knows, for tools that do not see into inline assembly (MemorySanitizer, valgrind, a debugger). Each
// primitive of an instruction set of 16 bytes is tested against its namesake here.
#pragma once

#include "bit_places.hpp"
#include "scalar.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace model {

inline constexpr unsigned vector_size = 16;
#include "generic/vectors.hpp"

inline bytes all_bytes(std::uint64_t eight) noexcept { return bytes(qwords{eight, eight}); }

// Two qwords, which are those of every lane.
inline bytes in_each_lane(std::uint64_t first, std::uint64_t second) noexcept { return bytes(qwords{first, second}); }

// table[i] for the low four bits i of each byte of `index`; 0 where its top bit is set.
inline bytes lookup(bytes table, bytes index) noexcept {
  bytes result{};
  for (unsigned i = 0; i < 16; ++i) result[i] = index[i] >= 0x80 ? 0 : table[index[i] & 15];
  return result;
}

// The top bit of each byte, the first byte's lowest: a mask has their places.
inline constexpr bool masks_have_places = true;
inline std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < 16; ++i) mask |= static_cast<std::uint32_t>(top_bits[i] >> 7) << i;
  return mask;
}
// One bit per byte of 64: what `Found` finds in each vector.
template <class Found, class... Pattern>
std::uint64_t mask_of_block(const char* block, Pattern... pattern) noexcept {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; i += 16) {
    mask |= static_cast<std::uint64_t>(mask_of_bytes(Found::in(load(block + i), pattern...))) << i;
  }
  return mask;
}

inline unsigned word_at(bytes from, unsigned i) noexcept { return from[2 * i] | unsigned(from[2 * i + 1]) << 8; }
inline void set_word(bytes& to, unsigned i, unsigned value) noexcept {
  to[2 * i] = static_cast<unsigned char>(value);
  to[2 * i + 1] = static_cast<unsigned char>(value >> 8);
}

// Each pair of bytes times its weights, summed into a word. Digits only: no product or sum overflows.
inline bytes add_pairs(bytes a, bytes weights) noexcept {
  bytes result{};
  for (unsigned i = 0; i < 8; ++i) {
    set_word(result, i, unsigned(a[2 * i]) * weights[2 * i] + unsigned(a[2 * i + 1]) * weights[2 * i + 1]);
  }
  return result;
}

// Each pair of words times its weights, summed into a dword.
inline bytes add_pairs_of_words(bytes a, bytes weights) noexcept {
  bytes result{};
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned sum =
        word_at(a, 2 * i) * word_at(weights, 2 * i) + word_at(a, 2 * i + 1) * word_at(weights, 2 * i + 1);
    set_word(result, 2 * i, sum & 0xffff);
    set_word(result, 2 * i + 1, sum >> 16);
  }
  return result;
}

// The dwords of a, then those of b, as words; none is over 65535.
inline bytes pack_words(bytes a, bytes b) noexcept {
  bytes result{};
  for (unsigned i = 0; i < 4; ++i) {
    set_word(result, i, word_at(a, 2 * i));
    set_word(result, 4 + i, word_at(b, 2 * i));
  }
  return result;
}

// Dwords 0 and 2 of a, then those of b.
inline dwords even_dwords(bytes a, bytes b) noexcept {
  const dwords low = dwords(a), high = dwords(b);
  return dwords{low[0], low[2], high[0], high[2]};
}

// The first or the second half of the dwords, with their signs.
inline qwords widen(dwords values, int half) noexcept {
  return qwords{static_cast<std::uint64_t>(std::int64_t(values[2 * half])),
                static_cast<std::uint64_t>(std::int64_t(values[2 * half + 1]))};
}

inline words_of_16 widen_places(const unsigned char (&places)[8]) noexcept {
  words_of_16 result{};
  for (unsigned i = 0; i < 8; ++i) result[i] = places[i];
  return result;
}

inline bytes load_last_8(const char* base, const std::uint16_t* edges) noexcept {
  return bytes(qwords{load_eight(base - 8 + edges[1]), load_eight(base - 8 + edges[3])});
}

#include "generic/convert.hpp"
#include "generic/scan_bytes.hpp"
#include "generic/index.hpp"  // after what it is made of

struct kernel : scalar::two_stages {
  static constexpr const char* name = "model";
  static constexpr auto index_tokens = model::index_tokens;
  static constexpr auto index_newlines = model::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = model::convert_integers<Width>;
};

}  // namespace model
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
