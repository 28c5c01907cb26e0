// headrace/detail/simd/index_fields.hpp: where the fields of delimited text end: one text for every kernel, with what
// each has to add to its primitives. Apart from kernels.hpp, so that only programs with columns compile it.
#pragma once

#include "bit_places.hpp"
#include "kernels.hpp"

HEADRACE_BASELINE_BEGIN
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
  bool returned;         // there are carriage returns outside quotes
  bool empty;            // there are fields without a byte
};

// One bit for each of 64 bytes that is a mark.
struct marks_of_block {
  std::uint64_t separators, newlines, quotes, returns;
};

// Places in an index of `size` bytes: one per byte, and what a kernel writes ahead.
constexpr std::size_t places_of(std::size_t size) noexcept { return size + 128; }

// Words of a bit for each of `size` bytes, and one more that may be read.
constexpr std::size_t words_of(std::size_t size) noexcept { return (size + 63) / 64 + 1; }

// Writes for each field of `size` bytes, less than 65,536, the place after the separator or newline that ends it. What
// is in quotes ends nothing. The text begins with a row; 128 bytes after it may be read. If there are quotes, each word
// of `doubled` gets a bit for each of 64 bytes that is the second of two quotes which stand for one.
using index_fields_function = void (*)(const char* text, std::size_t size, field_marks marks, std::uint16_t* ends,
                                       std::uint64_t* doubled, field_index& found) noexcept;

// Writes begin and end of every stride-th field of an index, as of tokens, into `edges`: of `count` fields, the first
// of which ends at ends[0]. What is in `edges` after them, up to 32 places, may be overwritten.
using copy_edges_function = void (*)(const std::uint16_t* ends, std::size_t stride, std::size_t count,
                                     std::uint16_t* edges) noexcept;

// Bit k: whether an odd number of the bits 0 to k is set.
constexpr std::uint64_t prefix_xor(std::uint64_t mask) noexcept {
  for (unsigned shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
  return mask;
}

#if defined(__x86_64__)
namespace carryless {
// prefix_xor() as a product without carries, which adds up a copy for each bit from its place on (G. Langdale and D.
// Lemire, 2019). Needs PCLMULQDQ and AVX.
HEADRACE_INLINE std::uint64_t prefix_xor(std::uint64_t mask) noexcept {
  using pair = unsigned long long __attribute__((vector_size(16)));
  pair product = {mask, 0};
  asm("vpclmulqdq $0, %1, %0, %0" : "+x"(product) : "x"(pair{~0ull, 0}));
  return product[0];
}
}  // namespace carryless
#endif

namespace scalar {

constexpr std::uint64_t make_pattern(char byte) noexcept { return every_byte(static_cast<unsigned char>(byte)); }

struct mark_patterns {
  std::uint64_t separator, newline, quote, carriage_return;
};

// Top bit of each byte that is not the pattern's, exactly (no carry to a neighbour); what the other bits are is
// nothing.
constexpr std::uint64_t find_different(std::uint64_t text, std::uint64_t pattern) noexcept {
  const std::uint64_t differs = text ^ pattern;
  return ((differs & every_byte(0x7f)) + every_byte(0x7f)) | differs;
}

// The top bits of eight bytes side by side.
constexpr std::uint64_t gather_top_bits(std::uint64_t bytes) noexcept {
  return ((bytes & every_byte(0x80)) >> 7) * 0x0102040810204080u >> 56;
}

// Quotes and carriage returns are rare: in most blocks it is enough to know that there are none.
HEADRACE_INLINE marks_of_block find_marks(const char* block, const mark_patterns& patterns) noexcept {
  std::uint64_t no_separators = 0, no_newlines = 0, no_rare = every_byte(0x80);
  for (unsigned at = 0; at < 64; at += 8) {
    const std::uint64_t text = load_eight(block + at);
    no_separators |= gather_top_bits(find_different(text, patterns.separator)) << at;
    no_newlines |= gather_top_bits(find_different(text, patterns.newline)) << at;
    no_rare &= find_different(text, patterns.quote) & find_different(text, patterns.carriage_return);
  }
  marks_of_block found = {~no_separators, ~no_newlines, 0, 0};
  if (no_rare == every_byte(0x80)) return found;
  for (unsigned at = 0; at < 64; at += 8) {
    const std::uint64_t text = load_eight(block + at);
    found.quotes |= (gather_top_bits(find_different(text, patterns.quote)) ^ 0xff) << at;
    found.returns |= (gather_top_bits(find_different(text, patterns.carriage_return)) ^ 0xff) << at;
  }
  return found;
}

// Sets a bit in `quotes` where there are quotes or carriage returns.
HEADRACE_INLINE marks_of_block find_plain_marks(const char* block, const mark_patterns& patterns) noexcept {
  marks_of_block found = find_marks(block, patterns);
  found.quotes |= found.returns;
  return found;
}

// Not every processor has an instruction for it.
constexpr std::size_t count_bits(std::uint64_t mask) noexcept {
  return static_cast<std::size_t>(running_counts(mask) >> 56);
}

// Four at a time, as a branch for each is guessed wrong too often: what is written after the last one is overwritten.
struct place_writer {
  HEADRACE_INLINE std::uint16_t* write(std::uint16_t* to, std::uint64_t mask, std::size_t at) const noexcept {
    std::uint16_t* const end = to + count_bits(mask);
    for (; mask != 0; to += 4) {
      for (unsigned i = 0; i < 4; ++i) {
        to[i] = static_cast<std::uint16_t>(at + static_cast<unsigned>(__builtin_ctzll(mask | std::uint64_t(1) << 63)));
        mask &= mask - 1;
      }
    }
    return end;
  }
};

#include "generic/index_fields.hpp"

inline void copy_edges(const std::uint16_t* ends, std::size_t stride, std::size_t count,
                       std::uint16_t* edges) noexcept {
  constexpr bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count; ++i, ends += stride, edges += 2) {
    std::uint32_t pair;  // where this field and the next one begin
    __builtin_memcpy(&pair, ends - 1, sizeof pair);
    pair -= is_little ? std::uint32_t(1) << 16 : 1;
    __builtin_memcpy(edges, &pair, sizeof pair);
  }
}

}  // namespace scalar

// A kernel's own functions; scalar unless they are given below.
template <class Kernel>
inline constexpr index_fields_function index_fields_of = scalar::index_fields;
template <class Kernel>
inline constexpr copy_edges_function copy_edges_of = scalar::copy_edges;

struct field_indexer {
  using type = index_fields_function;
  template <class Kernel>
  static constexpr type of = index_fields_of<Kernel>;
};
struct edge_copier {
  using type = copy_edges_function;
  template <class Kernel>
  static constexpr type of = copy_edges_of<Kernel>;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_SSE41_FEATURES)
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace sse41 {
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace sse41
template <>
inline constexpr index_fields_function index_fields_of<sse41::kernel> = sse41::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX2_FEATURES)
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {
using carryless::prefix_xor;  // for index_fields.hpp
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace avx2
template <>
inline constexpr index_fields_function index_fields_of<avx2::kernel> = avx2::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX512_FEATURES)
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx512 {
using byte_pattern = u8x64;
HEADRACE_INLINE byte_pattern make_pattern(char byte) noexcept {
  return all_bytes(every_byte(static_cast<unsigned char>(byte)));
}
HEADRACE_INLINE std::uint64_t mask_of_equal(const char* block, byte_pattern pattern) noexcept {
  return equal(load<u8x64>(block), pattern);
}
HEADRACE_INLINE bool has_either(const char* block, byte_pattern a, byte_pattern b) noexcept {
  const u8x64 text = load<u8x64>(block);
  bool none;
  asm("kortestq %1, %2" : "=@ccz"(none) : "k"(equal(text, a)), "k"(equal(text, b)));
  return !none;
}
HEADRACE_INLINE u16x32 permi2w(u32x16 index, u16x32 low, u16x32 high) noexcept {
  asm("vpermi2w %2, %1, %0" : "+v"(index) : "v"(low), "v"(high));
  return u16x32(index);
}
using carryless::prefix_xor;
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"

// Puts the ends of up to 16 fields side by side, from each 64 ends in two registers.
inline void copy_edges(const std::uint16_t* ends, std::size_t stride, std::size_t count,
                       std::uint16_t* edges) noexcept {
  if (stride > 20) return scalar::copy_edges(ends, stride, count, edges);  // no more than three fields at once
  const std::size_t fields = stride <= 4 ? 16 : 62 / stride + 1;
  const auto step = static_cast<std::uint32_t>(stride);
  const u32x16 first = u32x16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} * step;
  const u32x16 places = first | (first + 1) << 16;
  for (std::size_t done = 0; done < count; done += fields) {
    const std::uint16_t* const before = ends + done * stride - 1;
    const u32x16 pairs = u32x16(permi2w(places, load<u16x32>(before), load<u16x32>(before + 32)));
    store(edges + 2 * done, pairs - (std::uint32_t(1) << 16));
  }
}
}  // namespace avx512
template <>
inline constexpr index_fields_function index_fields_of<avx512::kernel> = avx512::index_fields;
template <>
inline constexpr copy_edges_function copy_edges_of<avx512::kernel> = avx512::copy_edges;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif

#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace neon {
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace neon
template <>
inline constexpr index_fields_function index_fields_of<neon::kernel> = neon::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif

#if HEADRACE_MODEL
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace model {
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace model
template <>
inline constexpr index_fields_function index_fields_of<model::kernel> = model::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif

#if defined(HEADRACE_TARGET_BEGIN)
#include "end_of_target.hpp"
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

HEADRACE_INLINE void index_fields(const char* text, std::size_t size, field_marks marks, std::uint16_t* ends,
                                  std::uint64_t* doubled, field_index& found) noexcept {
  part_of_kernel<field_indexer>()(text, size, marks, ends, doubled, found);
}

HEADRACE_INLINE void copy_edges(const std::uint16_t* ends, std::size_t stride, std::size_t count,
                                std::uint16_t* edges) noexcept {
  part_of_kernel<edge_copier>()(ends, stride, count, edges);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
