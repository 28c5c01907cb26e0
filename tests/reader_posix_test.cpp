// What a reader does with what only POSIX has: terminals, signals, sockets, fifos, descriptors that do not block,
// /proc.
#include <headrace/detail/simd/bit_places.hpp>
#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <pty.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <termios.h>

#include "support/child.hpp"
#include "support/ends.hpp"
#include "support/in_time.hpp"
#include "support/errors.hpp"
#include "support/kernels.hpp"

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
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).line(), 3u);
  EXPECT_TRUE(from.skip());
  EXPECT_EQ(from.read<int>(), 8);
  write_all(tty.keyboard.get(), "\x04");  // the end of input
  EXPECT_TRUE(from.at_end());
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

TEST_F(waiting, no_longer_than_the_reader_is_given) {
  for (const bool blocking : {true, false}) {
    const pipe_ends pipe = make_pipe();
    if (!blocking) ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
    reader from(pipe.read.get(), "<pipe>");
    from.wait_at_most(20);
    int value = 7;
    input_error error = error_of([&] { from >> value; });
    EXPECT_EQ(error.code(), headrace::errc::timed_out);
    EXPECT_EQ(error.code(), std::errc::timed_out);
    EXPECT_STREQ(error.what(), "<pipe>: cannot read: nothing came in time");
    write_all(pipe.write.get(), "5 12");
    EXPECT_EQ(from.read<int>(), 5);
    EXPECT_EQ(error_of([&] { (void)from.try_read(value); }).offset(), 2u);
    EXPECT_EQ(from.parse(value).error->code(), headrace::errc::timed_out);
    EXPECT_EQ(value, 7);
    write_all(pipe.write.get(), "3 a li");
    EXPECT_EQ(from.read<int>(), 123);
    EXPECT_EQ(from.read<std::string>(), "a");
    EXPECT_EQ(error_of([&] { from.read_line(); }).code(), headrace::errc::timed_out);
    write_all(pipe.write.get(), "ne\n");
    EXPECT_EQ(from.read_line(), " line");
    EXPECT_EQ(error_of([&] { (void)from.at_end(); }).code(), headrace::errc::timed_out);

    from.wait_at_most(-1);
    std::thread late([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      write_all(pipe.write.get(), "8\n");
    });
    EXPECT_EQ(from.read<int>(), 8);
    late.join();
  }
}

// A peer that sends a digit at a time, each well within the limit, does not hold a reader up for longer than that.
TEST_F(waiting, a_limit_is_for_a_whole_token) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  from.wait_at_most(100);
  std::atomic<bool> done{false};
  std::size_t drops = 0;
  std::thread drip([&] {
    for (; !done; ++drops) {
      write_all(pipe.write.get(), "1");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(error_of([&] { (void)from.read<std::string>(); }).code(), headrace::errc::timed_out);
  }
  const auto waited = std::chrono::steady_clock::now() - begin;
  done = true;
  drip.join();
  EXPECT_GE(waited, std::chrono::milliseconds(190)) << "the second call has a limit of its own";
  write_all(pipe.write.get(), " ");
  EXPECT_EQ(from.read<std::string>().size(), drops);
  // Nor has what comes after a long pause the rest of a limit.
  write_all(pipe.write.get(), "2");
  EXPECT_FALSE(from.at_end());
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  const auto after_the_pause = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), headrace::errc::timed_out);
  EXPECT_GE(std::chrono::steady_clock::now() - after_the_pause, std::chrono::milliseconds(95));
  write_all(pipe.write.get(), "3 ");
  EXPECT_EQ(from.read<int>(), 23);
}

TEST_F(waiting, a_limit_is_any_duration) {
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  const auto waited = [&](auto limit) {
    from.wait_at_most(limit);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), headrace::errc::timed_out);
    return std::chrono::steady_clock::now() - begin;
  };
  EXPECT_GE(waited(std::chrono::milliseconds(30)), std::chrono::milliseconds(28));
  EXPECT_GE(waited(std::chrono::duration<double>(0.03)), std::chrono::milliseconds(28));
  EXPECT_LT(waited(std::chrono::nanoseconds(1)), std::chrono::seconds(10));
  EXPECT_LT(waited(std::chrono::seconds(-5)), std::chrono::seconds(10));
  EXPECT_LT(waited(std::chrono::hours::min()), std::chrono::seconds(10));
  from.wait_at_most(std::chrono::hours(1000000));
  write_all(pipe.write.get(), "1 ");
  EXPECT_EQ(from.read<int>(), 1);
}

// The deadline is kept although signals come all the time; then a reader that reports them.
TEST_F(waiting, a_signal_ends_a_wait_where_it_is_asked_to) {
  struct sigaction action{}, before{};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, &before);  // without SA_RESTART
  const itimerval often{{0, 5000}, {0, 5000}}, never{};
  for (const bool blocking : {true, false}) {
    const pipe_ends pipe = make_pipe();
    if (!blocking) ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
    reader from(pipe.read.get(), "<pipe>");
    ::setitimer(ITIMER_REAL, &often, nullptr);
    from.wait_at_most(50);
    EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), headrace::errc::timed_out);
    write_all(pipe.write.get(), "4");
    from.on_signal(headrace::interrupt_policy::report);
    for (const int limit : {-1, 10000}) {
      from.wait_at_most(limit);
      const input_error error = error_of([&] { (void)from.read<int>(); });
      EXPECT_EQ(error.code(), headrace::errc::interrupted);
      EXPECT_EQ(error.code(), std::errc::interrupted);
      EXPECT_STREQ(error.what(), "<pipe>: cannot read: a signal came");
    }
    ::setitimer(ITIMER_REAL, &never, nullptr);
    write_all(pipe.write.get(), "2\n");
    EXPECT_EQ(from.read<int>(), 42);
  }
  ::sigaction(SIGALRM, &before, nullptr);
}

TEST_F(waiting, a_socket_with_a_limit_of_its_own) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const descriptor here(ends[0]), there(ends[1]);
  const timeval limit{0, 20000};
  ASSERT_EQ(::setsockopt(here.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  reader from(here.get(), "<socket>");
  write_all(there.get(), "5 1");
  EXPECT_EQ(from.read<int>(), 5);
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.code(), headrace::errc::timed_out);
  EXPECT_STREQ(error.what(), "<socket>: cannot read: nothing came in time");
  write_all(there.get(), "7 ");
  EXPECT_EQ(from.read<int>(), 17);
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

#if defined(__linux__)
// What nothing can be read from, under the number that a person can look up: again and again, without spinning.
TEST_F(failing, what_gives_no_bytes) {
  const std::string hint =
      "Invalid argument (nothing can be read from it: an epoll descriptor, perhaps, or a socket that is not connected)";
  const descriptor events(::epoll_create1(0)), local(::socket(AF_UNIX, SOCK_STREAM, 0)),
      remote(::socket(AF_INET, SOCK_STREAM, 0)), folder(::open("/", O_RDONLY));
  const std::pair<int, std::string> all[] = {{events.get(), hint},
                                             {local.get(), hint},
                                             {remote.get(), "Transport endpoint is not connected"},
                                             {folder.get(), "Is a directory"},
                                             {-1, "Bad file descriptor (it is closed, or open for writing only)"}};
  for (const auto& [number, reason] : all) {
    reader from(number);
    const std::string said = "<descriptor " + std::to_string(number) + ">: cannot read: " + reason;
    EXPECT_EQ(from.name(), "<descriptor " + std::to_string(number) + ">");
    EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).what(), said);
    EXPECT_EQ(error_of([&] { (void)from.read_line(); }).what(), said);
    EXPECT_EQ(error_of([&] { (void)from.at_end(); }).code().category(), std::generic_category());
  }
}
#endif

// The environment is asked once: what a program sets later changes nothing, and races with nothing.
TEST(kernel, is_chosen_once) {
  const std::string chosen = test::chosen_kernel_name();
  const char* const given = std::getenv("HEADRACE_SIMD");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("HEADRACE_SIMD", chosen == "scalar" ? "model" : "scalar", 1);
  EXPECT_EQ(test::chosen_kernel_name(), chosen);
  ::setenv("HEADRACE_SIMD", before.c_str(), 1);  // as if there were none where it is empty
}

TEST(names, of_descriptors_are_those_that_a_writer_gives) {
  for (const int number : {0, 1, 2, 3, 10, 1234567890, -1}) {
    const reader from(number);
    EXPECT_STREQ(from.name(), headrace::writer(number).name());
  }
  const pipe_ends pipe = make_pipe();
  reader from(pipe.read.get());
  const std::string name = "<descriptor " + std::to_string(pipe.read.get()) + ">";
  reader moved(std::move(from));
  EXPECT_EQ(moved.name(), name);
  std::FILE* const file = ::fdopen(::dup(pipe.read.get()), "r");
  EXPECT_EQ(reader(file).name(), "<descriptor " + std::to_string(::fileno(file)) + ">");
  std::fclose(file);
  EXPECT_STREQ(reader(pipe.read.get(), "a pipe").name(), "a pipe");
}

// Another thread was filling the table of bits when the process was forked, and is not in the child.
TEST(reader_posix, a_child_fills_the_table_that_its_parent_was_filling) {
  namespace detail = headrace::detail;
  const detail::bit_places saved = detail::bit_places::get();
  detail::bit_place_table = {};
  detail::bit_place_table.state = static_cast<int>(::getpid());
  const test::outcome child = test::run_child([&] {
    ::alarm(20);
    const detail::bit_places& filled = detail::bit_places::get();
    const bool is_right = std::memcmp(filled.of, saved.of, sizeof saved.of) == 0;
    std::fprintf(stderr, "%d %d", is_right, filled.state == saved.state);
  });
  detail::bit_place_table = saved;
  EXPECT_EQ(child.status, 0);
  EXPECT_EQ(child.error_output, "1 1");
}

}  // namespace
