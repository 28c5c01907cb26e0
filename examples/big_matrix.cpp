// "rows columns", then that many doubles: prints the sum of each column. A row at a time, so that a matrix of any
// size needs the memory of one row; in bulk, because the numbers are all that costs time here.
#include <headrace/headrace.hpp>

#include <vector>

using headrace::in, headrace::out;

int main() {
  std::size_t rows = 0, columns = 0;
  in >> rows >> columns;
  std::vector<double> row(columns), sums(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    in.read(row);
    for (std::size_t j = 0; j < columns; ++j) sums[j] += row[j];
  }
  out.write_range(sums, ' ');
  out << '\n';
}
