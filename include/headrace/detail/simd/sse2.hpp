// headrace/detail/simd/sse2.hpp: sixteen bytes at once, by instructions that every x86-64 processor has. Not for users.
//
// Builtins, so that the compiler spells the instructions as it does those around them: a program that is compiled for
// AVX is not to mix both spellings. Those here are the same in GCC and clang.
#pragma once

#include <cstdint>
#include <cstring>

#include "../../config.hpp"

#if defined(__x86_64__)
HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
struct sse2 {
  using bytes = unsigned char __attribute__((vector_size(16)));
  using signed_bytes = signed char __attribute__((vector_size(16)));
  using words = std::uint16_t __attribute__((vector_size(16)));
  using qwords = std::uint64_t __attribute__((vector_size(16)));

  // In memory: the compiler would make constants of immediate values, and products of additions, number by number.
  struct alignas(16) constant {
    std::uint64_t both[2];
  };

  static HEADRACE_INLINE bytes load(const void* from) noexcept {
    bytes result;
    __builtin_memcpy(&result, from, 16);
    return result;
  }
  static HEADRACE_INLINE qwords all(const constant& of) noexcept {
    qwords result;
    __builtin_memcpy(&result, __builtin_assume_aligned(of.both, 16), 16);
    return result;
  }
  // The top bit of each byte, the first one lowest.
  static HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
    return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128(char_vector(top_bits)));
  }
  // Each byte to the place after its own; a zero comes first.
  static HEADRACE_INLINE bytes shift_by_one(bytes a) noexcept {
#if defined(__clang__)
    return __builtin_shufflevector(bytes{}, a, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
#else
    return bytes(__builtin_ia32_pslldqi128(long_vector(a), 8));
#endif
  }
  // The dwords of each qword change places.
  static HEADRACE_INLINE qwords swap_halves(qwords a) noexcept {
    return qwords(__builtin_ia32_pshufd(int_vector(a), 0xb1));
  }
  // The lower 32 bits of each qword.
  static HEADRACE_INLINE qwords multiply(qwords a, const constant& b) noexcept {
    return qwords(__builtin_ia32_pmuludq128(int_vector(a), int_vector(all(b))));
  }
  // Products of 16 x 16 bits: their lower and their upper halves.
  static HEADRACE_INLINE qwords lower_half(qwords a, const constant& b) noexcept {
    return qwords(words(a) * words(all(b)));
  }
  static HEADRACE_INLINE qwords upper_half(qwords a, const constant& b) noexcept {
    return qwords(__builtin_ia32_pmulhuw128(short_vector(a), short_vector(all(b))));
  }
  // Products of signed words; the sum of each two.
  static HEADRACE_INLINE qwords add_products(qwords a, const constant& b) noexcept {
    return qwords(__builtin_ia32_pmaddwd128(short_vector(a), short_vector(all(b))));
  }
  // The signed dwords as words, which hold them, twice.
  static HEADRACE_INLINE qwords pack_signed(qwords a) noexcept {
    return qwords(__builtin_ia32_packssdw128(int_vector(a), int_vector(a)));
  }

  // Constants of which the compiler no longer knows the values: it would load each from a place of its own.
  template <class Constants>
  static HEADRACE_INLINE const Constants& hide(const Constants& constants) noexcept {
    const Constants* hidden = &constants;
    asm("" : "+r"(hidden));
    return *hidden;
  }

 private:
  using char_vector = char __attribute__((vector_size(16)));
  using short_vector = short __attribute__((vector_size(16)));
  using int_vector = int __attribute__((vector_size(16)));
  using long_vector = long long __attribute__((vector_size(16)));
};
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
#endif
