// Every token of a kind to numbers, by every kernel, against a loop over the bytes or the C library:
// `every_token KIND [PART OF]`. `make prove` runs all kinds, and the tests those that take seconds.
//
// Kernels look at groups of tokens and take or refuse them: so each token that is looked at has plain numbers around
// it, in a place of its group that changes from window to window.
#include <headrace/detail/number_functions.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "support/c_library.hpp"
#include "support/kernels.hpp"
#include "support/model.hpp"

namespace {

using headrace::detail::ahead_t;
using headrace::detail::number_type_of;
using headrace::detail::refusals;

std::uint64_t compared = 0;

[[noreturn]] void fail(const std::string& what, std::string_view text) {
  std::string shown;
  for (const char byte : text) {
    char hexadecimal[8];
    std::snprintf(hexadecimal, sizeof hexadecimal, "\\x%02x", static_cast<unsigned>(byte) & 0xff);
    shown += byte > ' ' && byte < 0x7f && byte != '\\' ? std::string(1, byte) : hexadecimal;
  }
  std::fprintf(stderr, "%s: %s: \"%s\"\n", test::chosen_kernel_name(), what.c_str(), shown.c_str());
  std::exit(1);
}

// ---- what a token is: references that are slow and plain ----

// An integer of at most 18 digits.
template <class Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>
std::errc read_by_loop(std::string_view token, Int& value) {
  const bool has_sign = !token.empty() && (token[0] == '-' || token[0] == '+');
  if (token.size() == has_sign) return std::errc::invalid_argument;
  std::int64_t sum = 0;
  for (const char byte : token.substr(has_sign)) {
    if (byte < '0' || byte > '9') return std::errc::invalid_argument;
    sum = 10 * sum + (byte - '0');
  }
  if (token[0] == '-') sum = -sum;
  value = static_cast<Int>(sum);
  const bool fits = static_cast<std::int64_t>(value) == sum && (sum < 0) == (value < Int{});
  return fits ? std::errc{} : std::errc::result_out_of_range;
}

// A float by parse(), which other tests compare with the C library and with exact arithmetic.
template <class Float, std::enable_if_t<std::is_floating_point_v<Float>, int> = 0>
std::errc read_by_loop(std::string_view token, Float& value) {
  const auto result = headrace::parse(token.data(), token.data() + token.size(), value);
  return result.ptr == token.data() + token.size() ? result.ec : std::errc::invalid_argument;
}

// Digits and an exponent by the C library.
template <class Float>
std::errc read_by_c_library(std::string_view token, Float& value) {
  value = test::float_from<Float>(std::string(token));
  const bool is_zero = token.find_first_of("123456789") > token.find('e');
  return std::isinf(value) || (value == 0 && !is_zero) ? std::errc::result_out_of_range : std::errc{};
}

// ---- a window of tokens, by every kernel ----

class window {
 public:
  static constexpr std::size_t group = 8;  // as many tokens as the widest kernel takes at once
  static constexpr std::size_t max_looked_at = 256;

  // Noted are tokens that are no values in any case; without `stops` no conversion ends at one.
  explicit window(bool stops = true) : stops_(stops) {}

  // Whether there is no room for another one.
  bool add(std::string_view token) {
    if (looked_at_ == 0) edges_.clear(), text_.assign(64, '7');
    for (std::size_t place = 0; place < group; ++place) append(place == lane() ? token : "7");
    return ++looked_at_ == max_looked_at || text_.size() > 60000;
  }

  // Converts all to each type with each kernel, compares with what read(token, value) says, and begins anew.
  template <class... Types, class Read>
  void check(const Read& read) {
    if (looked_at_ == 0) return;
    text_.append(128, '7');
    (check_type<Types>(read), ...);
    compared += looked_at_;
    looked_at_ = 0;
    ++turn_;
  }

 private:
  std::size_t lane() const { return turn_ % group; }
  const char* base() const { return text_.data() + 64; }
  std::size_t count() const { return edges_.size() / 2; }
  std::string_view token(std::size_t i) const {
    return {base() + edges_[2 * i], std::size_t(edges_[2 * i + 1]) - edges_[2 * i]};
  }
  void append(std::string_view token) {
    edges_.push_back(static_cast<std::uint16_t>(text_.size() - 64));
    text_ += token;
    edges_.push_back(static_cast<std::uint16_t>(text_.size() - 64));
    text_ += ' ';
  }

  template <class T, class Read>
  void check_type(const Read& read) {
    std::vector<ahead_t<T>> expected(count(), ahead_t<T>{7});
    std::vector<std::size_t> refused;
    std::vector<std::errc> reasons;
    for (std::size_t i = lane(); i < count(); i += group) {
      T value{};
      const std::errc code = read(token(i), value);
      expected[i] = code == std::errc{} ? value : T{};
      if (code == std::errc{}) continue;
      refused.push_back(i);
      reasons.push_back(code);
    }
    test::for_each_kernel([&] {
      check_noting(expected, refused, reasons, number_type_of<T>);
      if (stops_) check_stopping(expected, refused, number_type_of<T>);
    });
  }

  // All tokens at once, those that are no values noted.
  template <class Waiting>
  void check_noting(const std::vector<Waiting>& expected, const std::vector<std::size_t>& refused,
                    const std::vector<std::errc>& reasons, const headrace::detail::number_type& type) {
    std::vector<Waiting> values(count() + 1);
    notes_.resize(count() + refusals::padding);
    refusals noted{notes_.data(), notes_.data()};
    type.convert(type, base(), edges_.data(), count(), reinterpret_cast<char*>(values.data()), &noted);
    const auto found = static_cast<std::size_t>(noted.next - noted.first);
    for (std::size_t i = 0; i < std::max(found, refused.size()); ++i) {
      const std::size_t place = i < found ? refusals::place_of(notes_[i]) : count();
      const std::size_t wanted = i < refused.size() ? refused[i] : count();
      if (place < wanted) fail("is refused as " + name_of<Waiting>(), token(place));
      if (place > wanted) fail("is taken as " + name_of<Waiting>(), token(wanted));
      values[wanted] = Waiting{};
      if ((notes_[i] & refusals::malformed) != 0 && reasons[i] != std::errc::invalid_argument) {
        fail("is malformed as " + name_of<Waiting>() + ", and only out of range", token(place));
      }
    }
    compare(values, expected, 0, count());
  }

  // Up to each one that is no value, and on after it.
  template <class Waiting>
  void check_stopping(const std::vector<Waiting>& expected, const std::vector<std::size_t>& refused,
                      const headrace::detail::number_type& type) {
    std::vector<Waiting> values(count() + 1);
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= refused.size(); ++i) {
      const std::size_t end = i < refused.size() ? refused[i] : count(), last = std::min(end + group, count());
      char* const to = reinterpret_cast<char*>(values.data() + begin);
      const std::size_t done = begin + type.convert(type, base(), edges_.data() + 2 * begin, last - begin, to, nullptr);
      if (done < end) fail("ends the run as " + name_of<Waiting>(), token(done));
      if (done > end) fail("does not end the run as " + name_of<Waiting>(), token(end));
      compare(values, expected, begin, end);
      begin = end + 1;
    }
  }

  template <class Waiting>
  void compare(const std::vector<Waiting>& values, const std::vector<Waiting>& expected, std::size_t begin,
               std::size_t end) const {
    if (begin >= end || std::memcmp(&values[begin], &expected[begin], (end - begin) * sizeof values[0]) == 0) return;
    for (std::size_t i = begin; i < end; ++i) {
      if (std::memcmp(&values[i], &expected[i], sizeof values[0]) == 0) continue;
      fail("is another value as " + name_of<Waiting>() + ": " + std::to_string(values[i]), token(i));
    }
  }

  template <class T>
  static std::string name_of() {
    if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "float" : "double";
    return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
  }

  std::string text_;  // with room before the first token and after the last one
  std::vector<std::uint16_t> edges_, notes_;
  std::size_t looked_at_ = 0, turn_ = 0;
  bool stops_;
};

// ---- what is run ----

// The part of the work that this process does, and how far it has come.
class share_of_work {
 public:
  share_of_work(std::uint64_t part, std::uint64_t parts) : part_(part), parts_(parts) {}

  // f(i) for its part of [0, count).
  template <class F>
  void for_each(std::uint64_t count, const F& f) {
    const std::uint64_t begin = scaled(count, part_ - 1), end = scaled(count, part_);
    for (std::uint64_t i = begin; i < end; ++i) {
      f(i);
      if (i % 1024 == 0) show(static_cast<double>(i - begin) / static_cast<double>(end - begin));
    }
  }

 private:
  std::uint64_t scaled(std::uint64_t count, std::uint64_t part) const {
    return count / parts_ * part + count % parts_ * part / parts_;
  }
  // A line every ten seconds.
  void show(double done) {
    using namespace std::chrono;
    const double seconds = duration<double>(steady_clock::now() - start_).count();
    if (seconds < shown_ + 10) return;
    shown_ = seconds;
    std::fprintf(stderr, "  part %d of %d: %.0f %% of this step, %.0f s\n", static_cast<int>(part_),
                 static_cast<int>(parts_), 100 * done, seconds);
  }

  std::uint64_t part_, parts_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double shown_ = 0;
};

const auto by_loop = [](std::string_view token, auto& value) { return read_by_loop(token, value); };

// All words of `length` letters.
template <class... Types>
void check_words(std::string_view alphabet, unsigned length, share_of_work& share) {
  window tokens;
  std::uint64_t count = 1;
  for (unsigned i = 0; i < length; ++i) count *= alphabet.size();
  char word[16];
  share.for_each(count, [&](std::uint64_t code) {
    for (unsigned i = length; i-- > 0; code /= alphabet.size()) word[i] = alphabet[code % alphabet.size()];
    if (tokens.add({word, length})) tokens.check<Types...>(by_loop);
  });
  tokens.check<Types...>(by_loop);
}

// What kernels and parsers tell apart, with neighbours: digits, signs, the bytes before and after the digits, a point,
// letters of exponents and of names, a blank, NUL, and the first and last byte beyond ASCII.
constexpr std::string_view letters("0179-+./: eEnx\0\x80\xff", 17);

void check_short(share_of_work& share) {
  for (unsigned length = 1; length <= 4; ++length) {
    check_words<std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>(
        letters, length, share);
  }
}

void check_eights(share_of_work& share) {
  constexpr std::string_view fewer("09-+.: e\0\x80", 10);
  for (unsigned length = 5; length <= 8; ++length) {
    check_words<std::int32_t, std::uint64_t, double>(fewer, length, share);
  }
}

// Four bytes, whatever they are.
void check_groups(share_of_work& share) {
  window tokens(false);
  share.for_each(std::uint64_t{1} << 24, [&](std::uint64_t first_three) {
    char word[4] = {static_cast<char>(first_three >> 16), static_cast<char>(first_three >> 8),
                    static_cast<char>(first_three)};
    for (int last = 0; last < 256; ++last) {
      word[3] = static_cast<char>(last);
      if (tokens.add({word, 4})) tokens.check<std::int32_t, std::uint32_t>(by_loop);
    }
  });
}

// Eight digits, and a minus and seven.
void check_digits(share_of_work& share) {
  window tokens;
  share.for_each(110'000'000, [&](std::uint64_t number) {
    char word[16];
    for (unsigned i = 8; i-- > 0; number /= 10) word[i] = static_cast<char>('0' + number % 10);
    if (number > 0) word[0] = '-';
    if (tokens.add({word, 8})) tokens.check<std::int32_t, std::uint64_t, double>(by_loop);
  });
  tokens.check<std::int32_t, std::uint64_t, double>(by_loop);
}

const auto by_c_library = [](std::string_view token, auto& value) { return read_by_c_library(token, value); };

// All significands of so many digits with all powers of ten around those of a type.
template <class Float>
void check_powers(std::uint64_t significands, share_of_work& share) {
  using limits = std::numeric_limits<Float>;
  constexpr int lowest = limits::min_exponent10 - limits::digits10 - 12, highest = limits::max_exponent10 + 2;
  window tokens;
  share.for_each(significands, [&](std::uint64_t significand) {
    if (significand % 10 == 0) return;
    for (int power = lowest; power <= highest; ++power) {
      char word[32];
      const int size = std::snprintf(word, sizeof word, "%llue%d", static_cast<unsigned long long>(significand), power);
      if (tokens.add({word, static_cast<std::size_t>(size)})) tokens.check<Float>(by_c_library);
    }
  });
  tokens.check<Float>(by_c_library);
}

// The decimals at which rounding turns: those halfway between a number and the next one, exactly and cut after 15 to 20
// digits, with the last digit one less and one more. (V. Paxson, "A Program for Testing IEEE Decimal-Binary
// Conversion", 1991, looks for such numbers.)
template <class Float>
void add_halfway(window& tokens, Float value) {
  using wider = std::conditional_t<std::is_same_v<Float, float>, double, long double>;
  const Float next = std::nextafter(value, std::numeric_limits<Float>::infinity());
  if (std::isinf(next)) return;
  const wider middle = (static_cast<wider>(value) + static_cast<wider>(next)) / 2;
  const std::string digits = test::exact_scientific(static_cast<long double>(middle), 800);
  const std::string power = digits.substr(digits.find('e'));
  for (std::size_t size = 16; size <= 22; ++size) {
    std::string cut = digits.substr(0, size == 22 ? digits.find('e') : size);
    for (const int change : {-1, 0, 1}) {
      std::string changed = cut;
      if (changed.back() + change >= '0' && changed.back() + change <= '9') {
        changed.back() = static_cast<char>(changed.back() + change);
      }
      if (tokens.add(changed + power)) tokens.check<Float>(by_c_library);
    }
  }
}

// Of each power of two that a type has: its first numbers, its last ones, and others.
template <class Float, class Bits>
void check_halfway(share_of_work& share) {
  constexpr int fraction_bits = std::numeric_limits<Float>::digits - 1;
  constexpr Bits fractions = Bits{1} << fraction_bits;
  constexpr unsigned exponents = (1u << (8 * sizeof(Float) - 1 - fraction_bits)) - 1;
  window tokens;
  share.for_each(exponents, [&](std::uint64_t exponent) {
    for (Bits i = 0; i < 48; ++i) {
      const Bits fraction = i < 8    ? i
                            : i < 16 ? fractions - 1 - (i - 8)
                                     : (i * Bits(0x9e3779b97f4a7c15) >> 3) % fractions;
      const Bits bits = (static_cast<Bits>(exponent) << fraction_bits) | fraction;
      Float value;
      std::memcpy(&value, &bits, sizeof value);
      add_halfway(tokens, value);
    }
  });
  tokens.check<Float>(by_c_library);
}

void check_decimals(share_of_work& share) {
  if (std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits) {
    check_halfway<double, std::uint64_t>(share);
  }
  check_halfway<float, std::uint32_t>(share);
  check_powers<double>(10'000, share);
  check_powers<float>(1'000'000, share);
}

// ---- the index of a window ----

void check_index(const std::string& text, std::size_t size) {
  std::vector<std::uint16_t> edges, newlines, found(text.size() + 128);
  bool in_token = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (test::model::is_whitespace(text[64 + i]) == in_token) {
      edges.push_back(static_cast<std::uint16_t>(i));
      in_token = !in_token;
    }
    if (text[64 + i] == '\n') newlines.push_back(static_cast<std::uint16_t>(i));
  }
  test::for_each_kernel([&] {
    const auto same = [&](std::size_t count, const std::vector<std::uint16_t>& expected) {
      return count == expected.size() && std::equal(expected.begin(), expected.end(), found.begin());
    };
    const char* const first = text.data() + 64;
    if (!same(headrace::detail::index_tokens(first, size, found.data()), edges)) {
      fail("other edges of tokens", {first, size});
    }
    if (!same(headrace::detail::index_newlines(first, size, found.data()), newlines)) {
      fail("other newlines", {first, size});
    }
  });
  ++compared;
}

// Every byte at every place of two blocks of 64, and every pattern of newlines and others in 16 bytes that begin at the
// front, where two words meet and where two blocks do, after either and before either.
void check_edges(share_of_work& share) {
  share.for_each(128 * 256, [](std::uint64_t i) {
    std::string text(64 + 128 + 128, '7');
    text[64 + i / 256] = static_cast<char>(i % 256);
    check_index(text, 128);
  });
  share.for_each(1 << 16, [](std::uint64_t pattern) {
    for (const char around : {'7', '\n'}) {
      for (const std::size_t begin : {0u, 3u, 51u, 56u}) {
        std::string text(64 + 128 + 128, around);
        for (std::size_t i = 0; i < 16; ++i) text[64 + begin + i] = (pattern >> i & 1) != 0 ? '7' : '\n';
        check_index(text, 128);
        check_index(text, begin + 16);
      }
    }
  });
}

struct kind {
  std::string_view name;
  const char* what;
  void (*check)(share_of_work&);
};

constexpr kind kinds[] = {
    {"edges", "windows: every byte at every place, every pattern of 16 bytes where words and blocks meet", check_edges},
    {"short", "tokens: all of one to four bytes over 17 that differ, as eight types", check_short},
    {"digits", "tokens: all of eight digits, and of a minus and seven", check_digits},
    {"decimals",
     "tokens: every power of ten with all significands of four (double) and six digits (float), and those "
     "at which rounding turns",
     check_decimals},
    {"eights", "tokens: all of five to eight bytes over ten that differ", check_eights},
    {"groups", "tokens: all of four bytes, as signed and as unsigned", check_groups},
};

int usage() {
  std::fputs("usage: every_token KIND [PART OF]\n", stderr);
  for (const kind& each : kinds) std::fprintf(stderr, "  %-9s %s\n", std::string(each.name).c_str(), each.what);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2 && count != 4) return usage();
  const std::uint64_t part = count == 4 ? std::strtoull(words[2], nullptr, 10) : 1;
  const std::uint64_t parts = count == 4 ? std::strtoull(words[3], nullptr, 10) : 1;
  const auto* const chosen =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const kind& each) { return each.name == words[1]; });
  if (chosen == std::end(kinds) || part == 0 || part > parts || parts > 1'000'000) return usage();
  share_of_work share(part, parts);
  chosen->check(share);
  std::printf("%s: the same for %llu", words[1], static_cast<unsigned long long>(compared));
  std::printf(" %s. Kernels:", chosen->what);
  test::for_each_kernel([] { std::printf(" %s", test::chosen_kernel_name()); });
  std::printf("\n");
}
