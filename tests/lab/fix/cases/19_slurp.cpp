#include <array>
#include <iostream>
#include <iterator>
#include <string>

std::string readAll(std::istream& in) {
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

int main() {
  const std::string text = readAll(std::cin);
  std::array<long, 256> freq{};
  for (unsigned char c : text) ++freq[c];
  for (int c = 'a'; c <= 'z'; ++c) std::cout << static_cast<char>(c) << ' ' << freq[c] << '\n';
  std::cout << text.size() << " bytes\n";
}
