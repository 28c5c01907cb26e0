// The numbers from 1 to n x n in a spiral: a table as output.
//
// Input:  n
// Output: n rows of n integers
#include <headrace/headrace.hpp>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n;
  in >> n;
  std::vector<std::vector<int>> table(n, std::vector<int>(n));
  int row = 0, column = 0, down = 0, right = 1;
  for (int number = 1; number <= n * n; ++number) {
    table[row][column] = number;
    int y = row + down, x = column + right;
    if (y < 0 || y >= n || x < 0 || x >= n || table[y][x] != 0) {
      int turned = right;
      right = -down;
      down = turned;
    }
    row += down;
    column += right;
  }
  for (auto& line : table)
    for (int i = 0; i < n; ++i) out << line[i] << (i + 1 < n ? ' ' : '\n');
}
