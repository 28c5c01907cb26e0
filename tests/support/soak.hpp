// `make soak`: tests named soak go on for as many seconds as HEADRACE_SOAK says; without it they do nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace test {

class soak {
 public:
  using clock = std::chrono::steady_clock;

  explicit soak(const char* what) : what_(what) {
    const char* const wish = std::getenv("HEADRACE_SOAK");
    seconds_ = wish == nullptr ? 0 : std::atoi(wish);
    const char* const again = std::getenv("HEADRACE_SOAK_SEED");
    seed_ = again != nullptr ? static_cast<std::uint32_t>(std::strtoul(again, nullptr, 10))
                             : static_cast<std::uint32_t>(clock::now().time_since_epoch().count() >> 16);
    if (seconds_ > 0) {
      std::printf("seed %u\n", seed_);
      std::fflush(stdout);  // before a crash
    }
    end_ = clock::now() + std::chrono::seconds(seconds_);
  }
  soak(const soak&) = delete;
  soak& operator=(const soak&) = delete;
  ~soak() {
    if (seconds_ > 0) std::printf("%llu %s in %d s\n", static_cast<unsigned long long>(rounds_), what_, seconds_);
  }

  bool goes_on() {
    if (clock::now() >= end_) return false;
    ++rounds_;
    return true;
  }
  // One that no run before had, or HEADRACE_SOAK_SEED.
  std::uint32_t seed() const { return seed_; }

 private:
  const char* what_;
  int seconds_ = 0;
  std::uint32_t seed_ = 0;
  clock::time_point end_;
  std::uint64_t rounds_ = 0;
};

}  // namespace test
