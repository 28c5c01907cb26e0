// Reading and writing without std::string, which the standard library was compiled with and MemorySanitizer does not
// see into: integers of every length, doubles, words, lines and errors, in memory, under the kernel that HEADRACE_SIMD
// names. tools/sanitizers builds it.
#include <headrace/headrace.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

int failures = 0;

void check(bool good, const char* what, int line) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "plain.cpp:%d: %s is false\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

constexpr std::size_t count = 5000;
struct {
  char bytes[count * 26 + 4096];
  std::size_t size = 0;
  void write(const char* from, std::size_t more) {
    std::memcpy(bytes + size, from, more);
    size += more;
  }
} text;

// Numbers of every length: the next state of a generator (G. Marsaglia, "Xorshift RNGs", 2003), cut to 1 to 64 bits.
std::uint64_t draw(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> (state % 64);
}

template <class T>
void check_round_trip() {
  static T values[count], back[count];
  std::uint64_t state = 88172645463325252u;
  for (T& value : values) value = static_cast<T>(draw(state));
  text.size = 0;
  headrace::writer to = headrace::writer::into(text);
  to.write_range(values, ' ');
  for (std::size_t i = 0; i < 100; ++i) to << '\n' << values[i];
  to.flush();

  headrace::reader from = headrace::reader::from(std::string_view(text.bytes, text.size));
  from.read(back);
  for (std::size_t i = 0; i < count; ++i) CHECK(back[i] == values[i]);
  for (std::size_t i = 0; i < 100; ++i) CHECK(from.read<T>() == values[i]);
  CHECK(from.at_end());
}

void check_text() {
  headrace::reader from = headrace::reader::from("one  2x 3\r\n\nlast line");
  CHECK(from.read<std::string_view>() == "one");
  int value = 0;
  const headrace::read_result result = from.parse(value);
  CHECK(!result && result.error->column() == 6 && from.skip());
  CHECK(from.read<int>() == 3);
  CHECK(from.read_line().empty() && from.read_line().empty() && from.read_line() == "last line");
}

}  // namespace

int main() {
  check_round_trip<signed char>();
  check_round_trip<int>();
  check_round_trip<unsigned>();
  check_round_trip<long long>();
  check_round_trip<unsigned long long>();
  check_round_trip<double>();
  check_text();
  return failures != 0;
}
