// Digits into an integer, then one division by a power of ten: fast, and wrong in the last place of long numbers.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static constexpr size_t size = 1 << 20;
static constexpr size_t longest = 64;  // room kept ahead: a number with the whitespace around it
static char buffer[size + 1];
static char* at = buffer;
static char* end = buffer;
static bool more = true;

// Moves what is left to the front and fills the rest. A '\0' comes after the last byte and ends every number.
static void refill() {
  const size_t left = static_cast<size_t>(end - at);
  memmove(buffer, at, left);
  at = buffer;
  end = buffer + left;
  while (more && static_cast<size_t>(end - at) < longest) {
    const ssize_t got = read(0, end, static_cast<size_t>(buffer + size - end));
    more = got > 0;
    if (more) end += got;
  }
  *end = '\0';
}

// 0.0001 and 17 digits after it are the most places that the shortest text of a double has without an exponent.
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

int main() {
  double sum = 0;
  for (;;) {
    if (static_cast<size_t>(end - at) < longest && more) refill();
    while (*at == ' ' || *at == '\n') ++at;
    if (at == end) break;
    const bool negative = *at == '-';
    at += negative;
    long long digits = 0;
    int places = 0;
    for (; *at >= '0'; ++at) digits = digits * 10 + (*at - '0');
    if (*at == '.') {
      const char* const point = at++;
      for (; *at >= '0' && *at <= '9'; ++at) digits = digits * 10 + (*at - '0');
      places = static_cast<int>(at - point - 1);
    }
    double x = static_cast<double>(digits) / powers[places];
    if (*at == 'e') {
      const bool small = *++at == '-';
      at += small || *at == '+';
      int exponent = 0;
      for (; *at >= '0'; ++at) exponent = exponent * 10 + (*at - '0');
      for (; exponent > 0; --exponent) x = small ? x / 10 : x * 10;
    }
    sum += negative ? -x : x;
  }
  printf("%.17g\n", sum);
}
