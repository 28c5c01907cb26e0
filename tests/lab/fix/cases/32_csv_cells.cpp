#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

template <typename T>
T convert(const std::string& cell) {
  std::istringstream is(cell);
  T v{};
  is >> v;
  return v;
}

template <typename T>
std::string show(const T& v) {
  std::ostringstream os;
  os << v;
  return os.str();
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::string line;
  long sum = 0;
  while (std::getline(std::cin, line)) {
    std::size_t a = line.find(',');
    std::size_t b = line.find(',', a + 1);
    std::size_t z = line.rfind(',');
    int id = convert<int>(line.substr(0, a));
    int qty = convert<int>(line.substr(a + 1, b - a - 1));
    int flag = convert<int>(line.substr(z + 1));
    sum += static_cast<long>(qty) * flag;
    std::cout << show(id) + "=" + show(sum) + "\n";
  }
}
