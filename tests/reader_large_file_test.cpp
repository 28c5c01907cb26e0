// Positions beyond 4 GiB. The file is one hole; to find a line the reader reads all before it again, and the kernel
// would fill the page cache with zeros, so pread() below gives them.
#include <headrace/reader.hpp>

#include <gtest/gtest.h>

#include <cstring>

#include "support/ends.hpp"

namespace {
constexpr std::int64_t far_offset = (std::int64_t(1) << 32) + 5;
int hole_reads = 0;

ssize_t give_zeros(void* to, std::size_t size, std::int64_t offset) {
  if (offset + static_cast<std::int64_t>(size) > far_offset) size = static_cast<std::size_t>(far_offset - offset);
  if (size > 65536) size = 65536;
  std::memset(to, 0, size);
  ++hole_reads;
  return static_cast<ssize_t>(size);
}
}  // namespace

#if defined(__GLIBC__)
extern "C" ssize_t pread64(int, void* to, size_t size, off64_t offset) { return give_zeros(to, size, offset); }
#else
extern "C" ssize_t pread(int, void* to, size_t size, off_t offset) { return give_zeros(to, size, offset); }
#endif

namespace {

TEST(reader_large_file, positions_beyond_4_GiB) {
  const test::temporary_file file;
  if (headrace::detail::seek(file.get(), far_offset, SEEK_SET) != far_offset)
    GTEST_SKIP() << "no offsets of 64 bits here";
  const std::string text = "\n12 x\n";
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    GTEST_SKIP() << "no file of 4 GiB here: " << std::strerror(errno);
  }
  headrace::detail::seek(file.get(), far_offset, SEEK_SET);
  headrace::reader from(file.get());
  EXPECT_EQ(from.read<int>(), 12);
  int value = 5;
  const headrace::read_result result = from.parse(value);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error->offset(), static_cast<std::uint64_t>(far_offset) + 4);
  EXPECT_EQ(result.error->line(), 2u);
  EXPECT_EQ(result.error->column(), 4u);
  EXPECT_EQ(value, 5);
  EXPECT_GT(hole_reads, 1000);
}

}  // namespace
