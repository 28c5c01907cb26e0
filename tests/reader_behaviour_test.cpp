// How a reader behaves towards the world: when it waits, what it flushes, which sources it takes, how they fail.
#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "support/ends.hpp"
#include "support/in_time.hpp"
#include "support/errors.hpp"

namespace {

using headrace::input_error;
using headrace::reader;
using test::descriptor;
using test::error_of;
using test::make_pipe;
using test::pipe_ends;
using test::temporary_file;
using test::write_all;
// Names of the suites.
class waiting : public test::in_time {};
class sources : public test::in_time {};
class failing : public test::in_time {};

// ---- waiting: the other end stays open, and says no more than what is needed ----

TEST_F(waiting, a_pipe_gets_its_answer_after_each_line) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  for (int i = 0; i < 100; ++i) {  // enough to convert ahead
    write_all(pipe.write.get(), std::to_string(i) + '\n');
    EXPECT_EQ(from.read<int>(), i);
  }
  write_all(pipe.write.get(), "1 2 3 4 5 6 7 8 9\n");
  for (int i = 1; i < 10; ++i) EXPECT_EQ(from.read<int>(), i);
  EXPECT_EQ(from.read_line(), "");
  write_all(pipe.write.get(), "a line\n");
  EXPECT_EQ(from.read_line(), "a line");
}

TEST_F(waiting, bulk_takes_what_is_there) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  write_all(pipe.write.get(), "1 2 3 4 5 ");
  std::array<int, 5> values{};
  from.read(values);
  EXPECT_EQ(values, (std::array<int, 5>{1, 2, 3, 4, 5}));
  write_all(pipe.write.get(), "6 x ");
  EXPECT_EQ(from.read<double>(), 6);
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).token(), "x");
}

TEST_F(waiting, a_character_needs_no_more_than_itself) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  write_all(pipe.write.get(), " ab");
  EXPECT_EQ(from.read<char>(), 'a');
  EXPECT_EQ(from.read<char>(), 'b');
  write_all(pipe.write.get(), "  c");
  EXPECT_FALSE(from.at_end());
  EXPECT_EQ(from.read<char>(), 'c');
}

TEST_F(waiting, at_end_passes_over_nothing) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  write_all(pipe.write.get(), "5\n\n  x");
  EXPECT_EQ(from.read<int>(), 5);
  EXPECT_FALSE(from.at_end());
  EXPECT_EQ(from.read_line(), "");
  EXPECT_EQ(from.read_line(), "");
}

// Puts another descriptor in the place of 0 or 1 for a while.
class in_place_of {
 public:
  in_place_of(int standard, int other) : standard_(standard), kept_(::dup(standard)) {
    std::fflush(stdout);  // what the test framework has to say does not belong there
    ::dup2(other, standard);
  }
  ~in_place_of() { ::dup2(kept_.get(), standard_); }
  in_place_of(const in_place_of&) = delete;
  in_place_of& operator=(const in_place_of&) = delete;

 private:
  int standard_;
  descriptor kept_;
};

TEST_F(waiting, in_flushes_out_before) {
  const pipe_ends question = make_pipe(), answer = make_pipe();
  const in_place_of input(0, answer.read.get()), output(1, question.write.get());
  std::string asked;
  std::thread other([&] {
    asked = test::read_all(question.read.get(), 8);
    write_all(answer.write.get(), "42\n");
  });
  headrace::out << "number? ";
  const int number = headrace::in.read<int>();
  other.join();
  EXPECT_EQ(number, 42);
  EXPECT_EQ(asked, "number? ");
}

// A reader of another thread would otherwise write into `out` while its owner does.
TEST_F(waiting, another_reader_leaves_out_alone) {
  const pipe_ends pipe = make_pipe();
  const temporary_file shown;
  const in_place_of output(1, shown.get());
  headrace::out << "held";
  write_all(pipe.write.get(), "42\n");
  reader from(pipe.read.get());
  EXPECT_EQ(from.read<int>(), 42);
  EXPECT_EQ(std::filesystem::file_size(shown.path()), 0u);
  headrace::out.flush();
  EXPECT_EQ(std::filesystem::file_size(shown.path()), 4u);
}

TEST_F(waiting, a_tied_writer_is_flushed_before) {
  const pipe_ends question = make_pipe(), answer = make_pipe();
  std::thread other([&] {
    test::read_all(question.read.get(), 8);
    write_all(answer.write.get(), "42\n");
    test::read_all(question.read.get(), 5);
    write_all(answer.write.get(), "Ann\n");
  });
  headrace::writer to(question.write.get());
  reader from(answer.read.get());
  from.tie(&to);
  to << "number? ";
  EXPECT_EQ(from.read<int>(), 42);
  reader moved = std::move(from);  // with the tie
  to << "name?";
  EXPECT_EQ(moved.read<std::string>(), "Ann");
  other.join();
  EXPECT_EQ(to.arrived(), 13u);

  write_all(answer.write.get(), "1\n");
  moved.tie(nullptr);
  to << "held";
  EXPECT_EQ(moved.read<int>(), 1);
  EXPECT_EQ(to.arrived(), 13u);
}

// ---- sources ----

TEST_F(sources, memory_and_no_memory) {
  EXPECT_EQ(reader::from("1 2").read<int>(), 1);
  reader empty = reader::from(std::string_view());
  int value = 7;
  EXPECT_FALSE(empty.try_read(value));
  EXPECT_TRUE(empty.at_end());
  std::string_view line;
  EXPECT_FALSE(empty.try_read_line(line));
  EXPECT_EQ(empty.where().offset, 0u);
  EXPECT_EQ(value, 7);
}

TEST_F(sources, a_descriptor_that_stands_at_an_offset) {
  const temporary_file file("skipped\n12 ab\n");
  ::lseek(file.get(), 8, SEEK_SET);
  reader from(file.get());
  EXPECT_EQ(from.read<int>(), 12);
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.offset(), 11u);
  EXPECT_EQ(error.line(), 2u);
  EXPECT_EQ(error.column(), 4u);
}

TEST_F(sources, a_stream_that_can_seek_goes_on_where_it_stands) {
  const temporary_file file("first\nsecond\n3\n");
  std::FILE* stream = std::fopen(file.path().c_str(), "r");
  char line[64];
  ASSERT_NE(std::fgets(line, sizeof line, stream), nullptr);
  reader from(stream);
  EXPECT_EQ(from.read_line(), "second");
  EXPECT_EQ(from.read<int>(), 3);
  std::fclose(stream);
}

TEST_F(sources, what_stdio_has_read_of_a_pipe_comes_first) {
  const pipe_ends pipe = make_pipe();
  std::FILE* stream = ::fdopen(::dup(pipe.read.get()), "r");
  write_all(pipe.write.get(), "first\nsecond 2 3 ");
  char line[64];
  ASSERT_NE(std::fgets(line, sizeof line, stream), nullptr);
  reader from(stream);
  EXPECT_EQ(from.read<std::string>(), "second");
  EXPECT_EQ(from.read<int>(), 2);
  EXPECT_EQ(from.read<int>(), 3);  // no line end comes, and none is waited for
  write_all(pipe.write.get(), "4 ");
  EXPECT_EQ(from.read<int>(), 4);
  std::fclose(stream);
}

TEST_F(sources, bytes_pushed_back_into_a_stream_come_first) {
  const pipe_ends pipe = make_pipe();
  std::FILE* stream = ::fdopen(::dup(pipe.read.get()), "r");
  write_all(pipe.write.get(), "x2 3\n");
  EXPECT_EQ(std::getc(stream), 'x');
  std::ungetc('1', stream);
  reader from(stream);
  EXPECT_EQ(from.read<int>(), 12);
  EXPECT_EQ(from.read<int>(), 3);
  std::fclose(stream);
}

#if defined(__GLIBC__)  // others need not take back two bytes
// Two bytes pushed back make stdio unable to say where it is: what it holds is read first, then the file goes on.
TEST_F(sources, lines_are_counted_once_after_bytes_pushed_back_into_a_file) {
  std::string text;
  for (int i = 1; i < 50'000; ++i) text += "1234567\n";
  const temporary_file file(text + "x\n");
  std::FILE* stream = std::fopen(file.path().c_str(), "r");
  ASSERT_NE(stream, nullptr);
  std::ungetc(std::getc(stream), stream);
  std::ungetc('9', stream);
  reader from(stream);
  const input_error error = error_of([&] {
    for (int value; from.try_read(value);) {}
  });
  EXPECT_EQ(error.offset(), 8u * 49'999 + 1);
  EXPECT_EQ(error.line(), 50'000u);
  EXPECT_EQ(error.column(), 1u);
  std::fclose(stream);
}
#endif

TEST_F(sources, a_long_line_from_a_pipe_costs_no_more_than_its_length) {
  pipe_ends pipe = make_pipe();
  constexpr std::size_t size = 50'000'000;
  std::thread writer([&] {
    const std::string block(100'000, 'x');
    for (std::size_t i = 0; i < size / block.size(); ++i) write_all(pipe.write.get(), block);
    pipe.write.close();
  });
  reader from(pipe.read.get());
  EXPECT_EQ(from.read_line().size(), size);  // moved for every read this would be 20 GB
  writer.join();
}

// ---- failures ----

TEST_F(failing, a_missing_path) {
  const input_error error = error_of([] { reader from("/no/such/file"); });
  EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  EXPECT_STREQ(error.what(), "/no/such/file: cannot open: No such file or directory");
}

TEST_F(failing, a_directory) {
#if defined(_WIN32)  // where one cannot even be opened
  const input_error refused = error_of([] { reader from("."); });
  EXPECT_EQ(refused.code(), std::errc::permission_denied);
  EXPECT_STREQ(refused.what(), ".: cannot open: Permission denied");
#else
  reader from("/");
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.code(), std::errc::is_a_directory);
  EXPECT_STREQ(error.what(), "/: cannot read: Is a directory");
  EXPECT_EQ(from.parse(*std::make_unique<int>()).error->code(), std::errc::is_a_directory);
  EXPECT_EQ(error_of([&] { from.read_line(); }).code(), std::errc::is_a_directory);
  EXPECT_EQ(error_of([&] { (void)from.at_end(); }).code(), std::errc::is_a_directory);
  int values[3];
  EXPECT_EQ(error_of([&] { (void)from.read_some(values); }).code(), std::errc::is_a_directory);
#endif
}

TEST_F(failing, a_closed_descriptor) {
  const int number = ::dup(0);
  ::close(number);
  reader from(number, "<stdin>");
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.code(), std::errc::bad_file_descriptor);
  EXPECT_STREQ(error.what(), "<stdin>: cannot read: Bad file descriptor (it is closed, or open for writing only)");
}

TEST_F(failing, a_descriptor_open_for_writing_only) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.write.get());
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), std::errc::bad_file_descriptor);
}

TEST_F(failing, a_file_that_becomes_shorter) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "1234567\n";
  const temporary_file file(text);
  reader from(file.path());
  int first = 0;
  ASSERT_TRUE(from.try_read(first));
  ASSERT_EQ(::ftruncate(file.get(), 300000), 0);
  int count = 1;
  const input_error error = error_of([&] {
    for (int value; from.try_read(value);) ++count;
  });
  EXPECT_EQ(error.code(), std::errc::io_error);
  EXPECT_EQ(error.what(), file.path() + ": cannot read: the file became shorter while it was being read");
  EXPECT_EQ(count, 300000 / 8);
  EXPECT_EQ(error_of([&] { from.read_line(); }).code(), std::errc::io_error);  // it stays one
}

TEST_F(failing, a_file_that_grows_is_read_to_its_end) {
  const temporary_file file("1 2 ");
  reader from(file.path());
  EXPECT_EQ(from.read<int>(), 1);
  ::lseek(file.get(), 0, SEEK_END);
  write_all(file.get(), "3 4");
  int sum = 0;
  for (int value : from.values<int>()) sum += value;
  EXPECT_EQ(sum, 2 + 3 + 4);
}

}  // namespace
