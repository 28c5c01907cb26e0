// The library in one program without GoogleTest, for every compiler, standard and -fno-... flag: what is written is
// read back, under each kernel that the machine has. tools/toolchains builds and runs it with "20 22\n" on stdin.
#include <headrace/headrace.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../support/kernels.hpp"

std::string write_elsewhere(const std::vector<int>& values);  // other.cpp: the same templates in another object file

namespace {

int checks = 0;
int failures = 0;

void check(bool good, const char* what, int line) {
  ++checks;
  if (good) return;
  ++failures;
  std::fprintf(stderr, "smoke.cpp:%d: %s is false\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

// Numbers of every length: the next state of a generator (G. Marsaglia, "Xorshift RNGs", 2003), cut to 1 to 64 bits.
std::uint64_t draw(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> (state % 64);
}

template <class T>
std::vector<T> draw_values() {
  std::uint64_t state = 88172645463325252u;
  std::vector<T> values{std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(0), T(1)};
  while (values.size() < 3000) {
    if constexpr (headrace::detail::is_float<T>) {
      values.push_back(static_cast<T>(draw(state)) / static_cast<T>(draw(state) + 1));
    } else {
      values.push_back(static_cast<T>(draw(state)));
    }
  }
  return values;
}

template <class T>
void check_round_trip() {
  const std::vector<T> values = draw_values<T>();
  std::string text;
  headrace::writer to = headrace::writer::into(text);
  to.write_range(values, ' ');
  to << '\n';
  to.flush();

  std::vector<T> at_once(values.size());
  headrace::reader bulk = headrace::reader::from(text);
  bulk.read(at_once);
  CHECK(at_once == values);
  CHECK(bulk.at_end());

  headrace::reader stream = headrace::reader::from(text);
  std::size_t same = 0;
  for (T value : stream.values<T>()) same += same < values.size() && value == values[same];
  CHECK(same == values.size());
}

void check_text() {
  headrace::reader words = headrace::reader::from("one  two\r\n\tthree\n\nlast line");
  std::string joined;
  for (int i = 0; i < 3; ++i) joined.append(words.read<std::string_view>()).append("|");
  CHECK(joined == "one|two|three|");
  CHECK(words.read_line().empty());
  CHECK(words.read_line().empty());
  CHECK(words.read_line() == "last line");

  const auto [pair, array] =
      headrace::reader::from("1 2.5 3 4").read<std::pair<std::pair<int, double>, std::array<int, 2>>>();
  CHECK(pair.second > 2.4 && pair.second < 2.6 && array[1] == 4);

  std::string text;
  headrace::writer to = headrace::writer::into(text);
  to.print(L"wide ", u"\u00e9 ", std::tuple<int, bool>(-1, true), ' ', headrace::fixed(2.5, 0), ' ',
           headrace::base(255, 16), ' ', 2.024446899000447e-309);
  to.flush();
  CHECK(text == "wide \xc3\xa9 -1 1 2 ff 2.024446899000447e-309");
}

void check_errors() {
  headrace::reader from = headrace::reader::from("1 2\n3 12a 300");
  int value = 0;
  while (from.parse(value)) {}
  CHECK(value == 3);
  const headrace::read_result result = from.parse(value);
  CHECK(!result && result.error->line() == 2 && result.error->column() == 3);
  CHECK(std::string_view(result.error->what()).find("expected an integer, found \"12a\"") != std::string_view::npos);
  CHECK(from.skip());
  std::uint8_t narrow = 7;
  CHECK(from.parse(narrow).error->code() == std::errc::result_out_of_range && narrow == 7);
#if defined(__cpp_exceptions)
  bool thrown = false;
  try {
    (void)from.read<bool>();
  } catch (const headrace::input_error& error) {
    thrown = error.token() == "300";
  }
  CHECK(thrown);
#endif
}

void check_files() {
  const char* const names[] = {"smoke_a.tmp", "smoke_b.tmp"};
  const std::vector<int> values = draw_values<int>();
  headrace::writer to(names[0]);
  for (int i = 0; i < 50; ++i) {
    to.write_range(values, '\n');
    to << '\n';
  }
  to.close();
  CHECK(headrace::copy(names[0], names[1]) == to.arrived());
  headrace::reader from(names[1]);
  std::size_t same = 0;
  for (int value : from.values<int>()) {
    same += value == values[same % values.size()];
  }
  CHECK(same == values.size() * 50);
  for (const char* name : names) CHECK(std::remove(name) == 0);
}

}  // namespace

int main() {
  test::for_each_kernel([] {
    check_round_trip<signed char>();
    check_round_trip<short>();
    check_round_trip<int>();
    check_round_trip<unsigned>();
    check_round_trip<long long>();
    check_round_trip<unsigned long long>();
    check_round_trip<float>();
    check_round_trip<double>();
    check_round_trip<long double>();
    check_text();
    check_errors();
    check_files();
  });
  CHECK(write_elsewhere({1, 2, 3}) == "1 2 3");
  int sum = 0;
  for (int value : headrace::in.values<int>()) sum += value;
  CHECK(sum == 42);
  headrace::out.println(checks - failures, " of ", checks, " checks hold");
  return failures == 0 ? 0 : 1;
}
