#include <string_view>
#include <vector>

#include <fmt/os.h>

int main() {
  std::vector<char> block(1 << 20);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<char>('a' + i % 26);
  auto out = fmt::output_file("/dev/stdout");
  for (int i = 0; i < 100; ++i) out.print("{}", std::string_view(block.data(), block.size()));
}
