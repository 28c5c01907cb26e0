// Ends the process, with a stack in the log of CTest, where a test waits for what never comes. Windows has no alarm():
// whoever runs the tests there has a limit of time.
#pragma once

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace test {

#if defined(_WIN32)
using in_time = ::testing::Test;
#else
class in_time : public ::testing::Test {
 protected:
  void SetUp() override { ::alarm(30); }
  void TearDown() override { ::alarm(0); }
};
#endif

}  // namespace test
