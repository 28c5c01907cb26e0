#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdio>
#include <thread>
#include <vector>

long long add(const char* at, const char* end) {
  long long sum = 0;
  while (at != end) {
    const bool negative = *at == '-';
    at += negative;
    int value = 0;
    for (; at != end && *at >= '0'; ++at) value = value * 10 + (*at - '0');
    sum += negative ? -value : value;
    if (at != end) ++at;
  }
  return sum;
}

int main() {
  struct stat file;
  if (fstat(0, &file) != 0) return 1;
  const auto size = static_cast<std::size_t>(file.st_size);
  const char* const text = static_cast<const char*>(mmap(nullptr, size, PROT_READ, MAP_PRIVATE, 0, 0));
  if (text == MAP_FAILED) return 1;
  const char* first = text;
  while (*first++ != '\n') {}  // "rows columns"
  std::vector<const char*> cuts{first};
  for (int i = 1; i < THREADS; ++i) {
    const char* cut = first + (size - static_cast<std::size_t>(first - text)) / THREADS * static_cast<std::size_t>(i);
    while (*cut > ' ') ++cut;
    cuts.push_back(cut + 1);
  }
  cuts.push_back(text + size);
  std::vector<long long> sums(THREADS);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < THREADS; ++i) {
    threads.emplace_back([&, i] { sums[i] = add(cuts[i], cuts[i + 1]); });
  }
  for (std::thread& each : threads) each.join();
  long long sum = 0;
  for (const long long each : sums) sum += each;
  std::printf("%lld\n", sum);
}
