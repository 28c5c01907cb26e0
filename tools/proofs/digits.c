// CBMC: for every 8 bytes and every length, not_digits() and last_digits() are what a loop over the bytes is, and
// parse_eight_digits() takes what it should. That join_eight_digits() gives the number: values.c.

static bool are_digits(const char* first, const char* last) {
  for (; first != last; ++first) {
    if ((unsigned)(*first - '0') > 9) return false;
  }
  return true;
}

void prove(void) {
  char text[8];
  size_t count;
  __CPROVER_assume(count >= 1 && count <= 8);
  const bool good = are_digits(text + 8 - count, text + 8);
  const uint64_t digits = last_digits(text, count);
  __CPROVER_assert((not_digits(digits) == 0) == good, "not_digits() is 0 for digits and for nothing else");
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned digit = i < 8 - count ? 0 : (unsigned)(text[i] - '0');
    __CPROVER_assert(!good || (digits >> (8 * i) & 0xff) == digit, "last_digits() gives these digits, zeros first");
  }

  // What append_digits() relies on.
  const uint64_t wrong = not_digits(load_eight(text) ^ every_byte('0'));
  unsigned first = 0;
  while (first < 8 && (unsigned)(text[first] - '0') <= 9) ++first;
  __CPROVER_assert((wrong == 0) == (first == 8), "no top bit means eight digits");
  for (unsigned i = 0; i < 8; ++i) {
    if (i <= first) __CPROVER_assert((wrong >> (8 * i + 7) & 1) == (i == first), "the lowest one is the first byte");
  }

  char token[9];
  size_t length;
  __CPROVER_assume(length >= 1 && length <= 9);
  const char *const begin = token + 9 - length, *const end = token + 9;
  const bool minus = *begin == '-';
  uint32_t magnitude;
  bool negative;
  const bool taken = parse_eight_digits(begin, end, &magnitude, &negative);
  const bool is_short = length - minus >= 1 && length - minus <= 8 && are_digits(begin + minus, end);
  __CPROVER_assert(taken == is_short, "parse_eight_digits() takes up to eight digits, with or without a minus");
  __CPROVER_assert(negative == minus, "and says whether there is one");
}
