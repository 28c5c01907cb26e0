// headrace/detail/simd/generic/prefix_xor.hpp: text that an instruction set includes into its namespace: prefix_xor()
// as a product without carries, which adds up a copy for each bit from its place on (G. Langdale and D. Lemire, 2019).
// Needs PCLMULQDQ and AVX.
HEADRACE_INLINE std::uint64_t prefix_xor(std::uint64_t mask) noexcept {
  using pair = unsigned long long __attribute__((vector_size(16)));
  pair product = {mask, 0};
  asm("vpclmulqdq $0, %1, %0, %0" : "+x"(product) : "x"(pair{~0ull, 0}));
  return product[0];
}
