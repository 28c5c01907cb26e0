// headrace/detail/simd/generic/scan_bytes.hpp: text that an instruction set includes into its namespace: which bytes of
// a block of 64 are whitespace, newlines or equal to one that is known at run time only, and where the bits of a mask
// are. Needs vectors.hpp, all_bytes(), lookup(), mask_of_block(), mask_of_bytes() and widen_places().

// All bits of each byte that is whitespace: those that a table, looked up by their low four bits, gives back (after G.
// Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", 2019); bytes from 0x80 give 0.
struct whitespace {
  static HEADRACE_INLINE bytes in(bytes text) noexcept {
    return bytes(lookup(in_each_lane(0x0000000000000020, 0x00000d0c0b0a0900), text) == text);
  }
};
struct newlines {
  static HEADRACE_INLINE bytes in(bytes text) noexcept { return bytes(text == all_bytes(every_byte('\n'))); }
};

struct equal_bytes {
  static HEADRACE_INLINE bytes in(bytes text, bytes pattern) noexcept { return bytes(text == pattern); }
};

// One bit per byte: no whitespace.
HEADRACE_INLINE std::uint64_t mask_of_solid(const char* block) noexcept { return ~mask_of_block<whitespace>(block); }

HEADRACE_INLINE std::uint64_t mask_of_newlines(const char* block) noexcept { return mask_of_block<newlines>(block); }

using byte_pattern = bytes;
HEADRACE_INLINE byte_pattern make_pattern(char byte) noexcept {
  return all_bytes(every_byte(static_cast<unsigned char>(byte)));
}

HEADRACE_INLINE std::uint64_t mask_of_equal(const char* block, byte_pattern pattern) noexcept {
  return mask_of_block<equal_bytes>(block, pattern);
}

HEADRACE_INLINE bool has_either(const char* block, byte_pattern a, byte_pattern b) noexcept {
  bytes found{};
  for (unsigned at = 0; at < 64; at += vector_size) {
    const bytes text = load(block + at);
    found |= bytes(text == a) | bytes(text == b);
  }
  return mask_of_bytes(found) != 0;
}

// Writes places of bits as 16-bit offsets, eight at a time: what is past the last one is overwritten later.
struct place_writer {
  static constexpr bool skips_nothing = false;
  const bit_places& table = bit_places::get();

  // The places in byte k of a mask.
  HEADRACE_INLINE void write_byte(unsigned k, std::uint64_t mask, std::uint64_t counts, words_of_16 offset,
                                  std::uint16_t* to) const noexcept {
    const words_of_16 places =
        widen_places(table.of[mask >> (8 * k) & 0xff]) + offset + static_cast<std::uint16_t>(8 * k);
    if (k != 0) to += counts >> (8 * k - 8) & 0xff;
    __builtin_memcpy(to, &places, 16);
  }

  // Writes at + the places of the bits in a mask; returns past the last one. The eight stores do not wait for each
  // other.
  HEADRACE_INLINE std::uint16_t* write(std::uint16_t* to, std::uint64_t mask, std::size_t at) const noexcept {
    const std::uint64_t counts = running_counts(mask);
    words_of_16 offset = words_of_16{} + static_cast<std::uint16_t>(at);
    asm("" : "+m"(offset));  // or GCC makes a vector of at + 8 * k for each byte
    write_byte(0, mask, counts, offset, to);
    write_byte(1, mask, counts, offset, to);
    write_byte(2, mask, counts, offset, to);
    write_byte(3, mask, counts, offset, to);
    write_byte(4, mask, counts, offset, to);
    write_byte(5, mask, counts, offset, to);
    write_byte(6, mask, counts, offset, to);
    write_byte(7, mask, counts, offset, to);
    return to + (counts >> 56);
  }
};
