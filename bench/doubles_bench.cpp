// Doubles in bulk, both ways, by each kernel, beside std::, fast_float and zmij; and with a number of digits, beside
// printf: tables of distributions. All ways
// take turns in one process, and of many rounds the fastest counts.
//
//     doubles_bench [values] [rounds]
//
// 4096 values are so few that a branch predictor learns what follows what; 100000 are not.
#include <headrace/headrace.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#if __has_include(<fast_float/fast_float.h>)
#include <fast_float/fast_float.h>
#define HAS_FAST_FLOAT 1
#else
#define HAS_FAST_FLOAT 0
#endif
#if __has_include(<zmij.cc>)
#include <zmij.cc>  // its one source file
#define HAS_ZMIJ 1
#else
#define HAS_ZMIJ 0
#endif

#include "support.hpp"

namespace {

using headrace::detail::window_edges;
using headrace::detail::window_size;
using support::race;
using support::way;

// A row of the table: the time of the first way, and that of the others in units of it.
void print_row(const char* distribution, const std::vector<way>& ways, const std::vector<double>& times) {
  static std::string last_header;
  std::string header = "| | " + ways[0].name + ", ns |", rule = "|---|--:|";
  for (std::size_t i = 1; i < ways.size(); ++i) {
    header += ' ' + ways[i].name + " |";
    rule += "--:|";
  }
  if (header != last_header) std::printf("\n%s\n%s\n", header.c_str(), rule.c_str());
  last_header = header;
  std::printf("| %s | %.1f |", distribution, times[0]);
  for (std::size_t i = 1; i < times.size(); ++i) std::printf(" %.2f |", times[i] / times[0]);
  std::puts("");
}

struct distribution {
  const char* name;
  double (*make)(headrace::rng&);
  const char* format;  // of its text; null: the shortest
};

double bits_as_double(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- writing ----

const distribution to_write[] = {
    {"any bits", [](headrace::rng& r) { return bits_as_double(r() & 0xffefffffffffffff); }, nullptr},
    {"0 to 1, 16 or 17 digits", [](headrace::rng& r) { return r.uniform(); }, nullptr},
    {"two places: 12.34", [](headrace::rng& r) { return static_cast<double>(r.below(10000)) / 100; }, nullptr},
    {"two places: 1234567.89", [](headrace::rng& r) { return static_cast<double>(r.below(1000000000)) / 100; },
     nullptr},
    {"whole numbers below 10^6", [](headrace::rng& r) { return static_cast<double>(r.below(1000000)); }, nullptr},
    {"half of them zeros", [](headrace::rng& r) { return r.below(2) == 0 ? 0 : r.uniform(); }, nullptr},
};

void race_writing(const distribution& of, std::size_t count, int rounds) {
  headrace::rng random(1);
  std::vector<double> values(count);
  for (double& value : values) value = of.make(random);
  std::vector<char> room(count * (headrace::detail::max_float_length + 1) + 256);
  const auto one_by_one = [&](auto write) {
    return [&, write] {
      char* to = room.data();
      for (const double value : values) {
        to = write(to, value);
        *to++ = '\n';
      }
    };
  };
  std::vector<way> ways;
#if HAS_ZMIJ
  ways.push_back({"zmij", one_by_one([](char* to, double value) { return zmij::detail::write(to, value); })});
#endif
#if defined(__cpp_lib_to_chars)
  ways.push_back(
      {"to_chars", one_by_one([](char* to, double value) { return std::to_chars(to, to + 32, value).ptr; })});
#endif
  ways.push_back(
      {"format", one_by_one([](char* to, double value) { return headrace::format(to, to + 64, value).ptr; })});
  ways.push_back({"<<", [&] {
                    headrace::writer to = headrace::writer::into(room.data(), room.size());
                    for (const double value : values) to << value << '\n';
                  }});
  for (const support::kernel kernel : support::kernels()) {
    ways.push_back({support::name_of(kernel), [&, kernel] {
                      support::use(kernel);
                      headrace::detail::write_floats(room.data(), values.data(), count, '\n');
                    }});
  }
  print_row(of.name, ways, race(ways, count, rounds));
}

// ---- writing with a number of digits ----

struct digits_asked_for {
  const char* name;
  double (*make)(headrace::rng&);
  headrace::float_style style;
  int precision;
  const char* format;  // of printf
};

double up_to_a_million(headrace::rng& r) { return (r.uniform() - 0.5) * 2e6; }

const digits_asked_for to_write_rounded[] = {
    {"fixed, 2 places", up_to_a_million, headrace::float_style::fixed, 2, "%.2f"},
    {"fixed, 6 places", up_to_a_million, headrace::float_style::fixed, 6, "%.6f"},
    {"fixed, 12 places", up_to_a_million, headrace::float_style::fixed, 12, "%.12f"},
    {"scientific, 6 places", up_to_a_million, headrace::float_style::scientific, 6, "%.6e"},
    {"scientific, 16 places", up_to_a_million, headrace::float_style::scientific, 16, "%.16e"},
};

void race_writing_rounded(const digits_asked_for& of, std::size_t count, int rounds) {
  headrace::rng random(1);
  std::vector<double> values(count);
  for (double& value : values) value = of.make(random);
  char room[64];
  std::vector<way> ways;
  ways.push_back({"printf", [&] {
                    for (const double value : values) std::snprintf(room, sizeof room, of.format, value);
                  }});
#if defined(__cpp_lib_to_chars)
  const auto format =
      of.style == headrace::float_style::fixed ? std::chars_format::fixed : std::chars_format::scientific;
  ways.push_back({"to_chars", [&] {
                    for (const double value : values) std::to_chars(room, room + 64, value, format, of.precision);
                  }});
#endif
  ways.push_back({"format", [&] {
                    for (const double value : values) {
                      static_cast<void>(headrace::format(room, room + 64, value, of.style, of.precision));
                    }
                  }});
  print_row(of.name, ways, race(ways, count, rounds));
}

// ---- reading ----

double canada(headrace::rng& r) { return r.below(2) == 0 ? -50 - 90 * r.uniform() : 40 + 40 * r.uniform(); }

const distribution to_read[] = {
    {"17 digits", [](headrace::rng& r) { return r.uniform(); }, "%.17g"},
    {"2 to 5 digits, one place", [](headrace::rng& r) { return std::pow(10, 4 * r.uniform()); }, "%.1f"},
    {"3 to 6 digits, two places", [](headrace::rng& r) { return std::pow(10, 4 * r.uniform()); }, "%.2f"},
    {"coordinates: -95.123456789012", canada, "%.12f"},
    {"whole numbers of 1 to 3 digits", [](headrace::rng& r) { return static_cast<double>(r.below(1000)); }, "%.0f"},
    {"exponents: -1.234567e-17",
     [](headrace::rng& r) { return (r.uniform() - 0.5) * std::pow(10, static_cast<double>(r.below(400)) - 200); },
     "%.6e"},
    {"any bits, shortest", [](headrace::rng& r) { return bits_as_double(r() & 0xffefffffffffffff); }, nullptr},
};

// A window at a time, as a reader does: both stages in one pass, or the index and the conversion.
void read_windows(const char* text, const char* end, double* to) {
  static std::uint16_t edges[window_edges];
  while (text != end) {
    auto size = static_cast<std::size_t>(end - text);
    if (size > window_size) size = window_size;
    while (text[size - 1] != '\n') --size;
    std::size_t done = 0;
    if (!headrace::detail::scan_floats<double>(text, size, edges, reinterpret_cast<char*>(to), size, done)) {
      const std::size_t count = headrace::detail::index_tokens(text, size, edges) / 2;
      done = headrace::detail::convert_floats<double>(text, edges, count, reinterpret_cast<char*>(to));
    }
    to += done;
    text += size;
  }
}

void race_reading(const distribution& of, std::size_t count, int rounds) {
  headrace::rng random(1);
  std::string padded(64, ' ');
  for (std::size_t i = 0; i < count; ++i) {
    char token[400];
    const double value = of.make(random);
    char* end = token;
    if (of.format == nullptr) {
      end = headrace::format(token, token + sizeof token, value).ptr;
    } else {
      end += std::snprintf(token, sizeof token, of.format, value);
    }
    padded.append(token, end) += '\n';
  }
  const std::size_t size = padded.size() - 64;
  padded.append(128, ' ');
  const char *const text = padded.data() + 64, *const end = text + size;
  std::vector<double> values(count);
  const auto one_by_one = [&](auto parse) {
    return [&, parse] {
      const char* at = text;
      for (double& value : values) at = parse(at, end, value) + 1;
    };
  };
  std::vector<way> ways;
#if HAS_FAST_FLOAT
  ways.push_back({"fast_float", one_by_one([](const char* first, const char* last, double& value) {
                    return fast_float::from_chars(first, last, value).ptr;
                  })});
#endif
#if defined(__cpp_lib_to_chars)
  ways.push_back({"from_chars", one_by_one([](const char* first, const char* last, double& value) {
                    return std::from_chars(first, last, value).ptr;
                  })});
#endif
  ways.push_back({"parse", one_by_one([](const char* first, const char* last, double& value) {
                    return headrace::parse(first, last, value).ptr;
                  })});
  for (const support::kernel kernel : support::kernels()) {
    ways.push_back({support::name_of(kernel), [&, kernel] {
                      support::use(kernel);
                      read_windows(text, end, values.data());
                    }});
  }
  print_row(of.name, ways, race(ways, count, rounds));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 4096;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : static_cast<int>(200000 / (count + 1000) + 3);
  if (count == 0 || rounds <= 0) {
    std::fputs("doubles_bench: how many values, and how many rounds? For example: doubles_bench 100000 20\n", stderr);
    return 2;
  }
  for (const distribution& each : to_write) race_writing(each, count, rounds);
  for (const digits_asked_for& each : to_write_rounded) race_writing_rounded(each, count, rounds);
  for (const distribution& each : to_read) race_reading(each, count, rounds);
}
