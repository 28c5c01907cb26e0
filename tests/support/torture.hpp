// data/torture.tsv: its cases, and values as text that can be compared with what it expects.
#pragma once

#include <headrace/reader.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "exact_decimal.hpp"

namespace test {

using headrace::input_error;

struct word {};  // tags for what has no type of its own
struct line {};

struct torture_case {
  std::string id;
  std::string type;
  std::string input;
  std::vector<std::string> values;
  std::string ending;  // $, or !code@line:column
};

// ---- the file ----

inline std::vector<torture_case> load_cases() {
  std::ifstream file(HEADRACE_TEST_DATA "/torture.tsv");
  std::vector<torture_case> cases;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    const std::vector<std::string> columns = cells_of(row, '\t');
    if (columns.size() != 4) throw std::runtime_error("torture.tsv: not four columns: " + row);
    torture_case given{columns[0], columns[1], decode(expand(columns[2])), {}, {}};
    std::vector<std::string> expected = cells_of(expand(columns[3]), given.type == "line" ? '|' : ' ');
    given.ending = expected.back();
    if (given.type == "line") given.ending.erase(0, expected.size() > 1 ? 1 : 0);  // the space of "a| $"
    expected.pop_back();
    for (const std::string& value : expected) given.values.push_back(decode(value));
    cases.push_back(given);
  }
  return cases;
}

inline const std::vector<torture_case>& cases() {
  static const std::vector<torture_case> all = load_cases();
  return all;
}

// ---- values as text that can be compared ----

template <class T>
std::string show(T value) {
  if constexpr (std::is_same_v<T, char>) {
    return std::string(1, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (headrace::detail::is_float<T>) {
    return test::hexadecimal(static_cast<long double>(value));
  } else {
    bool negative = value < T(0);
    std::string digits;
    do {
      const int digit = static_cast<int>(value % T(10));
      digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
      value = static_cast<T>(value / T(10));
    } while (value != T(0));
    return (negative ? "-" : "") + digits;
  }
}

// The expected column in the same form.
template <class T>
std::string normal(const std::string& expected) {
  if constexpr (std::is_floating_point_v<T>) {
    return show(test::float_from<T>(expected));
  } else {
    return expected;
  }
}

struct outcome {
  std::size_t expected = 0;  // values
  std::vector<std::string> values;
  std::string ending;
};

inline std::string ending_of(const input_error& error) {
  if (error.at_end()) return "$";
  const std::string place = '@' + std::to_string(error.line()) + ':' + std::to_string(error.column());
  if (error.code() == std::errc::invalid_argument) return "!malformed" + place;
  if (error.code() == std::errc::result_out_of_range) return "!out_of_range" + place;
  return error.what();
}

}  // namespace test
