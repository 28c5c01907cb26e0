// The best that people write by hand: the input mapped, eight digits at once, four of a sum at once.
#include "../many_aplusb/by_hand.hpp"

static const char* at;
static char out[20 << 20];

static __int128 next_number() {
  while (*at <= ' ') ++at;
  const bool negative = *at == '-';
  at += negative;
  unsigned __int128 value = 0;
  for (std::uint64_t eight; next_eight(at, eight); at += 8) value = value * 100000000 + eight;
  for (; *at >= '0'; ++at) value = value * 10 + static_cast<unsigned>(*at - '0');
  return static_cast<__int128>(negative ? -value : value);
}

static char* write_number(char* to, __int128 value) {
  *to = '-';
  to += value < 0;
  auto left = value < 0 ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  char digits[48];
  for (char* part = digits + 32; part >= digits; part -= 16, left /= 10000000000000000) {
    auto sixteen = static_cast<std::uint64_t>(left % 10000000000000000);
    for (int i = 12; i >= 0; i -= 4, sixteen /= 10000) std::memcpy(part + i, fours + 4 * (sixteen % 10000), 4);
  }
  const char* first = digits;
  while (first < digits + 47 && *first == '0') ++first;
  std::memcpy(to, first, static_cast<std::size_t>(digits + 48 - first));
  return to + (digits + 48 - first);
}

int main() {
  make_fours();
  at = whole_input();
  char* to = out;
  for (__int128 pairs = next_number(); pairs > 0; --pairs) {
    const __int128 a = next_number();
    to = write_number(to, a + next_number());
    *to++ = '\n';
  }
  const auto size = static_cast<std::size_t>(to - out);
  return std::fwrite(out, 1, size, stdout) == size ? 0 : 1;
}
