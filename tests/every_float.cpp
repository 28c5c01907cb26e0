// Every float, or random doubles, to text and back through every kernel: `every_float floats [PART OF]`,
// `every_float doubles COUNT [SEED]`. `make every-float` runs both.
//
// The text of one value, by headrace::format, has the digits and the exponent of std::to_chars, and std::from_chars
// reads the value from it. The text of many, by each kernel, is the same text; each kernel reads the same values back.
#include <headrace/reader.hpp>
#include <headrace/writer.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/kernels.hpp"

namespace {

constexpr std::size_t block_size = std::size_t{1} << 16;
std::uint64_t compared = 0;

template <class Float>
[[noreturn]] void fail(const char* who, const char* what, Float value, std::string_view text) {
  std::fprintf(stderr, "%s: %s: %a is written \"%.*s\"\n", who, what, static_cast<double>(value),
               static_cast<int>(text.size()), text.data());
  std::exit(1);
}

template <class Float>
bool same_bits(Float a, Float b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// The significant digits of a number, and the power of ten of the first: 0.00123 and 1.23e-03 are both "123", -3.
struct decimal {
  explicit decimal(std::string_view text) {
    const std::size_t e = text.find('e');
    int power = -1;
    bool after_point = false;
    for (const char c : text.substr(0, e)) {
      if (c == '.') after_point = true;
      if (c < '0' || c > '9') continue;
      if (size_ == 0 && c == '0') {
        if (after_point) --power;
        continue;
      }
      if (!after_point) ++power;
      digits_[size_++] = c;
    }
    while (size_ > 0 && digits_[size_ - 1] == '0') --size_;
    if (e != text.npos) power += std::atoi(std::string(text.substr(e + 1)).c_str());
    power_ = size_ == 0 ? 0 : power;
  }
  bool operator==(const decimal& other) const {
    return size_ == other.size_ && power_ == other.power_ && std::memcmp(digits_, other.digits_, size_) == 0;
  }

 private:
  char digits_[32];
  std::size_t size_ = 0;
  int power_ = 0;
};

// Appends the text of one value and a newline, after the standard library agreed with it.
template <class Float>
void append_checked(std::string& text, Float value) {
  char one[64], other[64];
  const auto written = headrace::format(one, one + sizeof one, value);
  const std::string_view mine(one, static_cast<std::size_t>(written.ptr - one));
  const char* const end = std::to_chars(other, other + sizeof other, value, std::chars_format::scientific).ptr;
  if (!(decimal(mine) == decimal(std::string_view(other, static_cast<std::size_t>(end - other))))) {
    fail("format", "std::to_chars has other digits", value, mine);
  }
  Float back = 0;
  const auto read = std::from_chars(mine.data(), mine.data() + mine.size(), back);
  if (read.ec != std::errc{} || !same_bits(back, value)) {
    fail("format", "std::from_chars reads another value", value, mine);
  }
  text.append(mine) += '\n';
}

template <class Float>
void check(const std::vector<Float>& values) {
  static std::string expected, text;
  static std::vector<Float> back;
  expected.clear();
  for (const Float value : values) append_checked(expected, value);
  test::for_each_kernel([&] {
    const char* const kernel = test::chosen_kernel_name();
    text.assign(expected.size() + 1, '~');
    back.assign(values.size(), Float());
    auto out = headrace::writer::into(text.data(), text.size());
    out.write_range(values, '\n');
    out << '\n';
    out.flush();
    const std::size_t size = expected.size();
    const auto at = static_cast<std::size_t>(std::mismatch(expected.begin(), expected.end(), text.begin()).first -
                                             expected.begin());
    if (at != size) {
      const auto which = static_cast<std::size_t>(
          std::count(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      fail(kernel, "many values are written otherwise than one", values[which], std::string_view(text).substr(at, 30));
    }
    headrace::reader in = headrace::reader::from(expected);
    in.read(back);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!same_bits(values[i], back[i])) fail(kernel, "is read as another value", values[i], "");
    }
  });
  compared += values.size();
}

// One of several parts of all floats that are finite numbers.
void check_floats(std::uint64_t part, std::uint64_t parts) {
  constexpr std::uint64_t all = std::uint64_t{1} << 32;
  const std::uint64_t end = all * part / parts;
  std::vector<float> values;
  for (std::uint64_t bits = all * (part - 1) / parts; bits < end;) {
    values.clear();
    for (std::size_t i = 0; i < block_size && bits < end; ++i, ++bits) {
      const auto narrow = static_cast<std::uint32_t>(bits);
      float value;
      std::memcpy(&value, &narrow, sizeof value);
      if (std::isfinite(value)) values.push_back(value);
    }
    if (!values.empty()) check(values);
  }
}

// Random bits, and as many numbers as people have them: with some places, whole, and in [0, 1).
void check_doubles(std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  while (compared < count) {
    values.clear();
    while (values.size() < std::min<std::uint64_t>(block_size, count - compared)) {
      const std::uint64_t bits = random();
      double value;
      std::memcpy(&value, &bits, sizeof value);
      switch (random() % 4) {
        case 0:
          value = static_cast<double>(random() >> (bits >> 8) % 64) / std::pow(10.0, (bits >> 16) % 10);
          break;
        case 1:
          value = static_cast<double>(bits >> 11) * 0x1p-53;
          break;
        default:
          break;
      }
      if (std::isfinite(value)) values.push_back(value);
    }
    check(values);
  }
}

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  if (what == "floats" && (count == 2 || count == 4)) {
    const std::uint64_t part = count == 4 ? number(words[2]) : 1, parts = count == 4 ? number(words[3]) : 1;
    if (part == 0 || part > parts || parts > 1000) {
      std::fputs("every_float: a part is 1 to OF, and OF at most 1000: every_float floats 1 2\n", stderr);
      return 2;
    }
    check_floats(part, parts);
  } else if (what == "doubles" && (count == 3 || count == 4)) {
    check_doubles(number(words[2]), count == 4 ? number(words[3]) : 1);
  } else {
    std::fputs("usage: every_float floats [PART OF]\n       every_float doubles COUNT [SEED]\n", stderr);
    return 2;
  }
  std::printf("%llu %s to text and back: by one value as the standard library, and the same by",
              static_cast<unsigned long long>(compared), words[1]);
  test::for_each_kernel([] { std::printf(" %s", test::chosen_kernel_name()); });
  std::printf("\n");
}
