// One number to text: headrace::format beside std::to_chars, by length; then integers in bulk by each kernel.
#include <headrace/detail/simd/dispatch.hpp>
#include <headrace/format.hpp>

#include <algorithm>
#include <charconv>

#include "support.hpp"

namespace {

struct by_headrace {
  static constexpr const char* name = "headrace::format";
  template <class Value>
  static char* format(char* first, char* last, Value value) {
    return headrace::format(first, last, value).ptr;
  }
};

struct by_charconv {
  static constexpr const char* name = "std::to_chars";
  template <class Value>
  static char* format(char* first, char* last, Value value) {
    return std::to_chars(first, last, value).ptr;
  }
};

struct by_printf {
  static constexpr const char* name = "snprintf";
  static char* format(char* first, char* last, double value) {
    return first + std::snprintf(first, static_cast<std::size_t>(last - first), "%.17g", value);
  }
};

template <class... Ways, class Value>
void race(const char* title, const std::vector<Value>& values) {
  std::vector<char> room(values.size() * 40);
  headrace::bench suite{title};
  suite.budget(support::seconds).batch(static_cast<double>(values.size()), "number").baseline(by_headrace::name);
  const auto all = [&](auto way) {
    char* at = room.data();
    for (const Value value : values) at = decltype(way)::format(at, room.data() + room.size(), value);
    return at;
  };
  (suite.run(Ways::name, [&all] { return all(Ways{}); }), ...);
  suite.compare();
}

void race_kernels(int digits) {
  const std::vector<long long> values = support::integers(digits, true);
  std::vector<char> room(values.size() * 24 + 256);
  headrace::bench suite{"integers of " + std::to_string(digits) + " digits in bulk"};
  suite.budget(support::seconds).batch(static_cast<double>(values.size()), "number");
  using writer = headrace::detail::integer_writer<long long>;
  std::vector<writer::type> seen;
  for (const support::kernel kernel : support::kernels()) {
    const auto same = headrace::detail::kernel_table<writer>[kernel];
    if (std::find(seen.begin(), seen.end(), same) != seen.end()) continue;  // most share the scalar one
    seen.push_back(same);
    suite.run(support::name_of(kernel), [&, kernel] {
      support::use(kernel);
      return headrace::detail::write_integers(room.data(), values.data(), values.size(), ' ');
    });
  }
  if (suite.size() > 1) suite.compare();
}

}  // namespace

int main() {
  support::introduce("format");
  for (const int digits : {1, 3, 6, 9, 19}) {
    const std::string title = "integers of " + std::to_string(digits) + " digits, every second one negative";
    race<by_headrace, by_charconv>(title.c_str(), support::integers(digits, true));
  }
  race<by_headrace, by_charconv>("integers of 1 to 19 digits", support::mixed_integers());
#if defined(__cpp_lib_to_chars) || (defined(_LIBCPP_VERSION) && _LIBCPP_VERSION >= 14000)
  race<by_headrace, by_charconv, by_printf>("doubles of 17 digits, shortest", support::doubles(false));
  race<by_headrace, by_charconv, by_printf>("doubles of two decimals, shortest", support::doubles(true));
#else
  race<by_headrace, by_printf>("doubles of 17 digits, shortest", support::doubles(false));
  race<by_headrace, by_printf>("doubles of two decimals, shortest", support::doubles(true));
#endif
  for (const int digits : {3, 6, 19}) race_kernels(digits);
}
