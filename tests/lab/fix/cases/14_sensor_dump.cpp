#include <iomanip>
#include <iostream>
#include <vector>
using std::cout;

struct Sample {
  double t, x, y;
};

std::vector<Sample> simulate(int n) {
  std::vector<Sample> v;
  double x = 0.1, y = 0.7;
  for (int i = 0; i < n; ++i) {
    x = 3.7 * x * (1 - x);
    y = 3.9 * y * (1 - y);
    v.push_back({i * 0.01, x * 100, y * 1000});
  }
  return v;
}

int main() {
  std::ios::sync_with_stdio(false);
  auto samples = simulate(150000);
  cout << std::fixed << std::setprecision(6);
  for (const auto& s : samples)
    cout << std::setw(12) << s.t << ',' << std::setw(12) << s.x << ',' << std::setw(12) << s.y << '\n';
}
