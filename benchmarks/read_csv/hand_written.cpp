// A loop as one writes it for one file: nothing is checked, fields are where they are expected.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <charconv>

static constexpr long size = 1 << 20, longest = 1024;  // room kept ahead: a row
static char buffer[size + 1];
static char *at = buffer, *end = buffer;

// Moves what is left to the front and fills the rest. A '\0' comes after the last byte and ends every number.
static void refill() {
  memmove(buffer, at, static_cast<size_t>(end - at));
  end -= at - buffer;
  at = buffer;
  while (end - at < longest) {
    const ssize_t got = read(0, end, static_cast<size_t>(buffer + size - end));
    if (got <= 0) break;
    end += got;
  }
  *end = '\0';
}

// A field, and what ends it.
static long long take_int() {
  const bool negative = *at == '-' && ++at;
  long long value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + (*at - '0');
  ++at;
  return negative ? -value : value;
}

static double take_double() {
  double value = 0;
  at += std::from_chars(at, end, value).ptr - at + 1;
  return value;
}

static void skip_text() {
  if (*at == '"') {
    for (++at; *at != '"' || at[1] == '"'; ++at) at += *at == '"';
    ++at;
  }
  while (*at++ != ',') {}
}

int main() {
  long long whole = 0;
  double prices = 0;
  for (;;) {
    if (end - at < longest) refill();
    if (at == end) break;
    whole += take_int();
    skip_text();
    prices += take_double();
    whole += take_int() + take_int();
  }
  printf("%.17g\n", static_cast<double>(whole) + prices);
}
