// Whether this program runs under a sanitizer, which keeps memory of its own.
#pragma once

#if defined(__has_feature)
#define TEST_HAS(feature) __has_feature(feature)
#else
#define TEST_HAS(feature) 0
#endif

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || TEST_HAS(address_sanitizer) || \
    TEST_HAS(thread_sanitizer) || TEST_HAS(memory_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

}  // namespace test

#undef TEST_HAS
