// The same loop with what a careful programmer adds: each field has to be a number that fits, and to end where it
// should.
#include <stdio.h>
#include <stdlib.h>
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

static void expect(bool condition) {
  if (condition) return;
  fputs("a field is not as it should be\n", stderr);
  exit(1);
}

// A field, and what ends it.
static long long take_int(char after) {
  long long value;
  const std::from_chars_result got = std::from_chars(at, end, value);
  expect(got.ec == std::errc{} && got.ptr != end && *got.ptr == after);
  at += got.ptr - at + 1;
  return value;
}

static double take_double(char after) {
  double value;
  const std::from_chars_result got = std::from_chars(at, end, value);
  expect(got.ec == std::errc{} && got.ptr != end && *got.ptr == after);
  at += got.ptr - at + 1;
  return value;
}

static void skip_text() {
  if (*at == '"') {
    for (++at; at != end && (*at != '"' || at[1] == '"'); ++at) at += *at == '"';
    expect(at != end && at[1] == ',');
    at += 2;
    return;
  }
  for (; at != end && *at != ','; ++at) expect(*at != '"' && *at != '\n');
  expect(at != end);
  ++at;
}

int main() {
  long long whole = 0;
  double prices = 0;
  for (;;) {
    if (end - at < longest) refill();
    if (at == end) break;
    whole += take_int(',');
    skip_text();
    prices += take_double(',');
    whole += take_int(',');
    whole += take_int('\n');
  }
  printf("%.17g\n", static_cast<double>(whole) + prices);
}
