// The contract of delimited text, data/columns_torture.tsv: its cases, their formats, and rows as it writes them.
#pragma once

#include <headrace/columns.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "case_file.hpp"

namespace test {

using headrace::delimited;
using headrace::input_error;
using headrace::reader;
using headrace::skip;

struct columns_case {
  std::string id;
  std::string format;
  std::string types;
  std::string input;
  std::string expected;
};

inline const std::vector<columns_case>& columns_cases() {
  static const std::vector<columns_case> all = [] {
    std::vector<columns_case> found;
    std::ifstream file(HEADRACE_TEST_DATA "/columns_torture.tsv");
    for (std::string row; std::getline(file, row);) {
      if (row.empty() || row[0] == '#') continue;
      const std::vector<std::string> columns = split(row, '\t');
      if (columns.size() != 5) throw std::runtime_error("columns_torture.tsv: not five columns: " + row);
      found.push_back({columns[0], columns[1], columns[2], decode(expand(columns[3])), expand(columns[4])});
    }
    return found;
  }();
  return all;
}

// ---- the format ----

struct named_format {
  delimited format;
  std::vector<std::string> names;
};

inline named_format parse_format(const std::string& text) {
  named_format result{headrace::csv, {}};
  for (const std::string& word : split(text, ' ')) {
    const std::size_t equals = word.find('=');
    const std::string option = word.substr(0, equals),
                      value = equals == std::string::npos ? "" : word.substr(equals + 1);
    delimited& format = result.format;
    if (option == "csv") {
      format = headrace::csv;
    } else if (option == "tsv") {
      format = headrace::tsv;
    } else if (option == "separator") {
      format = delimited(decode(value)[0]);
    } else if (option == "quote") {
      format = format.with_quote(value[0]);
    } else if (option == "unquoted") {
      format = format.without_quotes();
    } else if (option == "comments") {
      format = format.with_comments(value[0]);
    } else if (option == "trimmed") {
      format = format.trimmed();
    } else if (option == "empty_lines") {
      format = format.with_empty_lines();
    } else if (option == "decimal_comma") {
      format = format.with_decimal_comma();
    } else if (option == "header") {
      format = format.with_header();
      if (equals != std::string::npos) result.names = split(value, ',');
    } else {
      throw std::runtime_error("no such option: " + word);
    }
  }
  return result;
}

// ---- rows as text ----

inline std::string show(std::string_view text) {
  std::string result;
  for (const char byte : text) {
    if (byte == '\n') {
      result += "\\n";
    } else if (byte == '\r') {
      result += "\\r";
    } else if (byte == '\t') {
      result += "\\t";
    } else if (byte == '\0') {
      result += "\\0";
    } else {
      result += byte;
    }
  }
  return result;
}
inline std::string show(const std::string& text) { return show(std::string_view(text)); }
inline std::string show(char value) { return std::string(1, value); }
inline std::string show(bool value) { return value ? "1" : "0"; }
inline std::string show(skip) { return "_"; }
inline std::string show(double value) {  // 15 digits, where they are enough
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", value);
  double again = 0;
  if (std::sscanf(text, "%lf", &again) != 1 || again != value) std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}
inline std::string show(float value) { return show(static_cast<double>(value)); }
template <class Int, std::enable_if_t<headrace::detail::is_integer<Int>, int> = 0>
std::string show(Int value) {
  return std::to_string(value);
}
template <class T>
inline std::string show(const std::optional<T>& value) {
  return value ? show(*value) : "none";
}

template <class Tuple, std::size_t... I>
std::string show_fields(const Tuple& row, std::index_sequence<I...>) {
  std::string result;
  ((result += (I == 0 ? "" : "|") + show(std::get<I>(row))), ...);
  return result + '/';
}
template <class... T>
std::string show_row(const std::tuple<T...>& row) {
  return show_fields(row, std::index_sequence_for<T...>());
}
template <class Struct>
std::string show_row(const Struct& row) {
  return show_row(headrace::detail::tie_members(row));
}

inline std::string show(const input_error& error, const reader& from) {
  const std::string line = error.what(), prefix = std::string(from.name()) + ':';
  EXPECT_EQ(line.substr(0, prefix.size()), prefix);
  EXPECT_EQ(line.substr(prefix.size()).find(std::to_string(error.line()) + ':' + std::to_string(error.column())), 0u);
  return '!' + show(line.substr(prefix.size()));
}

}  // namespace test
