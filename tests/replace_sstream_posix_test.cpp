// replace_sstream.hpp: buffers of more than 2 GiB, of which streambuf::gbump and pbump take no count.
#include <headrace/replace/string_stream.hpp>  // (GoogleTest names string streams: no macros here)

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <streambuf>
#include <string>

namespace {

namespace replace = headrace::detail::replace;
using pointers = replace::buffer_pointers;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

// Addresses alone: nothing is behind them.
class wide_buffer final : public std::streambuf {
 public:
  explicit wide_buffer(std::size_t size) : size_(size) {
    void* const place = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return;
    begin = static_cast<char*>(place);
    setg(begin, begin, begin + size);
    setp(begin, begin + size);
  }
  ~wide_buffer() override {
    if (begin != nullptr) ::munmap(begin, size_);
  }
  const char* first() const { return eback(); }

  char* begin = nullptr;

 private:
  std::size_t size_;
};

TEST(replace_sstream, counts_past_2_gib) {
  if (sizeof(std::size_t) < 8) GTEST_SKIP() << "no buffer has so many bytes here";
  const auto size = static_cast<std::size_t>(13 * gib);
  wide_buffer buffer(size);
  if (buffer.begin == nullptr) GTEST_SKIP() << "no addresses for 13 GiB";
  std::size_t at = 0;
  for (const std::uint64_t step :
       {std::uint64_t{1}, 2 * gib - 1, 2 * gib, std::uint64_t{0}, 4 * gib, 4 * gib + 7, std::uint64_t{20}}) {
    at += static_cast<std::size_t>(step);
    pointers::take(buffer, static_cast<std::size_t>(step));
    pointers::put(buffer, static_cast<std::size_t>(step));
    EXPECT_EQ(pointers::here(buffer) - buffer.begin, static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(pointers::written(buffer) - buffer.begin, static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(pointers::end(buffer) - buffer.begin, static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(pointers::limit(buffer) - buffer.begin, static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(buffer.first(), buffer.begin);
  }
}

// A line, blanks and a text of more than 2 GiB each, in at most 9 GiB of memory.
TEST(replace_sstream, reads_and_writes_more_than_2_gib) {
  if (std::getenv("HEADRACE_BIG") == nullptr) GTEST_SKIP() << "takes 9 GiB of memory: HEADRACE_BIG=1 runs it";
  constexpr std::size_t size = (std::size_t{1} << 31) + 12345;
  {
    std::string text(size, 'x');
    text += "\n12";
    replace::string_stream<std::istringstream> in(text);
    std::string().swap(text);
    std::string line;
    ASSERT_TRUE(getline(in, line));
    EXPECT_EQ(line.size(), size);
    EXPECT_EQ(in.tellg(), std::streampos(static_cast<std::streamoff>(size + 1)));
    int number = 0;
    in >> number;
    EXPECT_EQ(number, 12);
    EXPECT_TRUE(in.eof());
  }
  std::string text(size, ' ');
  text += "7 8";
  replace::string_stream<std::stringstream> both(text);
  int number = 0;
  both >> number;
  EXPECT_EQ(number, 7);
  EXPECT_EQ(both.tellg(), std::streampos(static_cast<std::streamoff>(size + 1)));
  std::string().swap(text);
  text.assign(size, 'y');
  both << text << 'z';
  EXPECT_EQ(both.tellp(), std::streampos(static_cast<std::streamoff>(size + 1)));
  both >> number;
  EXPECT_EQ(number, 8);
}

}  // namespace
