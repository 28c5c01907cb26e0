// headrace/detail/simd/generic/scan_bytes.hpp: text that an instruction set includes into its namespace: which bytes of
// a block of 64 are whitespace or newlines, and where the bits of a mask are.
// Needs vectors.hpp, lookup(), mask_of_block() and widen_places().

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

// One bit per byte: no whitespace.
HEADRACE_INLINE std::uint64_t mask_of_solid(const char* block) noexcept { return ~mask_of_block<whitespace>(block); }

HEADRACE_INLINE std::uint64_t mask_of_newlines(const char* block) noexcept { return mask_of_block<newlines>(block); }

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
    const words_of_16 offset = words_of_16{} + static_cast<std::uint16_t>(at);
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
