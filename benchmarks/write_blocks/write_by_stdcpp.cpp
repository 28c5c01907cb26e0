#include <fstream>
#include <vector>

int main() {
  std::vector<char> block(1 << 20);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<char>('a' + i % 26);
  std::ofstream out("/dev/stdout");
  for (int i = 0; i < 100; ++i) out.write(block.data(), static_cast<std::streamsize>(block.size()));
  out.close();
  return out ? 0 : 1;
}
