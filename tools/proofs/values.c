// Run: all 10^8 texts of eight digits, and all 10^7 of a minus and seven, each in each place of a group:
// convert_group(), parse_eight_digits() and parse_any_integer() give the same value. SAT solvers do not get to the end
// of these products; a processor does.
#include <stdio.h>

static char text[8 + 4 * 16];

// The next number; the last one is followed by the first.
static void advance(char* last, unsigned digits) {
  for (; digits > 0; --digits, --last) {
    if (++*last <= '9') return;
    *last = '0';
  }
}

static bool same(const uint16_t* edges, integer_range range) {
  char out[4 * WIDTH];
  if (!convert_group(text + 8, edges, out, range)) return false;
  for (unsigned i = 0; i < 4; ++i) {
    const char *const first = text + 8 + edges[2 * i], *const last = text + 8 + edges[2 * i + 1];
    uint64_t value, quick;
    uint32_t magnitude;
    bool negative;
    if (parse_any_integer(first, last, range, &value) != errc_none) return false;
    if (!parse_eight_digits(first, last, &magnitude, &negative) || !apply_sign(magnitude, negative, range, &quick) ||
        quick != value) {
      return false;
    }
    char expected[WIDTH];
    store_value(expected, value);
    if (memcmp(out + WIDTH * i, expected, WIDTH) != 0) return false;
  }
  return true;
}

int main(void) {
  const uint64_t max = WIDTH == 8 ? INT64_MAX : INT32_MAX;
  const integer_range range = {max, max + 1};
  uint16_t edges[8];
  for (unsigned minus = 0; minus < 2; ++minus) {
    for (unsigned i = 0; i < 4; ++i) {
      edges[2 * i] = (uint16_t)(16 * i + 8);
      edges[2 * i + 1] = (uint16_t)(16 * i + 16);
      memset(text + 8 + 16 * i, '#', 8);
      memset(text + 16 + 16 * i, '0', 8);
      if (minus) text[16 + 16 * i] = '-';
      text[8 + 16 * i + 15] = (char)('0' + 2 * i);  // the four tokens differ
    }
    for (unsigned long rounds = minus ? 10000000 : 100000000; rounds > 0; --rounds) {
      if (!same(edges, range)) {
        printf("differs: %.64s\n", text + 8);
        return 1;
      }
      for (unsigned i = 0; i < 4; ++i) advance(text + 8 + 16 * i + 15, 8 - minus);
    }
  }
  return 0;
}
