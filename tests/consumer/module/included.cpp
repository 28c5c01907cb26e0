// What an included header and the imported module declare are the same.
#include <headrace/headrace.hpp>
#include <headrace/split.hpp>

#include <string>

std::string sum_of_lines(headrace::reader& from) {
  long long sum = 0;
  std::string_view line;
  while (from.try_read_line(line) && line != "end") {
    for (headrace::reader& part : headrace::split_text(line, 2)) {
      for (long long value : part.values<long long>()) sum += value;
    }
  }
  headrace::out << "sum: ";
  return std::to_string(sum);
}
