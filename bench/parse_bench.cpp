// One number from text: headrace::parse beside std::from_chars, by length.
#include <headrace/parse.hpp>
#include <headrace/parse.hpp>

#include <charconv>

#include "support.hpp"

namespace {

struct by_headrace {
  static constexpr const char* name = "headrace::parse";
  template <class Value>
  static Value parse(std::string_view text) {
    Value value = 0;
    headrace::parse(text.data(), text.data() + text.size(), value);
    return value;
  }
};

struct by_charconv {
  static constexpr const char* name = "std::from_chars";
  template <class Value>
  static Value parse(std::string_view text) {
    Value value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

struct by_strtod {
  static constexpr const char* name = "strtod";
  template <class Value>
  static Value parse(std::string_view text) {
    return std::strtod(text.data(), nullptr);
  }
};

template <class Value, class... Ways>
void race(const char* title, const std::vector<std::string>& parts) {
  const support::texts texts = support::join(parts);
  headrace::bench suite{title};
  suite.budget(support::seconds).batch(static_cast<double>(parts.size()), "number").baseline(by_headrace::name);
  const auto all = [&texts](auto way) {
    Value sum = 0;
    for (const std::string_view text : texts.each) sum += decltype(way)::template parse<Value>(text);
    return sum;
  };
  (suite.run(Ways::name, [&all] { return all(Ways{}); }), ...);
  suite.compare();
}

template <class Value>
std::vector<std::string> printed(const std::vector<Value>& values, const char* format) {
  std::vector<std::string> parts;
  for (const Value value : values) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    parts.emplace_back(text);
  }
  return parts;
}

}  // namespace

int main() {
  support::introduce("parse");
  for (const int digits : {1, 3, 6, 9, 19}) {
    const std::string title = "integers of " + std::to_string(digits) + " digits, every second one negative";
    race<long long, by_headrace, by_charconv>(title.c_str(), printed(support::integers(digits, true), "%lld"));
  }
  race<long long, by_headrace, by_charconv>("integers of 1 to 19 digits", printed(support::mixed_integers(), "%lld"));
#ifdef __cpp_lib_to_chars
  race<double, by_headrace, by_charconv, by_strtod>("doubles of 17 digits", printed(support::doubles(false), "%.17g"));
  race<double, by_headrace, by_charconv, by_strtod>("doubles of two decimals", printed(support::doubles(true), "%g"));
#else
  race<double, by_headrace, by_strtod>("doubles of 17 digits", printed(support::doubles(false), "%.17g"));
  race<double, by_headrace, by_strtod>("doubles of two decimals", printed(support::doubles(true), "%g"));
#endif
}
