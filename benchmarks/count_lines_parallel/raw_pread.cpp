#include <atomic>
#include <thread>
#include <vector>

#include <unistd.h>

int main() {
  constexpr std::size_t piece = 124 << 10;
  std::atomic<std::size_t> next{0};
  const auto work = [&next] {
    std::vector<char> buffer(piece);
    while (pread(0, buffer.data(), piece, static_cast<off_t>(next++ * piece)) > 0) {}
  };
  std::vector<std::thread> others;
  for (int i = 1; i < THREADS; ++i) others.emplace_back(work);
  work();
  for (std::thread& each : others) each.join();
}
