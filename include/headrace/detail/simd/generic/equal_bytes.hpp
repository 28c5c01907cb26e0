// headrace/detail/simd/generic/equal_bytes.hpp: text that an instruction set includes into its namespace: which bytes
// of a block of 64 are equal to one that is known at run time only. Needs vectors.hpp, all_bytes() and mask_of_bytes().

using byte_pattern = bytes;
HEADRACE_INLINE byte_pattern make_pattern(char byte) noexcept {
  return all_bytes(every_byte(static_cast<unsigned char>(byte)));
}

HEADRACE_INLINE bool has_either(const char* block, byte_pattern a, byte_pattern b) noexcept {
  bytes found{};
  for (unsigned at = 0; at < 64; at += vector_size) {
    const bytes text = load(block + at);
    found |= bytes(text == a) | bytes(text == b);
  }
  return mask_of_bytes(found) != 0;
}

HEADRACE_INLINE std::uint64_t mask_of_equal(const char* block, byte_pattern pattern) noexcept {
  std::uint64_t mask = 0;
  for (unsigned at = 0; at < 64; at += vector_size) {
    mask |= static_cast<std::uint64_t>(mask_of_bytes(bytes(load(block + at) == pattern))) << at;
  }
  return mask;
}
