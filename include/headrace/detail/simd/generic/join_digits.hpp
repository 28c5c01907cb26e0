// headrace/detail/simd/generic/join_digits.hpp: text that an instruction set includes into its namespace.
// Needs vectors.hpp, add_pairs() and add_pairs_of_words().

// Pairs, then fours: four digits in each dword.
HEADRACE_INLINE bytes join_fours(bytes digits) noexcept {
  return add_pairs_of_words(add_pairs(digits, all_bytes(0x010a010a010a010a)), all_bytes(0x0001006400010064));
}
