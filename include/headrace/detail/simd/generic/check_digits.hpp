// headrace/detail/simd/generic/check_digits.hpp: text that an instruction set includes into its namespace, where masks
// of bytes are cheap: the vector units are the busy ones. Needs vectors.hpp and mask_of_bytes().

inline constexpr bool masks_have_places = true;

// Where a minus may be in a token, a bit per byte: not last, and nowhere of a type without a sign.
HEADRACE_INLINE std::uint32_t places_of_signs(integer_range range) noexcept {
  return range.max_negative != 0 ? 0x7f7f7f7f : 0;
}

// The bytes of a block that are neither digits nor, first in their token, a minus that digits follow.
HEADRACE_INLINE std::uint32_t find_wrong(const digit_block& block, std::uint32_t signs) noexcept {
  const std::uint32_t wrong = mask_of_bytes(block.digits | (block.digits + all_bytes(every_byte(0x76))));
  const std::uint32_t minus = mask_of_bytes(bytes(block.digits == all_bytes(every_byte('-' - '0' + 256))));
  const std::uint32_t follows = (mask_of_bytes(block.keep) << 1) & 0xfefefefe;
  return wrong & ~(minus & ~follows & signs);
}
