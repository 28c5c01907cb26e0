// A file that imports, in a program with another one that includes: both use the same objects and types.
// What a file uses of the standard library it includes itself, also to compare codes and to take a row apart.
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

import headrace;

struct modular {
  long long residue = 0;
};
template <>
struct headrace::io<modular> {
  static void read(headrace::reader& source, modular& value) { value.residue = source.read<long long>() % 7; }
  static void write(headrace::writer& sink, const modular& value) { sink << value.residue; }
};

using headrace::in, headrace::out;

std::string sum_of_lines(headrace::reader& from);  // in included.cpp

int main() {
  int count;
  in >> count;
  std::vector<double> values(static_cast<std::size_t>(count));
  in.read(values);
  modular seventh;
  in >> seventh;
  out << headrace::fixed(values[0] + values[1], 2) << ' ' << seventh << ' ' << sum_of_lines(in) << '\n';
  headrace::reader table = headrace::reader::from(std::string_view("7,x\n8,y\n"));
  for (auto& [number, letter] : table.rows<int, char>(headrace::csv)) out.print(number, letter, ' ');
  out << headrace::split_text("1 2 3 4", 2).size() << '\n';
  try {
    out << in.read<int>();
  } catch (const headrace::input_error& error) {
    out.println(error.code() == headrace::errc::malformed, ' ', error.what());
  }
}
