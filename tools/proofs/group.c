// CBMC: for every group of four tokens of 1 to 9 bytes, whatever these and the bytes before them are, and for types
// with and without a sign: convert_group() takes a group only where each token is one to eight digits, or a minus and
// up to seven digits of a type that has signs; and load_digits() has their digits, right-aligned, and their minus.
// That these give the value: values.c.

static bool is_short(const char* first, const char* last, bool is_signed) {
  if (last - first > 8) return false;
  if (first != last && *first == '-' && is_signed) ++first;
  if (first == last) return false;
  for (; first != last; ++first) {
    if ((unsigned)(*first - '0') > 9) return false;
  }
  return true;
}

void prove(void) {
  char text[4 * 16];
  uint16_t edges[8];
  dwords lengths;
  for (unsigned i = 0; i < 4; ++i) {
    uint16_t length;
    __CPROVER_assume(length >= 1 && length <= 9);
    edges[2 * i + 1] = (uint16_t)(16 * i + 16);
    edges[2 * i] = (uint16_t)(16 * i + 16 - length);
    lengths[i] = length;
  }
  bool is_signed;
  const integer_range range = {is_signed ? INT32_MAX : UINT32_MAX, is_signed ? (uint64_t)INT32_MAX + 1 : 0};
  char out[4 * WIDTH];
  bool good = true;
  for (unsigned i = 0; i < 4; ++i) good = good && is_short(text + edges[2 * i], text + edges[2 * i + 1], is_signed);
  const bool taken = convert_group(text, edges, out, range);
  __CPROVER_assert(taken == good, "convert_group() takes exactly the groups of short tokens");
  if (!good) return;

  const digit_block blocks[2] = {load_digits(text, edges, lengths, 0, every_byte(4)),
                                 load_digits(text, edges + 4, lengths, every_byte(8), every_byte(12))};
  for (unsigned i = 0; i < 4; ++i) {
    const bytes digits = max_signed(blocks[i / 2].digits, (bytes){0});
    const bytes no_minus = find_unsigned(blocks[i / 2].digits);
    const bool minus = text[edges[2 * i]] == '-';
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned at = 16 * i + 8 + k, place = 8 * (i % 2) + k;
      const bool is_digit_here = at >= edges[2 * i] + minus;
      __CPROVER_assert(digits[place] == (is_digit_here ? text[at] - '0' : 0), "the digits, zeros before them");
      __CPROVER_assert(no_minus[place] == (minus ? 0 : 0xff), "whether there is a minus");
    }
  }
}
