// Long tests do one part in HEADRACE_TEST_SHARE of their work where that is set: in an emulator and under a sanitizer,
// which take many times as long.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace test {

inline std::size_t share() {
  const char* const wish = std::getenv("HEADRACE_TEST_SHARE");
  const int parts = wish == nullptr ? 1 : std::atoi(wish);
  return parts < 1 ? 1 : static_cast<std::size_t>(parts);
}

}  // namespace test
