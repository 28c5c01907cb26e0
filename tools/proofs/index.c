// CBMC: for every window of BOUND bytes, whatever is after it: the edges of index_tokens() and the places of
// index_newlines() are what a loop over the bytes finds. The masks of a block are, for every 64 bytes.

static void fill_table(void) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (byte >> bit & 1) table.of[byte][count++] = (unsigned char)bit;
    }
  }
}

static void prove_masks(void) {
  char block[64];
  const uint64_t solid = mask_of_solid(block), newlines = mask_of_newlines(block);
  for (unsigned i = 0; i < 64; ++i) {
    __CPROVER_assert((solid >> i & 1) == !is_whitespace(block[i]), "mask_of_solid() is every byte but whitespace");
    __CPROVER_assert((newlines >> i & 1) == (block[i] == '\n'), "mask_of_newlines() is every newline");
  }
}

void prove(void) {
  prove_masks();
  fill_table();
  char text[(BOUND + 63) / 64 * 64];
  const size_t size = BOUND;
  uint16_t found[BOUND + 80], expected[BOUND + 1];

  size_t count = 0;
  bool in_token = false;
  for (size_t i = 0; i < size; ++i) {
    if (is_whitespace(text[i]) == in_token) {
      expected[count++] = (uint16_t)i;
      in_token = !in_token;
    }
  }
  const size_t edges = index_tokens(text, size, found);
  __CPROVER_assert(edges == count, "index_tokens() finds as many edges");
  for (size_t i = 0; i < count; ++i) __CPROVER_assert(found[i] == expected[i], "and the same ones");

  count = 0;
  for (size_t i = 0; i < size; ++i) {
    if (text[i] == '\n') expected[count++] = (uint16_t)i;
  }
  const size_t newlines = index_newlines(text, size, found);
  __CPROVER_assert(newlines == count, "index_newlines() finds as many newlines");
  for (size_t i = 0; i < count; ++i) __CPROVER_assert(found[i] == expected[i], "and the same ones");
}
