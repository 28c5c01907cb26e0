// headrace/detail/simd/sse2.hpp: sixteen bytes at once, by instructions that every x86-64 processor has. Not for users.
//
// Inline assembly that takes its constants from memory: builtins let the compiler load them early, which takes a
// register or two, and 2 to 5 % of the time to write a double. Instructions are spelt without VEX, as everywhere
// between HEADRACE_BASELINE_BEGIN and HEADRACE_BASELINE_END.
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
    std::uint32_t mask;
    asm("pmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
    return mask;
  }
  // Each byte to the place after its own; a zero comes first.
  static HEADRACE_INLINE bytes shift_by_one(bytes a) noexcept {
    asm("pslldq $1, %0" : "+x"(a));
    return a;
  }
  // The dwords of each qword change places.
  static HEADRACE_INLINE qwords swap_halves(qwords a) noexcept {
    return qwords(__builtin_ia32_pshufd(int_vector(a), 0xb1));
  }
  // The lower 32 bits of each qword.
  static HEADRACE_INLINE qwords multiply(qwords a, const constant& b) noexcept {
    asm("pmuludq %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  // Products of 16 x 16 bits: their lower and their upper halves.
  static HEADRACE_INLINE qwords lower_half(qwords a, const constant& b) noexcept {
    asm("pmullw %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  static HEADRACE_INLINE qwords upper_half(qwords a, const constant& b) noexcept {
    asm("pmulhuw %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  // Products of signed words; the sum of each two.
  static HEADRACE_INLINE qwords add_products(qwords a, const constant& b) noexcept {
    asm("pmaddwd %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  // The signed dwords as words, which hold them, twice.
  static HEADRACE_INLINE qwords pack_signed(qwords a) noexcept {
    return qwords(__builtin_ia32_packssdw128(int_vector(a), int_vector(a)));
  }

 private:
  using int_vector = int __attribute__((vector_size(16)));
};
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
#endif
