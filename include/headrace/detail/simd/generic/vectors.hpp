// headrace/detail/simd/generic/vectors.hpp: text that each instruction set includes into its namespace, after
// `vector_size` (16 or 32 bytes): the vectors that all algorithms share. Each of their 128-bit lanes holds two tokens.

using bytes = unsigned char __attribute__((vector_size(vector_size)));
using signed_bytes = signed char __attribute__((vector_size(vector_size)));
using dwords = std::int32_t __attribute__((vector_size(vector_size)));
using qwords = std::uint64_t __attribute__((vector_size(vector_size)));
using words_of_16 = std::uint16_t __attribute__((vector_size(16)));

HEADRACE_INLINE bytes load(const void* from) noexcept {
  bytes loaded;
  __builtin_memcpy(&loaded, from, vector_size);
  return loaded;
}

// The last eight bytes of two tokens per lane as digits, right-aligned in a qword, the rest zero; `keep` has all bits
// of the bytes that belong to a token.
struct digit_block {
  bytes digits;
  bytes keep;
};
