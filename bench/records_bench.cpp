// Records whose values change their type: nanoseconds a value of a reader over memory, by each kernel, in units of a
// loop written by hand for the same records. A reader converts numbers of one type ahead; what it converts in vain,
// where the type changes, shows here.
//
//     records_bench [values] [rounds]
#include <headrace/headrace.hpp>

#include <cstdlib>
#include <tuple>
#include <utility>

#include "support.hpp"

namespace {

// ---- by hand: over text that ends with a newline; nothing is checked ----

struct cursor {
  const char* at;

  void skip_blanks() {
    while (*at == ' ' || *at == '\n') ++at;
  }
  template <class Int>
  void read_integer(Int& value) {
    skip_blanks();
    const bool negative = *at == '-';
    at += negative;
    Int sum = 0;
    for (; *at >= '0'; ++at) sum = sum * 10 + (*at - '0');
    value = negative ? -sum : sum;
  }
  void read(int& value) { read_integer(value); }
  void read(long long& value) { read_integer(value); }
  void read(double& value) {
    static constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    skip_blanks();
    const bool negative = *at == '-';
    at += negative;
    long long sum = 0;
    for (; *at >= '0'; ++at) sum = sum * 10 + (*at - '0');
    int places = 0;
    if (*at == '.') {
      for (++at; *at >= '0'; ++at, ++places) sum = sum * 10 + (*at - '0');
    }
    value = static_cast<double>(negative ? -sum : sum) / powers[places];
  }
  void read(std::string_view& word) {
    skip_blanks();
    const char* const begin = at;
    while (*at > ' ') ++at;
    word = std::string_view(begin, static_cast<std::size_t>(at - begin));
  }
};

// ---- what is added up, so that both ways prove that they read the same ----

struct sums {
  double numbers = 0;
  std::size_t letters = 0;
  void add(std::string_view word) { letters += word.size(); }
  template <class Number>
  void add(Number value) {
    numbers += static_cast<double>(value);
  }
  bool operator==(const sums& other) const { return numbers == other.numbers && letters == other.letters; }
};

template <class T>
void read_part(cursor& from, sums& found) {
  T value{};
  from.read(value);
  found.add(value);
}
template <class T>
void read_part(headrace::reader& from, sums& found) {
  T value{};
  from >> value;
  found.add(value);
}

// ---- records ----

void print(std::string& to, int, headrace::rng& random) {
  to += std::to_string(static_cast<int>(random.below(2000000)) - 1000000);
}
void print(std::string& to, long long, headrace::rng& random) {
  to += std::to_string(1700000000000 + static_cast<long long>(random.below(1000000000)));
}
void print(std::string& to, double, headrace::rng& random) {
  char text[32];
  to.append(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.4f", random.uniform() * 2000 - 1000)));
}
void print(std::string& to, std::string_view, headrace::rng& random) { to.append(1 + random.below(12), 'x'); }

template <class... T>
void race(const char* what, std::size_t values, int rounds) {
  const std::size_t records = values / sizeof...(T) + 1;
  headrace::rng random(1);
  std::string text;
  for (std::size_t i = 0; i < records; ++i) {
    ((print(text, T{}, random), text += ' '), ...);
    text.back() = '\n';
  }
  const auto read_all = [&](auto&& from) {
    sums found;
    for (std::size_t i = 0; i < records; ++i) (read_part<T>(from, found), ...);
    return found;
  };
  const sums expected = read_all(cursor{text.data()});
  const auto check = [&](const sums& found) {
    if (found == expected) return;
    std::fprintf(stderr, "records_bench: %s: the sums differ\n", what);
    std::exit(1);
  };
  std::vector<support::way> ways{{"hand", [&] { check(read_all(cursor{text.data()})); }}};
  for (const support::kernel kernel : support::kernels()) {
    ways.push_back({support::name_of(kernel), [&, kernel] {
                      support::use(kernel);
                      check(read_all(headrace::reader::from(text)));
                    }});
  }
  const std::vector<double> times = support::race(ways, records * sizeof...(T), rounds);
  std::printf("| %s | %.1f |", what, times[0]);
  for (std::size_t i = 1; i < times.size(); ++i) std::printf(" %.2f |", times[i] / times[0]);
  std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t values = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  if (values == 0 || rounds <= 0) {
    std::fprintf(stderr, "usage: records_bench [values] [rounds], each 1 or more\n");
    return 2;
  }
  support::introduce("records");
  std::printf("| a record | hand, ns a value |");
  for (const support::kernel kernel : support::kernels()) std::printf(" %s |", support::name_of(kernel));
  std::printf("\n|---|---|");
  for (std::size_t i = 0; i < support::kernels().size(); ++i) std::printf("---|");
  std::puts("");
  using word = std::string_view;
  using id = long long;
  race<int>("int, int, ...", values, rounds);
  race<double>("double, double, ...", values, rounds);
  race<word, int>("word int", values, rounds);
  race<int, double>("int double", values, rounds);
  race<word, int, double>("word int double", values, rounds);
  race<id, double, word>("13-digit long long, double, word", values, rounds);
  race<int, int, int, word>("3 ints, word", values, rounds);
  race<int, int, int, double, double, double>("3 ints, 3 doubles", values, rounds);
  race<double, double, double, double, word>("4 doubles, word", values, rounds);
  race<int, int, int, int, int, int, int, int, double, double, double, double, double, double, double, double>(
      "8 ints, 8 doubles", values, rounds);
}
