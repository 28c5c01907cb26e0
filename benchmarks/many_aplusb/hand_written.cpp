// The best that people write by hand: the input mapped, eight digits at once, four of a sum at once.
#include "by_hand.hpp"

static const char* at;
static char out[20 << 20];

static std::int64_t next_number() {
  while (*at < '0') ++at;
  std::int64_t value = 0;
  for (std::uint64_t eight; next_eight(at, eight); at += 8)
    value = value * 100000000 + static_cast<std::int64_t>(eight);
  for (; *at >= '0'; ++at) value = value * 10 + (*at - '0');
  return value;
}

static char* write_number(char* to, std::uint64_t value) {
  char digits[40];
  char* first = digits + 20;
  do std::memcpy(first -= 4, fours + 4 * (value % 10000), 4);
  while ((value /= 10000) > 0);
  while (first < digits + 19 && *first == '0') ++first;
  std::memcpy(to, first, 20);
  return to + (digits + 20 - first);
}

int main() {
  make_fours();
  at = whole_input();
  char* to = out;
  for (std::int64_t pairs = next_number(); pairs > 0; --pairs) {
    const std::int64_t a = next_number();
    to = write_number(to, static_cast<std::uint64_t>(a + next_number()));
    *to++ = '\n';
  }
  const auto size = static_cast<std::size_t>(to - out);
  return std::fwrite(out, 1, size, stdout) == size ? 0 : 1;
}
