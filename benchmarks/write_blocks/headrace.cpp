#include <headrace/headrace.hpp>

#include <string_view>
#include <vector>

int main() {
  std::vector<char> block(1 << 20);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<char>('a' + i % 26);
  for (int i = 0; i < 100; ++i) headrace::out.write(std::string_view(block.data(), block.size()));
}
