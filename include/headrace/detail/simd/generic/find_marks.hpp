// headrace/detail/simd/generic/find_marks.hpp: text that an instruction set includes into its namespace, before
// index_fields.hpp: the bytes of a block of 64 that mean something in delimited text. Needs mask_of_equal(),
// has_either(), byte_pattern and an instruction that counts bits.

struct mark_patterns {
  byte_pattern separator, newline, quote, carriage_return;
};

HEADRACE_INLINE marks_of_block find_marks(const char* block, const mark_patterns& patterns) noexcept {
  return {mask_of_equal(block, patterns.separator), mask_of_equal(block, patterns.newline),
          mask_of_equal(block, patterns.quote), mask_of_equal(block, patterns.carriage_return)};
}

// Finds separators and newlines, and sets a bit in `quotes` where there are quotes or carriage returns at all.
HEADRACE_INLINE marks_of_block find_plain_marks(const char* block, const mark_patterns& patterns) noexcept {
  const bool has_others = has_either(block, patterns.quote, patterns.carriage_return);
  return {mask_of_equal(block, patterns.separator), mask_of_equal(block, patterns.newline), has_others, 0};
}

HEADRACE_INLINE std::size_t count_bits(std::uint64_t mask) noexcept {
  return static_cast<std::size_t>(__builtin_popcountll(mask));
}
