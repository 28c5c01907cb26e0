#include <charconv>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  std::vector<int> all;
  for (int round = 0; round < 100; ++round) all.insert(all.end(), values.begin(), values.end());
  std::vector<std::string> texts(THREADS);
  const auto format = [&](std::size_t i) {
    const std::size_t first = all.size() / THREADS * i,
                      last = i + 1 == THREADS ? all.size() : first + all.size() / THREADS;
    std::string& text = texts[i];
    text.resize((last - first) * 12);
    char* to = text.data();
    for (std::size_t k = first; k < last; ++k) {
      to = std::to_chars(to, to + 12, all[k]).ptr;
      *to++ = '\n';
    }
    text.resize(static_cast<std::size_t>(to - text.data()));
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < THREADS; ++i) threads.emplace_back(format, i);
  for (std::thread& each : threads) each.join();
  for (const std::string& text : texts) {
    for (std::size_t done = 0; done < text.size();) {
      const auto put = ::write(1, text.data() + done, text.size() - done);
      if (put < 0) return 1;
      done += static_cast<std::size_t>(put);
    }
  }
}
