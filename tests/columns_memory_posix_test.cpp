// What rows of a pipe take of memory, as the system counts it (VmHWM). The texts are made while they are read.
// HEADRACE_COLUMNS_BYTES and HEADRACE_LINE_BYTES make them longer: 10 GB and 1 GB are what the documents tell of.
#include <headrace/columns.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <unistd.h>

#include "support/sanitized.hpp"

namespace {

constexpr std::uint64_t mebibyte = 1024 * 1024;

std::uint64_t bytes_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A number of kibibytes in /proc/self/status, in bytes; 0: there is none.
std::uint64_t memory(const char* what) {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  std::uint64_t found = 0;
  while (found == 0 && std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, what, std::strlen(what)) == 0) found = std::strtoull(line + std::strlen(what), nullptr, 10);
  }
  std::fclose(file);
  return found * 1024;
}

// From here on the peak is counted anew; false where that cannot be done.
bool forget_peak() {
  std::FILE* const file = std::fopen("/proc/self/clear_refs", "w");
  if (file == nullptr) return false;
  const bool written = std::fputs("5", file) >= 0;
  return std::fclose(file) == 0 && written && memory("VmHWM:") != 0;
}

// `count` times `piece`, and then `last`, into a pipe, of which the end to read from is returned.
class piped_text {
 public:
  piped_text(std::string piece, std::uint64_t count, std::string last) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    descriptor = ends[0];
    writer_ = std::thread([piece = std::move(piece), count, last = std::move(last), to = ends[1]] {
      for (std::uint64_t i = 0; i < count; ++i) write_all(to, piece);
      write_all(to, last);
      ::close(to);
    });
  }
  ~piped_text() {
    writer_.join();
    ::close(descriptor);
  }
  int descriptor;

 private:
  static void write_all(int to, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t got = ::write(to, text.data() + done, text.size() - done);
      if (got <= 0) std::abort();
      done += static_cast<std::size_t>(got);
    }
  }
  std::thread writer_;
};

struct trade {
  std::int64_t id;
  std::string_view name;
  double price;
  std::uint32_t volume;
};

TEST(columns_memory, rows_of_a_pipe_take_that_of_a_window) {
  if (test::is_sanitized) GTEST_SKIP() << "a sanitizer keeps memory of its own";
  const std::uint64_t bytes = bytes_of("HEADRACE_COLUMNS_BYTES", 32 * mebibyte);
  const std::string row = "12345678,\"a, b\",1234.25,99\n";
  std::string piece;
  while (piece.size() < 64 * 1024) piece += row;
  const std::uint64_t count = bytes / piece.size() + 1;
  piped_text text(piece, count, "");
  if (!forget_peak()) GTEST_SKIP() << "the system does not tell the peak of a process";
  const std::uint64_t before = memory("VmRSS:");
  headrace::reader in(text.descriptor);
  std::uint64_t rows = 0, wrong = 0;
  for (const trade& each : in.rows<trade>(headrace::csv)) {
    wrong += each.id != 12345678 || each.name != "a, b" || each.price != 1234.25 || each.volume != 99;
    ++rows;
  }
  EXPECT_EQ(rows, count * (piece.size() / row.size()));
  EXPECT_EQ(wrong, 0u);
  const std::uint64_t grown = memory("VmHWM:") - before;
  std::printf("%llu MB by rows: %llu KiB\n", static_cast<unsigned long long>(count * piece.size() / 1000000),
              static_cast<unsigned long long>(grown / 1024));
  EXPECT_LT(grown, 2 * mebibyte);
}

// A row is kept whole, so this takes its length, and while the buffer grows that once more.
TEST(columns_memory, a_line_without_a_separator_is_an_error_and_takes_its_length) {
  if (test::is_sanitized) GTEST_SKIP() << "a sanitizer keeps memory of its own";
  const std::uint64_t bytes = bytes_of("HEADRACE_LINE_BYTES", 16 * mebibyte);
  const std::string piece(64 * 1024, 'x');
  const std::uint64_t count = bytes / piece.size() + 1;
  piped_text text(piece, count, "\n1,2\n");
  if (!forget_peak()) GTEST_SKIP() << "the system does not tell the peak of a process";
  const std::uint64_t before = memory("VmRSS:");
  headrace::reader in(text.descriptor);
  auto rows = in.rows<int, int>(headrace::csv);
  std::tuple<int, int> row;
  const headrace::read_result got = rows.parse_row(row);
  ASSERT_FALSE(got);
  EXPECT_NE(std::string(got.error->what()).find("expected 2 fields, found 1"), std::string::npos) << got.error->what();
  ASSERT_TRUE(rows.skip_row());
  ASSERT_TRUE(rows.try_read_row(row));
  EXPECT_EQ(row, std::make_tuple(1, 2));
  EXPECT_FALSE(rows.try_read_row(row));
  const std::uint64_t grown = memory("VmHWM:") - before;
  std::printf("a line of %llu MB: %llu MB\n", static_cast<unsigned long long>(count * piece.size() / 1000000),
              static_cast<unsigned long long>(grown / 1000000));
  EXPECT_LT(grown, 3 * count * piece.size() + 4 * mebibyte);
}

}  // namespace
