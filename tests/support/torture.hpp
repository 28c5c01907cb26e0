// data/torture.tsv: its cases, and values as text that can be compared with what it expects.
#pragma once

#include <headrace/reader.hpp>

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "c_library.hpp"
#include "case_file.hpp"
#include "exact_decimal.hpp"

namespace test {

using headrace::input_error;

struct word {};  // tags for what has no type of its own
struct line {};

struct torture_case {
  std::string id;
  std::string type;
  std::string input;
  std::vector<std::string> values;  // as show() gives them
  std::string ending;               // $, or !code@line:column
};

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

// Calls action(T()) with the type that a case names.
template <class Action>
void with_type(const std::string& name, Action action) {
  if (name == "i8") return action(std::int8_t());
  if (name == "u8") return action(std::uint8_t());
  if (name == "i16") return action(std::int16_t());
  if (name == "u16") return action(std::uint16_t());
  if (name == "i32") return action(std::int32_t());
  if (name == "u32") return action(std::uint32_t());
  if (name == "i64") return action(std::int64_t());
  if (name == "u64") return action(std::uint64_t());
#if defined(__SIZEOF_INT128__)
  if (name == "i128") return action(headrace::int128());
  if (name == "u128") return action(headrace::uint128());
#else
  if (name == "i128" || name == "u128") return;
#endif
  if (name == "f32") return action(float());
  if (name == "f64") return action(double());
  if (name == "flong") return action(static_cast<long double>(0));
  if (name == "bool") return action(bool());
  if (name == "char") return action(char());
  if (name == "word") return action(word());
  if (name == "line") return action(line());
  throw std::runtime_error("no type is called " + name);
}

// ---- the file ----

inline std::vector<torture_case> load_cases() {
  std::ifstream file(HEADRACE_TEST_DATA "/torture.tsv");
  std::vector<torture_case> cases;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    const std::vector<std::string> columns = split(row, '\t');
    if (columns.size() != 4) throw std::runtime_error("torture.tsv: not four columns: " + row);
    torture_case given{columns[0], columns[1], decode(expand(columns[2])), {}, {}};
    std::vector<std::string> expected = split(expand(columns[3]), given.type == "line" ? '|' : ' ');
    given.ending = expected.back();
    if (given.type == "line") given.ending.erase(0, expected.size() > 1 ? 1 : 0);  // the space of "a| $"
    expected.pop_back();
    with_type(given.type, [&](auto tag) {
      for (const std::string& value : expected) given.values.push_back(normal<decltype(tag)>(decode(value)));
    });
    cases.push_back(given);
  }
  return cases;
}

inline const std::vector<torture_case>& cases() {
  static const std::vector<torture_case> all = load_cases();
  return all;
}

// ---- what came of it ----

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
