// Reads a file of delimited text as texts, and prints its rows: fields with a 1F after each, rows with a 1E. Arguments:
// the way (rows: row by row; columns: whole columns by two threads), the number of columns, the format in words
// (separator=X quote=X empty_lines, header=NAME for each name, and skip=N for lines before the rows), the file. A
// malformed file ends it with status 3 and what the error says, or with the word goes_on is passed over row by row.
#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>
#include <headrace/split.hpp>

#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t most_columns = 12;

template <std::size_t>
using text_for = std::string;

void print_field(const std::string& field) { headrace::out << field << '\x1f'; }

std::size_t lines_to_skip = 0;
bool goes_on = false;

template <std::size_t... Index, class Rows>
void print_each(std::index_sequence<Index...>, Rows&& rows) {
  for (const auto& row : rows) {
    (print_field(std::get<Index>(row)), ...);
    headrace::out << '\x1e';
  }
}

template <std::size_t... Index, class Format>
void print_rows(std::index_sequence<Index...> all, const Format& format, const char* file) {
  headrace::reader from(file);
  for (std::size_t i = 0; i < lines_to_skip; ++i) from.read_line();
  if (!goes_on) return print_each(all, from.rows<text_for<Index>...>(format));
  headrace::rejects bad;
  print_each(all, from.rows<text_for<Index>...>(format, bad));
}

template <std::size_t... Index, class Format>
void print_columns(std::index_sequence<Index...>, const Format& format, const char* file) {
  const auto columns = headrace::read_columns<text_for<Index>...>(file, format, headrace::threads{2});
  for (std::size_t row = 0; row < std::get<0>(columns).size(); ++row) {
    (print_field(std::get<Index>(columns)[row]), ...);
    headrace::out << '\x1e';
  }
}

template <std::size_t Count, class Format>
void print(std::string_view way, const Format& format, const char* file) {
  if (way == "rows" || lines_to_skip > 0) {  // columns begin at the file's first line
    print_rows(std::make_index_sequence<Count>(), format, file);
  } else {
    print_columns(std::make_index_sequence<Count>(), format, file);
  }
}

template <std::size_t... Index>
auto with_names(const headrace::delimited& format, const std::vector<std::string_view>& names,
                std::index_sequence<Index...>) {
  return format.with_header(names[Index]...);
}

// The same for a number that is known when the program runs.
template <std::size_t Count = 1>
void print_as(std::size_t count, std::string_view way, const headrace::delimited& format,
              const std::vector<std::string_view>& names, const char* file) {
  if (count == Count) {
    if (names.empty()) return print<Count>(way, format, file);
    return print<Count>(way, with_names(format, names, std::make_index_sequence<Count>()), file);
  }
  if constexpr (Count < most_columns) return print_as<Count + 1>(count, way, format, names, file);
  headrace::out.flush();
  std::exit(4);
}

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

}  // namespace

int main(int count, char** words) {
  headrace::delimited format = headrace::csv;
  std::vector<std::string_view> names;
  for (int i = 3; i < count - 1; ++i) {
    const std::string_view word = words[i];
    const std::size_t after = word.find('=') + 1;
    if (word == "empty_lines") format = format.with_empty_lines();
    goes_on |= word == "goes_on";
    if (starts(word, "separator=")) {
      if (word.size() != after + 1) return 4;  // headrace has no longer ones
      format.separator = word[after];
    }
    if (starts(word, "quote=")) format = format.with_quote(word[after]);
    if (starts(word, "skip=")) lines_to_skip = std::strtoul(words[i] + after, nullptr, 10);
    if (starts(word, "header=")) names.push_back(word.substr(after));
  }
  try {
    print_as(std::strtoul(words[2], nullptr, 10), words[1], format, names, words[count - 1]);
  } catch (const headrace::input_error& error) {
    headrace::out.flush();
    headrace::writer(2).println(error.what());
    return 3;
  }
}
