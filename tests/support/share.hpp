// Long tests do one part in HEADRACE_TEST_SHARE of their work: in an emulator, which takes many times as long, and in
// `make test`. Where it is not set they do all of it, and a fifth under a sanitizer, which finds in that what it finds
// in all; values are checked in the build without one.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "sanitized.hpp"

namespace test {

inline std::size_t share() {
  static const int parts = [] {
    const char* const wish = std::getenv("HEADRACE_TEST_SHARE");
    if (wish == nullptr) return is_sanitized ? 5 : 1;
    return std::atoi(wish);
  }();
  return parts < 1 ? 1 : static_cast<std::size_t>(parts);
}

// How many of `count` random cases are tried.
inline int share_of(int count) { return count / static_cast<int>(share()); }

// Whose turn it is, where one in share() is tried: each way takes its turn, as they go on from case to case.
class turns {
 public:
  bool next() { return count_++ % share() == 0; }

 private:
  std::size_t count_ = 0;
};

}  // namespace test
