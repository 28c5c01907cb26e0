// What a reader asks the system for, and what it makes of the answers: read() and pread() of the whole program pass by
// here, are counted, and fail where a test wants it.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace test {

// What becomes of the calls for one descriptor.
struct calls {
  int descriptor = -1;
  std::vector<int> errors;            // of the next calls of read(), 0 where it goes well
  bool pread_fails = false;           // with EIO
  std::uint64_t bytes_again = 0;      // that pread() gave
  std::vector<std::uintptr_t> where;  // read() put its bytes
};
inline calls observed;

inline bool is_observed(int descriptor) { return descriptor >= 0 && descriptor == observed.descriptor; }

inline ssize_t give(int descriptor, void* to, std::size_t size) {
  if (!is_observed(descriptor)) return static_cast<ssize_t>(::syscall(SYS_read, descriptor, to, size));
  observed.where.push_back(reinterpret_cast<std::uintptr_t>(to));
  if (!observed.errors.empty()) {
    errno = observed.errors.front();
    observed.errors.erase(observed.errors.begin());
    if (errno != 0) return -1;
  }
  return static_cast<ssize_t>(::syscall(SYS_read, descriptor, to, size));
}

inline ssize_t give_again(int descriptor, void* to, std::size_t size, std::int64_t offset) {
  if (is_observed(descriptor) && observed.pread_fails) {
    errno = EIO;
    return -1;
  }
  const iovec part{to, size};
  const ssize_t got = ::preadv(descriptor, &part, 1, static_cast<off_t>(offset));
  if (is_observed(descriptor) && got > 0) observed.bytes_again += static_cast<std::uint64_t>(got);
  return got;
}

}  // namespace test

extern "C" ssize_t read(int descriptor, void* to, size_t size) { return test::give(descriptor, to, size); }
#if defined(__GLIBC__)
extern "C" ssize_t pread64(int descriptor, void* to, size_t size, off64_t offset) {
  return test::give_again(descriptor, to, size, offset);
}
#else
extern "C" ssize_t pread(int descriptor, void* to, size_t size, off_t offset) {
  return test::give_again(descriptor, to, size, offset);
}
#endif

#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>

#include "support/ends.hpp"
#include "support/in_time.hpp"
#include "support/errors.hpp"

namespace {

using headrace::input_error;
using headrace::reader;
using test::error_of;
using test::observed;
using test::temporary_file;

class calls : public test::in_time {
 protected:
  void TearDown() override {
    observed = {};
    test::in_time::TearDown();
  }
  static void observe(int descriptor) { observed.descriptor = descriptor; }
};

// ---- errors cost no more than what was read: 1,280,000 in 5 MB, by bytes that are read again, or within 30 s where
// nothing can be counted (the square of this takes many minutes) ----

constexpr std::uint64_t bad_tokens = 1280000;

std::string bad_text() {
  std::string text;
  for (std::uint64_t i = 0; i < bad_tokens; ++i) text += i % 10 == 9 ? "bad\n" : "bad ";
  return text;
}

void expect_bad_tokens(reader& from) {
  std::uint64_t count = 0;
  for (int value; !from.at_end(); from.skip()) {
    const auto result = from.parse(value);
    ASSERT_FALSE(result);
    ASSERT_EQ(result.error->line(), count / 10 + 1);
    ASSERT_EQ(result.error->column(), count % 10 * 4 + 1);
    ++count;
  }
  EXPECT_EQ(count, bad_tokens);
}

TEST_F(calls, many_errors_in_a_file) {
  const std::string text = bad_text();
  const temporary_file file(text);
  observe(file.get());
  reader from(file.get());
  expect_bad_tokens(from);
  EXPECT_LE(observed.bytes_again, text.size());
}

TEST_F(calls, where_after_each_word_of_a_file) {
  const std::string text = bad_text();
  const temporary_file file(text);
  observe(file.get());
  reader from(file.get());
  std::uint64_t count = 0;
  while (from.skip()) {
    const headrace::position at = from.where();
    ASSERT_EQ(at.offset, count * 4 + 3);
    ASSERT_EQ(at.line, count / 10 + 1);
    ++count;
  }
  EXPECT_EQ(count, bad_tokens);
  EXPECT_LE(observed.bytes_again, text.size());
}

TEST_F(calls, many_errors_in_memory) {
  const std::string text = bad_text();
  reader from = reader::from(text);
  expect_bad_tokens(from);
}

TEST_F(calls, many_errors_in_a_pipe) {
  test::pipe_ends pipe = test::make_pipe();
  std::thread writer([&] {
    test::write_all(pipe.write.get(), bad_text());
    pipe.write.close();
  });
  observe(pipe.read.get());
  reader from(pipe.read.get());
  expect_bad_tokens(from);
  writer.join();
  EXPECT_EQ(observed.bytes_again, 0u);
}

// ---- errors of the system ----

// These three are also what a token that is no number, a number out of range, and the end of input are called.
TEST_F(calls, an_error_of_read_is_the_system_s) {
  for (const int error : {EINVAL, ERANGE, ENOMSG, EIO}) {
    const test::pipe_ends pipe = test::make_pipe();
    test::write_all(pipe.write.get(), "12 ");
    observe(pipe.read.get());
    observed.errors = {error, error, error};
    reader from(pipe.read.get(), "<pipe>");
    int value = 7;
    const input_error thrown = error_of([&] { from >> value; });
    EXPECT_EQ(thrown.code(), static_cast<std::errc>(error));
    EXPECT_EQ(&thrown.code().category(), &std::generic_category());
    EXPECT_FALSE(thrown.at_end());
    EXPECT_EQ(std::string_view(thrown.what()).substr(0, 21), "<pipe>: cannot read: ");
    EXPECT_EQ(error_of([&] { (void)from.try_read(value); }).code(), static_cast<std::errc>(error));
    EXPECT_EQ(error_of([&] { (void)from.at_end(); }).code(), static_cast<std::errc>(error));
    EXPECT_EQ(value, 7);
    EXPECT_EQ(from.read<int>(), 12);
  }
}

TEST_F(calls, a_file_that_cannot_be_read_again_has_no_lines) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "12345\n";
  const temporary_file file(text + "bad\n");
  observe(file.get());
  observed.pread_fails = true;
  reader from(file.get(), "<file>");
  std::vector<int> values(50000);
  from.read(values);
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_STREQ(error.what(), "<file>: at byte 300000: expected an integer, found \"bad\"");
  EXPECT_EQ(error.line(), 0u);
  EXPECT_EQ(error.offset(), 300000u);
  EXPECT_EQ(from.where().line, 0u);
  observed.pread_fails = false;  // which may pass
  EXPECT_EQ(from.where().line, 50001u);
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).line(), 50001u);
}

// ---- alignment ----

TEST_F(calls, reads_are_aligned_again_after_a_long_token) {
  std::string text = std::string(300001, 'x') + "\n";
  for (int i = 0; i < 200000; ++i) text += "11 ";
  const temporary_file file(text);
  observe(file.get());
  reader from(file.get());
  EXPECT_EQ(from.read<std::string>().size(), 300001u);
  observed.where.clear();
  int count = 0;
  for (int value; from.try_read(value);) ++count;
  EXPECT_EQ(count, 200000);
  ASSERT_GT(observed.where.size(), 3u);
  const auto begin = observed.where.begin() + 1;  // the first may go on after what was read with the long one
  EXPECT_EQ(std::count_if(begin, observed.where.end(), [](std::uintptr_t to) { return to % 4096 >= 64; }), 0);
}

}  // namespace
