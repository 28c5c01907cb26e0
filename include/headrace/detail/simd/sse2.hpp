// headrace/detail/simd/sse2.hpp: sixteen bytes at once, by instructions that every x86-64 processor has. Not for users.
//
// Why inline assembly: see sse41.hpp; why two spellings: a program that is compiled for AVX is not to mix both.
#pragma once

#include <cstdint>
#include <cstring>

#include "../../config.hpp"

#if defined(__x86_64__)
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
    std::memcpy(&result, from, 16);
    return result;
  }
  static HEADRACE_INLINE qwords all(const constant& of) noexcept {
    qwords result;
    std::memcpy(&result, of.both, 16);
    return result;
  }
  // The top bit of each byte, the first one lowest.
  static HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
    std::uint32_t mask;
#if defined(__AVX__)
    asm("vpmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
#else
    asm("pmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
#endif
    return mask;
  }
  // Each byte to the place after its own; a zero comes first.
  static HEADRACE_INLINE bytes shift_by_one(bytes a) noexcept {
#if defined(__AVX__)
    asm("vpslldq $1, %0, %0" : "+x"(a));
#else
    asm("pslldq $1, %0" : "+x"(a));
#endif
    return a;
  }
  // Of products of 16 x 16 bits.
  static HEADRACE_INLINE qwords lower_half(qwords a, const constant& b) noexcept {
#if defined(__AVX__)
    qwords result;
    asm("vpmullw %2, %1, %0" : "=x"(result) : "x"(a), "m"(b));
    return result;
#else
    asm("pmullw %1, %0" : "+x"(a) : "m"(b));
    return a;
#endif
  }
};
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif
