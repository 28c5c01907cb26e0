// Linked into every test that runs once for each SIMD kernel. The library answers a wish for a kernel that the
// machine lacks with the best one it has; a test must not pass for a kernel that never ran, so it is skipped.
#include <headrace/detail/simd/dispatch.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const char* name_of(headrace::detail::kernel kernel) {
  constexpr const char* names[] = {"scalar", "sse41", "avx2", "avx512", "neon"};
  return names[static_cast<int>(kernel)];
}

class kernel_environment : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* wish = std::getenv("HEADRACE_SIMD");
    const std::string chosen = name_of(headrace::detail::chosen_kernel());
    if (wish != nullptr && chosen != wish) {
      std::printf("skipped: HEADRACE_SIMD=%s: this machine cannot run that kernel (it would run %s)\n", wish,
                  chosen.c_str());
      std::exit(77);  // CTest: skipped
    }
  }
};

[[maybe_unused]] const auto* const registered = ::testing::AddGlobalTestEnvironment(new kernel_environment);

}  // namespace
