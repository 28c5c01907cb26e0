// Long tests do one part in HEADRACE_TEST_SHARE of their work where that is set: in an emulator and under a sanitizer,
// which take many times as long.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace test {

inline std::size_t share() {
  static const int parts = [] {
    const char* const wish = std::getenv("HEADRACE_TEST_SHARE");
    return wish == nullptr ? 1 : std::atoi(wish);
  }();
  return parts < 1 ? 1 : static_cast<std::size_t>(parts);
}

// How many of `count` random cases are tried.
inline int share_of(int count) { return count / static_cast<int>(share()); }

}  // namespace test
