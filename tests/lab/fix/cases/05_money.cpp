#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

class Money {
 public:
  explicit Money(int64_t cents) : cents_(cents) {}
  bool operator<(const Money& o) const { return cents_ < o.cents_; }
  friend std::ostream& operator<<(std::ostream& os, const Money& m);

 private:
  int64_t cents_;
};

std::ostream& operator<<(std::ostream& os, const Money& m) {
  int64_t c = m.cents_ < 0 ? -m.cents_ : m.cents_;
  if (m.cents_ < 0) os << '-';
  os << '$' << c / 100 << '.' << (c % 100 < 10 ? "0" : "") << c % 100;
  os.flush();
  return os;
}

struct Booking {
  int id;
  Money amount;
};

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::vector<Booking> all;
  int v, id = 0;
  while (all.size() < 320000 && std::cin >> v) all.push_back({++id, Money(v / 10)});
  for (const auto& b : all) std::cout << b.id << '\t' << b.amount << '\n';
  auto mx =
      std::max_element(all.begin(), all.end(), [](const Booking& a, const Booking& b) { return a.amount < b.amount; });
  if (mx != all.end()) std::cout << "largest " << mx->amount << '\n';
}
