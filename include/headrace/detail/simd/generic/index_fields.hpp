// headrace/detail/simd/generic/index_fields.hpp: text that an instruction set includes into its namespace: where the
// fields of delimited text end, in blocks of 64 bytes; ../index_fields.hpp has the contract. Needs find_marks(),
// find_plain_marks(), mark_patterns, make_pattern(), count_bits(), prefix_xor() and place_writer.
//
//     text      12,"a,b",0.5\n
//     quotes    000100010000 0
//     inside    000111100000 0       quote parity: the xor of all bits before, after G. Langdale and D. Lemire,
//     ends      001000001000 1       "Parsing Gigabytes of JSON per Second", 2019

// State that one block hands to the next.
struct quote_state {
  std::uint64_t inside = 0;    // all bits: inside quotes
  std::uint64_t closed = 0;    // it was a closing quote
  std::uint64_t pending = 0;   // inside or closed
  std::uint64_t returned = 0;  // it was a carriage return outside quotes
};

// Results that both loops below carry from block to block.
struct field_ends {
  std::uint16_t* next;
  std::size_t newlines = 0;
  std::uint64_t ended = 1;  // the byte before was a separator or a newline, or there was none
  std::uint64_t any_empty = 0;

  HEADRACE_INLINE void add(const place_writer& places, std::uint64_t fields, std::uint64_t lines,
                           std::size_t at) noexcept {
    any_empty |= (fields << 1 | ended) & fields;
    ended = fields >> 63;
    newlines += count_bits(lines);
    next = places.write(next, fields, at + 1);
  }
};

// The whole blocks before the first one that has a quote or a carriage return; returns where that begins. A loop of its
// own, so that what a block hands to the next stays in registers.
__attribute__((noinline)) inline std::size_t index_plain_fields(const char* text, std::size_t size,
                                                                const mark_patterns& patterns, std::uint64_t has_quotes,
                                                                field_ends& ends) noexcept {
  const place_writer places;
  mark_patterns kept = patterns;
  if (has_quotes == 0) kept.quote = kept.carriage_return;
  field_ends all = ends;
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    const marks_of_block seen = find_plain_marks(text + at, kept);
    if (unlikely(seen.quotes != 0)) break;
    all.add(places, seen.separators | seen.newlines, seen.newlines, at);
  }
  ends = all;
  return at;
}

inline void index_fields(const char* text, std::size_t size, field_marks marks, std::uint16_t* ends,
                         std::uint64_t* doubled, field_index& found) noexcept {
  const place_writer places;
  const mark_patterns patterns = {make_pattern(marks.separator), make_pattern('\n'), make_pattern(marks.quote),
                                  make_pattern('\r')};
  const std::uint64_t has_quotes = marks.quote != '\0' ? ~std::uint64_t(0) : 0;
  quote_state state;
  field_ends all{ends};
  std::size_t sound = size;
  bool quoted = false, returned = false;
  for (std::size_t at = index_plain_fields(text, size, patterns, has_quotes, all); at < size; at += 64) {
    const marks_of_block seen = find_marks(text + at, patterns);
    std::uint64_t lines = seen.newlines, fields = seen.separators | seen.newlines, returns = seen.returns;
    std::uint64_t quotes = seen.quotes & has_quotes, keep = ~std::uint64_t(0);
    if (unlikely(size - at < 64)) {
      keep = (std::uint64_t(1) << (size - at)) - 1;
      lines &= keep;
      fields &= keep;
      returns &= keep;
      quotes &= keep;
    }
    std::uint64_t stray = 0, second = 0;  // of two quotes in a row
    if ((quotes | state.pending) != 0) {
      const std::uint64_t inside = prefix_xor(quotes) ^ state.inside;  // from an opening quote to before a closing one
      state.inside = 0 - (inside >> 63);
      fields &= ~inside;
      lines &= ~inside;
      returns &= ~inside;
      const std::uint64_t opens = quotes & inside;  // two in a row close and open: a doubled quote
      const std::uint64_t closes = quotes & ~inside;
      second = opens & (closes << 1 | state.closed);
      stray = opens & ~((fields | closes) << 1 | all.ended | state.closed);
      stray |= (closes << 1 | state.closed) & ~(fields | opens | returns) & keep;
      state.closed = closes >> 63;
      state.pending = state.inside | state.closed;
      if (!quoted) __builtin_memset(doubled, 0, at / 8);
      quoted = true;
    }
    doubled[at / 64] = second;
    if ((returns | state.returned) != 0) {
      stray |= (returns << 1 | state.returned) & ~lines & keep;
      state.returned = returns >> 63;
      returned = true;
    }
    if (unlikely(stray != 0) && sound == size) sound = at;
    all.add(places, fields, lines, at);
  }
  found = {static_cast<std::size_t>(all.next - ends), all.newlines, sound, quoted, returned, all.any_empty != 0};
}
