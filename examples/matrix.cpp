// A contest task: an r x c matrix and a c x k matrix; print their product, one row per line.
#include <headrace/headrace.hpp>

#include <array>
#include <vector>

using headrace::in, headrace::out;
using matrix = std::vector<std::vector<long long>>;

matrix read_matrix(std::size_t rows, std::size_t columns) {
  matrix m(rows, std::vector<long long>(columns));
  for (auto& row : m) in.read(row);
  return m;
}

int main() {
  const auto [rows, shared, columns] = in.read<std::array<std::size_t, 3>>();
  const matrix a = read_matrix(rows, shared);
  const matrix b = read_matrix(shared, columns);
  matrix product(rows, std::vector<long long>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < shared; ++k) {
      for (std::size_t j = 0; j < columns; ++j) product[i][j] += a[i][k] * b[k][j];
    }
  }
  out << product << '\n';  // a range of ranges: spaces in a row, newlines between rows
}
