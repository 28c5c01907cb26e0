#include <iostream>
#include <array>

struct Row {
  int id, qty;
  double price, delta;
  int flag;
};

std::istream& operator>>(std::istream& in, Row& r) {
  char comma;
  return in >> r.id >> comma >> r.qty >> comma >> r.price >> comma >> r.delta >> comma >> r.flag;
}

int main() {
  std::ios_base::sync_with_stdio(false);
  std::cin.tie(nullptr);
  Row r;
  double turnover = 0, worst = 0;
  long long flags = 0;
  int n = 0;
  while (std::cin >> r) {
    turnover += r.qty * r.price;
    if (r.delta < worst) worst = r.delta;
    flags += r.flag;
    ++n;
  }
  std::cout.precision(12);
  std::cout << n << ' ' << turnover << ' ' << worst << ' ' << flags << '\n';
}
