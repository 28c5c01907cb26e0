// The container of whole columns: what std::vector would hold, in every way to grow; and read_all().
#include <headrace/column.hpp>
#include <headrace/columns.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"

#if defined(__linux__)
#include <cerrno>
#include <cstdarg>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The system's, or one that fails after it has unmapped its target, where another thread then maps memory of its own.
static bool moves_fail = false;
static char* others = nullptr;
extern "C" void* mremap(void* from, std::size_t size, std::size_t wanted, int flags, ...) noexcept {
  std::va_list more;
  va_start(more, flags);
  void* const target = va_arg(more, void*);
  va_end(more);
  if (!moves_fail) {
    return reinterpret_cast<void*>(::syscall(SYS_mremap, from, size, wanted, flags, target));
  }
  ::munmap(target, wanted);
  others = static_cast<char*>(
      ::mmap(target, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
  others[0] = 'x';
  errno = ENOMEM;
  return MAP_FAILED;
}
#endif

namespace {

using headrace::column;

#if defined(__linux__) && defined(__cpp_exceptions)
TEST(column, leaves_memory_alone_that_is_others_when_its_pages_cannot_move) {
  column<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 1u << 20; ++i) numbers.push_back(i);
  moves_fail = true;
  EXPECT_THROW(numbers.reserve(std::size_t(1) << 23), std::bad_alloc);
  moves_fail = false;
  ASSERT_NE(others, nullptr);
  unsigned char is_there = 0;  // mincore(2) fails where nothing is mapped
  ASSERT_EQ(::mincore(others, 1, &is_there), 0);
  EXPECT_EQ(others[0], 'x');
  EXPECT_EQ(numbers.size(), std::size_t(1) << 20);
  EXPECT_EQ(numbers.back(), (1u << 20) - 1);
}
#endif

TEST(column, is_empty_at_first) {
  const column<int> none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_TRUE(none.to_vector().empty());
}

TEST(column, grows_past_a_large_page_and_keeps_what_it_holds) {
  column<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 3000000; ++i) numbers.push_back(i * 7);
  ASSERT_EQ(numbers.size(), 3000000u);
  for (std::uint32_t i = 0; i < 3000000; ++i) ASSERT_EQ(numbers[i], i * 7);
  EXPECT_EQ(numbers.front(), 0u);
  EXPECT_EQ(numbers.back(), 2999999u * 7);
  EXPECT_EQ(numbers.to_vector().size(), 3000000u);
}

TEST(column, of_bool_is_an_array_of_bool) {
  column<bool> flags;
  for (int i = 0; i < 100; ++i) flags.push_back(i % 3 == 0);
  const bool* const first = flags.data();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(first[i], i % 3 == 0);
}

TEST(column, of_strings_moves_them) {
  column<std::string> words;
  for (int i = 0; i < 100000; ++i) words.push_back("a word that is longer than a short string " + std::to_string(i));
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(words[static_cast<std::size_t>(i)], "a word that is longer than a short string " + std::to_string(i));
  }
}

TEST(column, of_what_can_only_be_moved) {
  column<std::unique_ptr<int>> owners;
  for (int i = 0; i < 10000; ++i) owners.push_back(std::make_unique<int>(i));
  EXPECT_EQ(*owners[9999], 9999);
  owners.clear();
  EXPECT_TRUE(owners.empty());
}

TEST(column, is_filled_through_data) {
  column<double> values;
  for (std::size_t round = 0; round < 20; ++round) {
    double* const to = values.make_room(50000);
    std::iota(to, to + 50000, static_cast<double>(round));
    values.set_size(values.size() + 40000);  // not all of the room
  }
  ASSERT_EQ(values.size(), 800000u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<double>(i / 40000 + i % 40000));
  }
}

TEST(column, reserves_once) {
  column<std::int64_t> numbers;
  numbers.reserve(1000000);
  EXPECT_GE(numbers.capacity(), 1000000u);
  const std::int64_t* const first = numbers.make_room(1000000);
  std::fill_n(numbers.data(), 1000000, std::int64_t(-1));
  numbers.set_size(1000000);
  EXPECT_EQ(numbers.data(), first);
  numbers.clear();
  EXPECT_EQ(numbers.make_room(1), first);
}

TEST(column, is_moved) {
  column<int> from;
  for (int i = 0; i < 1000; ++i) from.push_back(i);
  const int* const first = from.data();
  column<int> to = std::move(from);
  EXPECT_EQ(to.data(), first);
  EXPECT_EQ(to.size(), 1000u);
  column<int> other;
  other.push_back(-1);
  other = std::move(to);
  EXPECT_EQ(other.data(), first);
  swap(other, to);
  EXPECT_EQ(to.data(), first);
}

TEST(column, starts_in_different_sets_of_the_cache) {
  column<int> a, b;
  a.reserve(1000000);
  b.reserve(1000000);
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(a.data()) % 4096, reinterpret_cast<std::uintptr_t>(b.data()) % 4096);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 16, 0u);
}

TEST(column, that_nothing_can_hold_throws) {
  column<int> numbers;
  numbers.push_back(5);
  EXPECT_THROW(numbers.reserve(~std::size_t(0) / 2), std::bad_alloc);
  EXPECT_THROW(numbers.reserve(~std::size_t(0) / (sizeof(void*) == 8 ? 16 : 8)), std::bad_alloc);  // of 4 bytes each
  EXPECT_THROW(numbers.make_room(~std::size_t(0)), std::bad_alloc);
  EXPECT_FALSE(numbers.try_reserve(~std::size_t(0) / 2));
  EXPECT_TRUE(numbers.try_reserve(1000000));
  ASSERT_EQ(numbers.size(), 1u);
  EXPECT_EQ(numbers[0], 5);
}

using headrace::text_column;

TEST(text_column, is_empty_at_first) {
  const text_column none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(none.ends()[0], 0);
  EXPECT_TRUE(none.to_vector().empty());
}

TEST(text_column, holds_what_was_added) {
  std::vector<std::string> expected;
  text_column texts;
  texts.reserve(10, 100);
  const char* const first = texts.data();
  for (std::size_t i = 0; i < 10; ++i) texts.push_back(expected.emplace_back(i, static_cast<char>('a' + i)));
  EXPECT_EQ(texts.data(), first);
  EXPECT_EQ(texts.bytes(), 45u);
  EXPECT_EQ(std::string(texts.data(), 6), "bccddd");
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(texts.ends()[i + 1], static_cast<std::int64_t>(i * (i + 1) / 2));
  for (std::size_t i = 0; i < 500000; ++i) texts.push_back(expected.emplace_back(std::to_string(i)));
  EXPECT_EQ(texts.to_vector(), expected);
  EXPECT_EQ(texts.front(), "");
  EXPECT_EQ(texts.back(), "499999");
  EXPECT_EQ(texts[9], "jjjjjjjjj");
  text_column other = std::move(texts);
  EXPECT_EQ(other.size(), expected.size());
  swap(other, texts);
  EXPECT_TRUE(other.empty());
  texts.clear();
  EXPECT_TRUE(texts.empty());
  texts.push_back("again");
  EXPECT_EQ(texts[0], "again");
  EXPECT_EQ(texts.ends()[1], 5);
}

TEST(text_column, takes_a_text_of_its_own) {
  text_column texts;
  texts.push_back("0123456789abcdef");
  while (texts.bytes() < (std::size_t(5) << 20)) {
    texts.push_back(texts.back());
    ASSERT_EQ(texts.back(), "0123456789abcdef");
  }
}

TEST(text_column, is_a_range_of_random_access) {
  const std::vector<std::string> words = {"a", "bc", "bcd", "e", "", "f"};
  text_column texts;
  for (const std::string& word : words) texts.push_back(word);
  const text_column::iterator begin = texts.begin(), end = texts.end();
  EXPECT_EQ(end - begin, 6);
  EXPECT_EQ(begin[2], "bcd");
  EXPECT_EQ(*(2 + begin), "bcd");
  EXPECT_EQ(*(end - 1), "f");
  EXPECT_TRUE(begin < end && end > begin && begin <= begin && end >= begin && begin != end);
  text_column::iterator at = begin;
  EXPECT_EQ(*at++, "a");
  EXPECT_EQ(*at--, "bc");
  EXPECT_EQ(*++at, "bc");
  EXPECT_EQ(*--at, "a");
  EXPECT_EQ(std::lower_bound(begin, begin + 4, "bcc") - begin, 2);
  EXPECT_EQ(*std::max_element(begin, end), "f");
  std::string written;
  headrace::writer to = headrace::writer::into(written);
  to.write_range(texts, ' ');
  to.flush();
  EXPECT_EQ(written, "a bc bcd e  f");
}

TEST(text_column, is_made_of_bytes_and_ends) {
  column<char> bytes;
  column<std::int64_t> ends;
  for (const char byte : std::string("abc")) bytes.push_back(byte);
  for (const std::int64_t end : {0, 1, 1, 3}) ends.push_back(end);
  const text_column texts(std::move(bytes), std::move(ends));
  EXPECT_EQ(texts.to_vector(), (std::vector<std::string>{"a", "", "bc"}));
}

TEST(read_all, reads_what_values_reads) {
  std::string text;
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < 700000; ++i) {
    expected.push_back(i * i * i * (i % 2 == 0 ? 1 : -1));
    text += std::to_string(expected.back()) + (i % 10 == 9 ? "\n" : " ");
  }
  const test::temporary_file file(text);
  EXPECT_EQ(headrace::read_all<std::int64_t>(file.path()).to_vector(), expected);
  EXPECT_EQ(headrace::read_all<std::int64_t>(std::string(file.path())).to_vector(), expected);
  headrace::reader from = headrace::reader::from(text);
  EXPECT_EQ(headrace::read_all<std::int64_t>(from).to_vector(), expected);
  EXPECT_TRUE(from.at_end());
}

TEST(read_all, takes_every_type_of_value) {
  std::string text = "1 0 1";
  const auto read = [&text](auto value) {
    headrace::reader from = headrace::reader::from(text);
    return headrace::read_all<decltype(value)>(from).to_vector();
  };
  EXPECT_EQ(read(false), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(read(std::int8_t()), (std::vector<std::int8_t>{1, 0, 1}));
  EXPECT_EQ(read(0.5f), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(read('x'), (std::vector<char>{'1', '0', '1'}));
  EXPECT_EQ(read(std::string()), (std::vector<std::string>{"1", "0", "1"}));
  text += " 1";
  EXPECT_EQ(read(std::pair<std::string, int>{}).size(), 2u);
}

TEST(read_all, of_nothing_is_empty) {
  const std::string blank = " \n\t ";
  headrace::reader from = headrace::reader::from(blank);
  EXPECT_TRUE(headrace::read_all<int>(from).empty());
  const test::temporary_file file("");
  EXPECT_TRUE(headrace::read_all<double>(file.path()).empty());
}

TEST(read_all, stops_before_what_is_no_value) {
  const std::string text = "1 2\n3 x 5";
  headrace::reader from = headrace::reader::from(text);
  const headrace::input_error error = test::error_of([&] { (void)headrace::read_all<int>(from); });
  EXPECT_STREQ(error.what(), "<memory>:2:3: expected an integer, found \"x\"");
  EXPECT_EQ(from.read<std::string>(), "x");
  EXPECT_THROW((void)headrace::read_all<int>("/nonexistent/file"), headrace::input_error);
}

}  // namespace
