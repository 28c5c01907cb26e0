// How a reader behaves towards the world: when it waits, what it flushes, which sources it takes, how they fail.
#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <pty.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <termios.h>

#include "support/ends.hpp"

namespace {

using headrace::input_error;
using headrace::reader;
using test::descriptor;
using test::make_pipe;
using test::pipe_ends;
using test::temporary_file;
using test::write_all;

// Ends the process, with a stack in the log of CTest, where a reader waits for what never comes.
class in_time : public ::testing::Test {
 protected:
  void SetUp() override { ::alarm(30); }
  void TearDown() override { ::alarm(0); }
};
using waiting = in_time;
using sources = in_time;
using failing = in_time;

template <class Action>
input_error error_of(Action action) {
  try {
    action();
  } catch (const input_error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return input_error("", std::errc{}, {}, "");
}

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
  EXPECT_EQ(error_of([&] { from.read<int>(); }).token(), "x");
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

struct terminal {
  terminal() {
    int ends[2];
    if (::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) != 0) test::fail("openpty");
    keyboard = descriptor(ends[0]);
    screen = descriptor(ends[1]);
    termios settings;
    ::tcgetattr(screen.get(), &settings);
    settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(screen.get(), TCSANOW, &settings);
  }
  descriptor keyboard;
  descriptor screen;
};

TEST_F(waiting, a_terminal_gets_its_answer_after_each_line) {
  const terminal tty;
  reader from(tty.screen.get());
  write_all(tty.keyboard.get(), "12 34\n");
  EXPECT_EQ(from.read<int>(), 12);
  EXPECT_EQ(from.read<int>(), 34);
  write_all(tty.keyboard.get(), "name of somebody\n");
  EXPECT_EQ(from.read_line(), "");
  EXPECT_EQ(from.read_line(), "name of somebody");
  write_all(tty.keyboard.get(), "7x\n8\n");
  EXPECT_EQ(error_of([&] { from.read<int>(); }).line(), 3u);
  EXPECT_TRUE(from.skip());
  EXPECT_EQ(from.read<int>(), 8);
  write_all(tty.keyboard.get(), "\x04");  // the end of input
  EXPECT_TRUE(from.at_end());
}

TEST_F(waiting, out_is_flushed_before) {
  const pipe_ends question = make_pipe(), answer = make_pipe();
  const descriptor kept(::dup(1));
  std::fflush(stdout);  // what the test framework has to say does not belong into the pipe
  ::dup2(question.write.get(), 1);
  std::string asked(8, '\0');
  std::thread other([&] {
    for (std::size_t got = 0; got < asked.size();) {
      const ssize_t more = ::read(question.read.get(), &asked[got], asked.size() - got);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    write_all(answer.write.get(), "42\n");
  });
  reader from(answer.read.get());
  headrace::out << "number? ";
  const int number = from.read<int>();
  other.join();
  ::dup2(kept.get(), 1);
  EXPECT_EQ(number, 42);
  EXPECT_EQ(asked, "number? ");
}

TEST_F(waiting, a_signal_does_not_interrupt) {
  struct sigaction action{}, before{};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, &before);  // without SA_RESTART
  const itimerval often{{0, 5000}, {0, 5000}}, never{};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  const pipe_ends pipe = make_pipe();
  std::thread writer([&] {
    for (const char* part : {"12", "3 4", "5\n"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      write_all(pipe.write.get(), part);
    }
  });
  reader from(pipe.read.get());
  EXPECT_EQ(from.read<int>(), 123);
  EXPECT_EQ(from.read<int>(), 45);
  writer.join();
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
}

TEST_F(waiting, a_descriptor_that_does_not_block) {
  const pipe_ends pipe = make_pipe();
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  std::thread writer([&] {
    for (const char* part : {"1", "2 3", "4\n"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      write_all(pipe.write.get(), part);
    }
  });
  reader from(pipe.read.get());
  EXPECT_EQ(from.read<int>(), 12);
  EXPECT_EQ(from.read<int>(), 34);
  writer.join();
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
  const input_error error = error_of([&] { from.read<int>(); });
  EXPECT_EQ(error.offset(), 11u);
  EXPECT_EQ(error.line(), 2u);
  EXPECT_EQ(error.column(), 4u);
}

TEST_F(sources, a_socket) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  descriptor here(ends[0]), there(ends[1]);
  reader from(here.get());
  write_all(there.get(), "5 6\n");
  EXPECT_EQ(from.read<int>(), 5);
  EXPECT_EQ(from.read<int>(), 6);
  write_all(there.get(), "7");
  there.close();
  EXPECT_EQ(from.read<int>(), 7);
  EXPECT_TRUE(from.at_end());
}

TEST_F(sources, a_fifo_by_path) {
  const temporary_file taken;
  const std::string path = taken.path() + ".fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "1 2 3"; });
  reader from(path);
  ::unlink(path.c_str());
  int sum = 0;
  for (int value : from.values<int>()) sum += value;
  writer.join();
  EXPECT_EQ(sum, 6);
}

TEST_F(sources, files_without_a_size) {
  reader status("/proc/self/status");  // fstat says 0 bytes
  std::string_view word;
  ASSERT_TRUE(status.try_read(word));
  EXPECT_EQ(word, "Name:");
  int lines = 0;
  for ([[maybe_unused]] std::string_view line : status.lines()) ++lines;
  EXPECT_GT(lines, 20);
  reader sized("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");  // fstat says 4096, there are fewer: no error
  if (::access(sized.name(), R_OK) == 0) {
    EXPECT_GT(sized.read<long>(), 0);
    EXPECT_TRUE(sized.at_end());
  }
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

TEST_F(sources, a_stream_without_a_descriptor) {
  char text[] = "1 2 three";
  std::FILE* stream = ::fmemopen(text, sizeof text - 1, "r");
  reader from(stream);
  EXPECT_EQ(from.read<int>(), 1);
  EXPECT_EQ(from.read<int>(), 2);
  EXPECT_EQ(from.read<std::string>(), "three");
  EXPECT_TRUE(from.at_end());
  std::fclose(stream);
}

long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      long size = 0;
      status >> size;
      return size;
    }
  }
  return 0;
}

TEST_F(sources, memory_stays_constant) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer keeps memory that was freed";
#endif
  const pipe_ends pipe = make_pipe();
  constexpr int blocks = 1000;  // of 100 kB
  std::string block;
  for (int i = 0; i < 10000; ++i) block += i % 50 == 0 ? "123456789\n" : "123456789 ";
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak from here on
  const long before = peak_kilobytes();
  std::thread writer([&] {
    for (int i = 0; i < blocks; ++i) write_all(pipe.write.get(), block);
  });
  reader from(pipe.read.get());
  long long sum = 0;
  for (int i = 0; i < blocks * 10000 / 2; ++i) sum += from.read<int>();
  int values[5];
  for (int i = 0; i < blocks * 10000 / 10; ++i) {
    from.read(values);
    for (int value : values) sum += value;
  }
  writer.join();
  EXPECT_EQ(sum, 123456789LL * blocks * 10000);
  EXPECT_LT(peak_kilobytes() - before, 2048);
}

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
  reader from("/");
  const input_error error = error_of([&] { from.read<int>(); });
  EXPECT_EQ(error.code(), std::errc::is_a_directory);
  EXPECT_STREQ(error.what(), "/: cannot read: Is a directory");
  EXPECT_EQ(from.parse(*std::make_unique<int>()).error->code(), std::errc::is_a_directory);
  EXPECT_EQ(error_of([&] { from.read_line(); }).code(), std::errc::is_a_directory);
  EXPECT_EQ(error_of([&] { from.at_end(); }).code(), std::errc::is_a_directory);
  int values[3];
  EXPECT_EQ(error_of([&] { from.read_some(values); }).code(), std::errc::is_a_directory);
}

TEST_F(failing, a_closed_descriptor) {
  const int number = ::dup(0);
  ::close(number);
  reader from(number, "<stdin>");
  const input_error error = error_of([&] { from.read<int>(); });
  EXPECT_EQ(error.code(), std::errc::bad_file_descriptor);
  EXPECT_STREQ(error.what(), "<stdin>: cannot read: Bad file descriptor");
}

TEST_F(failing, a_descriptor_open_for_writing_only) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.write.get());
  EXPECT_EQ(error_of([&] { from.read<int>(); }).code(), std::errc::bad_file_descriptor);
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

TEST_F(failing, a_terminal_that_hangs_up) {
  terminal tty;
  reader from(tty.screen.get());
  write_all(tty.keyboard.get(), "1\n");
  EXPECT_EQ(from.read<int>(), 1);
  tty.keyboard.close();
  // Linux says EIO or the end of input: either way the reader comes back, and says so again.
  EXPECT_FALSE(from.parse(*std::make_unique<int>()));
  EXPECT_FALSE(from.parse(*std::make_unique<int>()));
}

}  // namespace
