// headrace/detail/simd/generic/index.hpp: text that an instruction set includes into its namespace: stage 1, in blocks
// of 64 bytes; scalar.hpp has the contracts. Needs mask_of_solid(), mask_of_newlines() and place_writer.

inline std::size_t index_tokens(const char* text, std::size_t size, std::uint16_t* edges) noexcept {
  const place_writer places;
  std::uint16_t* next = edges;
  std::uint64_t carry = 0;  // 1 when the byte before this block belongs to a token
  for (std::size_t at = 0; at < size; at += 64) {
    const std::uint64_t solid = mask_of_solid(text + at);
    std::uint64_t found = solid ^ (solid << 1 | carry);
    carry = solid >> 63;
    if (unlikely(size - at < 64)) found &= (std::uint64_t(1) << (size - at)) - 1;
    next = places.write(next, found, at);
  }
  return static_cast<std::size_t>(next - edges);
}

inline std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* found) noexcept {
  const place_writer places;
  std::uint16_t* next = found;
  for (std::size_t at = 0; at < size; at += 64) {
    std::uint64_t newlines = mask_of_newlines(text + at);
    if (unlikely(size - at < 64)) newlines &= (std::uint64_t(1) << (size - at)) - 1;
    if (place_writer::skips_nothing || newlines != 0) next = places.write(next, newlines, at);
  }
  return static_cast<std::size_t>(next - found);
}
