// Adds up one column of a comma-separated file whose first line names the columns:
//
//     column_sum COLUMN FILE
//
// A bad cell ends the program with status 1 and a line that an editor can jump to:
//
//     sales.csv:3:9: expected a number, found "n/a"
//
// (Plain commas: quoted cells are another format. lines() gives the lines, parse() the numbers.)
#include <headrace/headrace.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

// The cell number `index` of a line, or an empty view at its end where there are fewer.
std::string_view cell(std::string_view line, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t comma = line.find(',');
    line.remove_prefix(comma == line.npos ? line.size() : comma + 1);
  }
  return line.substr(0, line.find(','));
}

struct bad_table {
  std::size_t line;
  std::size_t column;
  std::string what;
};

std::size_t find_column(std::string_view head, const std::string& name) {
  for (std::size_t index = 0;; ++index) {
    const std::size_t comma = head.find(',');
    if (head.substr(0, comma) == name) return index;
    if (comma == head.npos) throw bad_table{1, 1, "no column is called \"" + name + '"'};
    head.remove_prefix(comma + 1);
  }
}

double sum_of(headrace::reader& table, const std::string& name) {
  const std::size_t wanted = find_column(table.read_line(), name);
  double sum = 0;
  std::size_t number = 1;
  for (std::string_view line : table.lines()) {
    ++number;
    const std::string_view text = cell(line, wanted);
    double value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failed] = headrace::parse(text.data(), last, value);
    if (failed != std::errc{} || end != last) {
      const std::size_t column = static_cast<std::size_t>(text.data() - line.data()) + 1;
      throw bad_table{number, column, "expected a number, found \"" + std::string(text) + '"'};
    }
    sum += value;
  }
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: column_sum COLUMN FILE\n");
    return 2;
  }
  try {
    headrace::reader table(arguments[2]);
    headrace::out.println(headrace::fixed(sum_of(table, arguments[1]), 2));
  } catch (const bad_table& bad) {
    std::fprintf(stderr, "%s:%zu:%zu: %s\n", arguments[2], bad.line, bad.column, bad.what.c_str());
    return 1;
  } catch (const headrace::input_error& error) {  // no such file, an empty one, a read that fails
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
