// Linked into every test that runs once for each SIMD kernel. The library answers a wish for a kernel that the
// machine lacks with the best one it has; a test must not pass for a kernel that never ran, so it is skipped.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels.hpp"

namespace {

class kernel_environment : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* wish = std::getenv("HEADRACE_SIMD");
    const char* chosen = test::chosen_kernel_name();
    if (wish != nullptr && std::strcmp(wish, chosen) != 0) {
      std::printf("skipped: HEADRACE_SIMD=%s: this machine cannot run that kernel (it would run %s)\n", wish, chosen);
      std::exit(77);  // CTest: skipped
    }
  }
};

[[maybe_unused]] const auto* const registered = ::testing::AddGlobalTestEnvironment(new kernel_environment);

}  // namespace
