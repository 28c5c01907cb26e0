// Files in parts, and whole files on several threads: what one reader gives, in all that can go wrong, too. Built with
// ThreadSanitizer by `make tsan-test`.
#include <headrace/headrace.hpp>
#include <headrace/split.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/sanitized.hpp"
#include "support/views.hpp"

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>

// The system's, or one that fails as with more processors than its caller has room for.
static bool affinity_is_refused = false;
extern "C" int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* set) noexcept {
  if (affinity_is_refused) {
    errno = EINVAL;
    return -1;
  }
  std::memset(set, 0, size);
  return ::syscall(SYS_sched_getaffinity, process, size, set) < 0 ? -1 : 0;
}
#endif

namespace {

using headrace::at;
using headrace::input_error;
using headrace::reader;
using headrace::threads;

constexpr unsigned thread_counts[] = {1, 2, 3, 7};

std::string numbers(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += std::to_string(static_cast<int>(random()) >> (random() % 31));
    text += random() % 8 == 0 ? "\n" : random() % 50 == 0 ? " \t  " : " ";
  }
  return text;
}

std::vector<int> read_serially(const std::string& path) { return headrace::read_all<int>(path).to_vector(); }

std::string message_of_serial(const std::string& path) {
  return test::error_of([&] { (void)headrace::read_all<int>(path); }).what();
}

// ---- split ----

TEST(split, cuts_after_blanks_or_lines) {
  const test::temporary_file file("one two\nthree four\nfive six\n");
  std::vector<reader> parts = headrace::split(file.path(), 3, at::line);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].read_line(), "one two");
  EXPECT_EQ(parts[0].read_line(), "three four");
  EXPECT_TRUE(parts[0].at_end());
  EXPECT_TRUE(parts[1].at_end());  // of its nine bytes none begins a line
  EXPECT_EQ(parts[2].read_line(), "five six");
  EXPECT_TRUE(parts[2].at_end());

  parts = headrace::split(file.path(), 2);
  EXPECT_EQ(parts[1].where().offset, 14u);
  EXPECT_EQ(parts[1].where().line, 2u);
  EXPECT_EQ(parts[1].read<std::string>(), "four");
  EXPECT_EQ(parts[0].read<std::string>(), "one");
}

TEST(split, gives_as_many_parts_as_were_asked_for) {
  const test::temporary_file file("1 2");
  std::vector<reader> parts = headrace::split(file.path(), 100);
  ASSERT_EQ(parts.size(), 100u);
  std::vector<int> found;
  for (reader& part : parts) {
    for (const int value : part.values<int>()) found.push_back(value);
  }
  EXPECT_EQ(found, (std::vector<int>{1, 2}));
  const test::temporary_file nothing("");
  for (reader& part : headrace::split(nothing.path(), 3)) EXPECT_TRUE(part.at_end());
  for (reader& part : headrace::split_text({}, 3)) EXPECT_TRUE(part.at_end());
}

TEST(split, names_the_place_in_the_whole_file) {
  const std::string text = "1 2 3\n4 5 6\n7 8 x\n10 11 12\n";
  const test::temporary_file file(text);
  for (std::size_t count = 1; count < 12; ++count) {
    for (const bool in_memory : {false, true}) {
      const input_error error = test::error_of([&] {
        for (reader& part : in_memory ? headrace::split_text(text, count) : headrace::split(file.path(), count)) {
          while (!part.at_end()) (void)part.read<int>();
        }
      });
      const std::string name = in_memory ? "<memory>" : file.path();
      EXPECT_EQ(error.what(), name + ":3:5: expected an integer, found \"x\"") << count;
      EXPECT_EQ(error.offset(), 16u);
    }
  }
}

TEST(split, starts_where_the_descriptor_is_and_leaves_it_there) {
  const test::temporary_file file("1 2 3\n4 5 6\n");
  ::lseek(file.get(), 6, SEEK_SET);
  std::vector<reader> parts = headrace::split(file.get(), 2);
  EXPECT_EQ(parts[0].read<int>(), 4);
  EXPECT_EQ(parts[0].where().line, 2u);
  EXPECT_EQ(parts[1].read<int>(), 6);
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_CUR), 6);
}

TEST(split, closes_the_file_with_the_last_part) {
  const test::temporary_file file("1 2 3 4");
  int descriptor = -1;
  {
    std::vector<reader> parts = headrace::split(file.path(), 4);
    reader kept = std::move(parts[2]);
    descriptor = kept.descriptor();
    parts.clear();
    EXPECT_EQ(::fcntl(descriptor, F_GETFD), FD_CLOEXEC);
    EXPECT_EQ(kept.read<int>(), 3);
  }
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), -1);
}

TEST(split, refuses_what_has_no_parts) {
  const auto message = [](auto action) { return std::string(test::error_of(action).what()); };
  EXPECT_EQ(message([] { (void)headrace::split(std::string("a\0b", 3), 2); }),
            R"("a\x00b": cannot open a path with a NUL in it: Invalid argument)");
  const test::temporary_file file("1");
  EXPECT_EQ(message([&] { (void)headrace::split(file.path(), 0); }),
            file.path() + ": cannot split into 0 parts: ask for at least 1");
  EXPECT_EQ(message([] { (void)headrace::split_text("1", 0); }),
            "<memory>: cannot split into 0 parts: ask for at least 1");
  EXPECT_EQ(message([] { (void)headrace::split_text("1", ~std::size_t(0)); }),
            "<memory>: cannot split into " + std::to_string(~std::size_t(0)) + " parts: ask for at most 1048576");
  EXPECT_EQ(message([&] { (void)headrace::split(file.path(), std::size_t{1} << 31); }),
            file.path() + ": cannot split into 2147483648 parts: ask for at most 1048576");
  EXPECT_EQ(message([] { (void)headrace::split("/nonexistent/file", 2); }),
            "/nonexistent/file: cannot open: No such file or directory");
  EXPECT_EQ(message([] { (void)headrace::split("/", 2); }), "/: cannot split: Is a directory");
  const test::pipe_ends pipe = test::make_pipe();
  const std::string name = "<descriptor " + std::to_string(pipe.read.get()) + ">";
  EXPECT_EQ(message([&] { (void)headrace::split(pipe.read.get(), 2); }),
            name + ": cannot split a pipe: only a regular file has parts; use one headrace::reader");
  EXPECT_EQ(message([] { (void)headrace::split("/dev/null", 2); }),
            "/dev/null: cannot split a device: only a regular file has parts; use one headrace::reader");
  EXPECT_EQ(message([] { (void)headrace::split(-1, 2); }), "<descriptor -1>: cannot split: Bad file descriptor");
  const test::descriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY));
  const input_error error = test::error_of([&] { (void)headrace::split(terminal.get(), 2); });
  EXPECT_NE(std::string(error.what()).find("cannot split a terminal"), std::string::npos) << error.what();
}

TEST(split, of_a_file_that_has_become_shorter_is_an_error) {
  const test::temporary_file file(numbers(100000));
  std::vector<reader> parts = headrace::split(file.path(), 2);
  ASSERT_EQ(::ftruncate(file.get(), 1000), 0);
  const input_error error = test::error_of([&] {
    while (!parts[1].at_end()) (void)parts[1].read<int>();
  });
  EXPECT_EQ(error.what(), file.path() + ": cannot read: the file became shorter while it was being read");
}

TEST(split, reads_the_file_that_was_there) {
  const test::temporary_file file("1 2 3 4\n");
  std::vector<reader> parts = headrace::split(file.path(), 2);
  test::write_all(test::descriptor(::open(file.path().c_str(), O_WRONLY | O_APPEND)).get(), "5 6\n");
  EXPECT_EQ(parts[1].read<int>(), 3);
  EXPECT_EQ(parts[1].read<int>(), 4);
  EXPECT_TRUE(parts[1].at_end());
  const test::temporary_file other("x");
  std::filesystem::rename(other.path(), file.path());
  EXPECT_EQ(parts[0].read<int>(), 1);
  EXPECT_EQ(parts[0].read<int>(), 2);
}

TEST(split, parts_are_copied_as_parts) {
  const std::string text = numbers(50000);
  const test::temporary_file file(text);
  std::string all;
  for (reader& part : headrace::split(file.path(), 5)) {
    headrace::writer to = headrace::writer::into(all);
    headrace::copy(part, to);
    to.flush();
  }
  EXPECT_TRUE(all == text);
}

TEST(split, parts_are_read_by_threads) {
  const std::string text = numbers(300000);
  const test::temporary_file file(text);
  std::vector<reader> parts = headrace::split(file.path(), 4);
  std::vector<std::vector<int>> found(parts.size());
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    all.emplace_back([&parts, &found, i] {
      for (const int value : parts[i].values<int>()) found[i].push_back(value);
    });
  }
  for (std::thread& each : all) each.join();
  std::vector<int> joined;
  for (const std::vector<int>& each : found) joined.insert(joined.end(), each.begin(), each.end());
  EXPECT_TRUE(joined == read_serially(file.path()));
}

// Where in a line of the cache: what the kernel copies fast.
TEST(split, a_part_is_read_to_where_it_is_in_the_file) {
  const test::temporary_file file(numbers(100000));
  const headrace::detail::input_file opened(file.path().c_str());
  for (const std::uint64_t offset : {0u, 1u, 63u, 64u, 4095u, 70001u}) {
    reader part = opened.part(offset, opened.end());
    headrace::detail::source& text = headrace::detail::reader_access::source_of(part);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(text.refill(), headrace::detail::status::ok);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(text.position) % 64, text.offset_of(text.position) % 64);
      text.position = text.end - i;
    }
  }
}

// ---- read_all ----

TEST(read_all_on_threads, gives_what_one_reader_gives) {
  const test::temporary_file file(numbers(400000));
  const std::vector<int> expected = read_serially(file.path());
  for (const unsigned count : thread_counts) {
    EXPECT_TRUE(headrace::read_all<int>(file.path(), threads{count}).to_vector() == expected) << count;
  }
  EXPECT_TRUE(headrace::read_all<int>(std::filesystem::path(file.path()), threads{}).to_vector() == expected);
  EXPECT_TRUE(headrace::read_all<int>(file.get(), threads{2}).to_vector() == expected);
  const std::vector<std::string> words = headrace::read_all<std::string>(file.path(), threads{3}).to_vector();
  ASSERT_EQ(words.size(), expected.size());
  for (std::size_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], std::to_string(expected[i]));
  const auto pairs = headrace::read_all<std::pair<int, int>>(file.path(), threads{3});
  EXPECT_EQ(pairs.size(), expected.size() / 2);
  const auto wide = headrace::read_all<double>(file.path(), threads{2}).to_vector();
  EXPECT_TRUE(wide == std::vector<double>(expected.begin(), expected.end()));
}

TEST(read_all_on_threads, takes_what_is_long_and_what_is_small) {
  for (const std::string& text : {std::string(), std::string(" \n"), std::string("5"), std::string(3000000, ' '),
                                  std::string(1500000, '0') + "7 8" + std::string(1000000, '\n') + "9"}) {
    const test::temporary_file file(text);
    EXPECT_TRUE(headrace::read_all<int>(file.path(), threads{3}).to_vector() == read_serially(file.path()));
  }
  const test::temporary_file file("1 2 " + std::string(3000000, '9'));
  const input_error error = test::error_of([&] { (void)headrace::read_all<int>(file.path(), threads{3}); });
  EXPECT_EQ(error.what(), message_of_serial(file.path()));
  EXPECT_EQ(headrace::read_all<std::string>(file.path(), threads{3}).back().size(), 3000000u);
}

TEST(read_all_on_threads, throws_the_first_error_in_the_file) {
  const std::string good = numbers(300000);
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    std::string text = good;
    for (int i = 0; i < 1 + round % 4; ++i) text[random() % text.size()] = random() % 2 == 0 ? 'x' : '\0';
    const test::temporary_file file(text);
    const std::string expected = message_of_serial(file.path());
    for (const unsigned count : {2u, 5u}) {
      const input_error error = test::error_of([&] { (void)headrace::read_all<int>(file.path(), threads{count}); });
      EXPECT_EQ(error.what(), expected);
    }
  }
}

TEST(read_all_on_threads, says_that_the_file_became_shorter) {
  const test::temporary_file file(numbers(300000));
  const headrace::detail::input_file opened(file.path().c_str());
  ASSERT_EQ(::ftruncate(file.get(), 700000), 0);
  const input_error error = test::error_of([&] { (void)headrace::detail::read_all<int>(opened, threads{3}); });
  EXPECT_EQ(error.what(), file.path() + ": cannot read: the file became shorter while it was being read");
  EXPECT_LE(error.offset(), 700000u);
  EXPECT_GT(error.offset(), 699000u);
}

TEST(read_all_on_threads, says_what_one_reader_says_of_what_cannot_be_read) {
  EXPECT_STREQ(test::error_of([] { (void)headrace::read_all<int>("/", threads{2}); }).what(),
               "/: cannot read: Is a directory");
  EXPECT_STREQ(test::error_of([] { (void)headrace::read_all<int>("/nonexistent/file", threads{2}); }).what(),
               "/nonexistent/file: cannot open: No such file or directory");
  EXPECT_STREQ(test::error_of([] { (void)headrace::read_all<int>(-1, threads{2}); }).what(),
               "<descriptor -1>: cannot read: Bad file descriptor (it is closed, or open for writing only)");
  EXPECT_TRUE(headrace::read_all<int>("/dev/null", threads{2}).empty());
}

// What fstat(2) calls a regular file of 0 bytes.
TEST(read_all_on_threads, reads_a_file_that_does_not_tell_its_size) {
  const std::string path = "/proc/cpuinfo";
  if (::access(path.c_str(), R_OK) != 0) GTEST_SKIP() << "no " << path;
  const std::size_t words = headrace::read_all<std::string>(path).size();
  EXPECT_GT(words, 0u);
  EXPECT_EQ(headrace::read_all<std::string>(path, threads{3}).size(), words);
  const test::descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(headrace::read_all<std::string>(opened.get(), threads{3}).size(), words);

  std::size_t lines = 0, seen = 0, counted = 0;
  reader serial(path);
  for ([[maybe_unused]] std::string_view line : serial.lines()) ++lines;
  headrace::for_each_line(path, threads{3}, [&](std::string_view) { ++seen; });
  EXPECT_EQ(seen, lines);
  const auto count_all = [](std::size_t& count, reader& part) {
    for ([[maybe_unused]] std::string_view line : part.lines()) ++count;
  };
  counted = headrace::for_each_part(path, threads{3}, at::line, std::size_t(0), count_all,
                                    [](std::size_t& into, std::size_t next) { into += next; });
  EXPECT_EQ(counted, lines);
  const headrace::delimited whole_lines = headrace::delimited('\x01').without_quotes().with_empty_lines();
  EXPECT_EQ(std::get<0>(headrace::read_columns<std::string>(path, whole_lines, threads{3})).size(), lines);

  for (const input_error& error : {test::error_of([&] { (void)headrace::split(path, 2); }),
                                   test::error_of([&] { (void)headrace::split(path, 2, headrace::csv); })}) {
    EXPECT_EQ(error.what(), path +
                                ": cannot split a file that does not tell its size: only a regular file has parts; use "
                                "one headrace::reader");
  }
  const test::temporary_file empty;
  EXPECT_EQ(headrace::split(empty.path(), 2).size(), 2u);
}

// A token was in a piece when that was read, and in the next one when that was.
TEST(read_all_on_threads, says_that_the_file_changed) {
  const std::string one_token(4 << 20, 'x'), no_token(one_token.size() / 2, ' ');
  const test::temporary_file file(one_token);
  const headrace::detail::input_file opened(file.path().c_str());
  const std::size_t size = headrace::detail::piece_size, pieces = one_token.size() / size + 1;
  headrace::detail::placed_column<char> all(one_token.size(), pieces, 1);
  headrace::detail::value_worker<char> worker(opened, size, all);
  worker.prepare(0);
  worker.claim();
  worker.place();
  EXPECT_EQ(all.values.size(), one_token.size());
  ASSERT_EQ(::pwrite(file.get(), no_token.data(), no_token.size(), 0), static_cast<ssize_t>(no_token.size()));
  std::size_t piece = 1;
  const input_error error = test::error_of([&] {
    for (; piece < pieces; ++piece) {
      worker.prepare(piece);
      worker.claim();
      worker.place();
    }
  });
  EXPECT_EQ(error.what(), file.path() + ": cannot read: the file changed while it was being read");
  EXPECT_EQ(error.code(), std::errc::io_error);
  EXPECT_LE(all.values.size(), all.values.capacity());
}

TEST(read_all_on_threads, waits_for_a_socket_no_longer_than_that_has_been_told_to) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const test::descriptor here(ends[0]), there(ends[1]);
  const timeval limit{0, 20000};
  ASSERT_EQ(::setsockopt(here.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  test::write_all(there.get(), "1 2 ");
  const input_error error = test::error_of([&] { (void)headrace::read_all<int>(here.get(), threads{2}); });
  EXPECT_EQ(error.code(), headrace::errc::timed_out);
}

// What the thread is woken by stays in this process.
TEST(read_all_on_threads, hands_no_descriptor_to_a_child) {
  const test::pipe_ends pipe = test::make_pipe();
  const auto count_inherited = [] {
    int count = 0;
    for (int number = 0; number < 100; ++number) {
      const int flags = ::fcntl(number, F_GETFD);
      count += flags >= 0 && (flags & FD_CLOEXEC) == 0;
    }
    return count;
  };
  const int before = count_inherited();
  headrace::detail::read_ahead<headrace::detail::pipe_end> ahead({pipe.read.get()});
  ASSERT_TRUE(ahead.has_started());
  EXPECT_EQ(count_inherited(), before);
}

TEST(read_all_on_threads, reads_a_pipe_ahead) {
  const std::string text = numbers(200000);
  const test::temporary_file file(text);
  const std::vector<int> expected = read_serially(file.path());
  for (const unsigned count : {1u, 2u}) {
    test::pipe_ends pipe = test::make_pipe();
    std::thread feeder([&] {
      test::write_all(pipe.write.get(), text);
      pipe.write.close();
    });
    EXPECT_TRUE(headrace::read_all<int>(pipe.read.get(), threads{count}).to_vector() == expected);
    feeder.join();
  }
}

// The thread that waits for more is told.
TEST(read_all_on_threads, ends_with_an_error_while_the_pipe_is_open) {
  const test::pipe_ends pipe = test::make_pipe();
  test::write_all(pipe.write.get(), "1 2\n3 x ");
  const input_error error = test::error_of([&] { (void)headrace::read_all<int>(pipe.read.get(), threads{2}); });
  EXPECT_EQ(error.what(), "<descriptor " + std::to_string(pipe.read.get()) + ">:2:3: expected an integer, found \"x\"");
}

// A process that may start no threads reads the same on the one that it has.
TEST(read_all_on_threads, does_without_threads_that_cannot_be_started) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer has a thread of its own";
#endif
  const test::temporary_file file(numbers(300000));
  ASSERT_EQ(::fchmod(file.get(), 0644), 0);
  const std::vector<int> expected = read_serially(file.path());
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    if (::getuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    try {
      std::thread one([] {});
      one.join();
      ::_exit(3);  // the limit does not hold
    } catch (const std::system_error&) {}
    ::_exit(headrace::read_all<int>(file.path(), threads{3}).to_vector() == expected ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) >= 2) GTEST_SKIP() << "threads cannot be forbidden here";
  EXPECT_EQ(status, 0);
}

// The result, rounded up to whole large pages at both ends, and at most 1 MiB for each thread: in a process of its own,
// whose peak counts.
TEST(read_all_on_threads, take_the_memory_of_the_result_and_a_mib_a_thread) {
  if (test::is_sanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  constexpr unsigned count = 16;
  constexpr std::size_t values = 2000000, result = values * sizeof(int);
  const test::temporary_file file([] {
    std::string text;
    for (std::size_t i = 0; i < values; ++i) text += std::to_string(i % 1000) + ' ';
    return text;
  }());
  const auto peak = [] {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
#if defined(__APPLE__)
    used.ru_maxrss /= 1024;
#endif
    return static_cast<std::size_t>(used.ru_maxrss) * 1024;
  };
  const pid_t child = ::fork();
  if (child == 0) {
    const std::size_t before = peak();
    const auto found = headrace::read_all<int>(file.path(), threads{count});
    const std::size_t beside = peak() - before - result;
    const bool fits = beside < (count << 20) + 2 * headrace::detail::large_page;
    ::_exit(found.size() == values && fits ? 0 : 1 + static_cast<int>(std::min<std::size_t>(beside >> 20, 200)));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status) - 1 << " MiB beside the result";
}

// ---- lines ----

TEST(for_each_line, calls_for_each_line_once) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "line " + std::to_string(i) + (i % 3 == 0 ? "\r\n" : "\n");
  text += "the last one";
  const test::temporary_file file(text);
  for (const unsigned count : thread_counts) {
    std::atomic<std::size_t> lines{0}, bytes{0};
    headrace::for_each_line(file.path(), threads{count}, [&](std::string_view line) {
      ++lines;
      bytes += line.size();
    });
    EXPECT_EQ(lines, 200001u);
    EXPECT_EQ(bytes, text.size() - 200000 - 66667);
  }
}

TEST(for_each_line, combines_states_in_order) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i) + '\n';
  const test::temporary_file file(text);
  for (const unsigned count : thread_counts) {
    const std::string joined = headrace::for_each_line(
        file.path(), threads{count}, std::string(),
        [](std::string& all, std::string_view line) { all.append(line).push_back('\n'); },
        [](std::string& into, std::string&& next) { into += next; });
    EXPECT_TRUE(joined == text) << count;
    const long long sum = headrace::for_each_part(
        file.path(), threads{count}, at::blank, 0LL,
        [](long long& total, reader& part) {
          for (const int value : part.values<int>()) total += value;
        },
        [](long long& into, long long next) { into += next; });
    EXPECT_EQ(sum, 300000LL * 299999 / 2);
  }
}

TEST(for_each_line, throws_what_the_first_line_threw) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "line " + std::to_string(i) + '\n';
  const test::temporary_file file(text);
  for (int round = 0; round < 20; ++round) {
    try {
      headrace::for_each_line(file.path(), threads{4}, [](std::string_view line) {
        if (line.size() == 11 && line.substr(9) == "77") throw std::runtime_error(std::string(line));
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "line 100077");
    }
  }
  try {
    (void)headrace::for_each_part(
        file.path(), threads{3}, at::line, 0,
        [](int&, reader& part) {
          while (!part.at_end()) (void)part.read<int>();
        },
        [](int&, int) {});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const input_error& error) {
    EXPECT_EQ(error.what(), file.path() + ":1:1: expected an integer, found \"line\"");
  }
}

TEST(for_each_line, reads_what_is_no_file_too) {
  std::size_t lines = 0;
  headrace::for_each_line("/dev/null", threads{2}, [&](std::string_view) { ++lines; });
  EXPECT_EQ(lines, 0u);
  EXPECT_THROW(headrace::for_each_line("/nonexistent", threads{2}, [](std::string_view) {}), input_error);
}

// ---- write_all ----

template <class Range>
void check_writing(const Range& range) {
  std::string expected;
  headrace::writer to = headrace::writer::into(expected);
  for (const auto& element : range) to << element << ';';
  to.flush();
  const test::temporary_file file;
  for (const unsigned count : thread_counts) {
    headrace::write_all(file.path(), range, threads{count}, ';');
    std::ostringstream written;
    written << std::ifstream(file.path()).rdbuf();
    EXPECT_TRUE(written.str() == expected) << count;
  }
}

TEST(write_all, writes_the_same_bytes_on_any_number_of_threads) {
  std::vector<int> integers;
  std::vector<double> floats;
  std::vector<std::string> words;
  std::deque<int> in_blocks;
  std::vector<std::vector<int>> rows;
  std::mt19937 random(5);
  for (int i = 0; i < 300000; ++i) {
    integers.push_back(static_cast<int>(random()) >> (random() % 31));
    in_blocks.push_back(integers.back());
    floats.push_back(integers.back() / 7.0);
    words.push_back("word" + std::to_string(i));
    if (i % 100 == 0) rows.emplace_back(integers.end() - static_cast<long>(random() % 3), integers.end());
  }
  check_writing(integers);
  check_writing(floats);
  check_writing(words);
  check_writing(in_blocks);
  check_writing(rows);
  check_writing(std::list<int>(integers.begin(), integers.begin() + 1000));
  check_writing(std::vector<int>());
  check_writing(std::map<int, int>{{1, 2}, {3, 4}});
  check_writing(std::vector<bool>{true, false, true});
}

// As C++20's views are made: a vector up to an element, whose end is of another type; and one that has to search for
// its beginning, and keeps it.
struct up_to_zero {
  struct sentinel {};
  using iterator = std::vector<int>::const_iterator;
  const std::vector<int>* of;
  iterator begin() const { return of->begin(); }
  sentinel end() const { return {}; }
  friend bool operator!=(iterator at, sentinel) { return *at != 0; }
};
struct from_zero {
  using iterator = std::vector<int>::const_iterator;
  const std::vector<int>* of;
  iterator begin() { return std::find(of->begin(), of->end(), 0); }
  iterator end() { return of->end(); }
};

TEST(write_all, takes_views) {
  const std::vector<int> values = {1, 2, 0, 3};
  std::string text;
  headrace::writer to = headrace::writer::into(text);
  headrace::write_all(to, up_to_zero{&values}, threads{2}, ';');
  headrace::write_all(to, from_zero{&values}, threads{2}, ',');
  to.flush();
  EXPECT_EQ(text, "1;2;0,3,");
}

TEST(write_all, takes_views_with_gaps) {
  std::vector<int> values(200000, -1);
  std::string expected;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    values[i] = static_cast<int>(i);
    expected += std::to_string(i) + '\n';
  }
  for (const unsigned count : {1u, 3u}) {
    std::string by_iterators, by_brackets;
    headrace::writer first = headrace::writer::into(by_iterators), second = headrace::writer::into(by_brackets);
    headrace::write_all(first, test::stepping<const int>(values.data(), values.size() / 2), threads{count});
    headrace::write_all(second, test::every_second<const int>{values.data(), values.size() / 2}, threads{count});
    first.flush();
    second.flush();
    EXPECT_TRUE(by_iterators == expected) << count;
    EXPECT_TRUE(by_brackets == expected) << count;
  }
}

TEST(write_all, says_that_the_sink_failed) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  const std::vector<int> integers(500000, 7);
  try {
    headrace::write_all("/dev/full", integers, threads{3});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const headrace::output_error& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device (0 bytes arrived)");
  }
}

TEST(write_all, goes_to_a_pipe_in_order) {
  std::vector<int> integers(200000);
  for (std::size_t i = 0; i < integers.size(); ++i) integers[i] = static_cast<int>(i);
  test::pipe_ends pipe = test::make_pipe();
  std::thread writer([&] {
    headrace::writer to(pipe.write.get());
    headrace::write_all(to, integers, threads{3}, ' ');
    to.flush();
    pipe.write.close();
  });
  EXPECT_TRUE(headrace::read_all<int>(pipe.read.get(), threads{2}).to_vector() == integers);
  writer.join();
}

// ---- how many ----

class folder {
 public:
  folder() : path_(std::filesystem::temp_directory_path() / ("headrace_groups_" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_;
};

TEST(available_threads, are_at_least_one) {
  EXPECT_GE(headrace::available_threads(), 1u);
  EXPECT_LE(headrace::available_threads(), std::max(1u, std::thread::hardware_concurrency()));
}

#if defined(__linux__)
TEST(available_threads, are_the_processors_where_the_affinity_is_not_told) {
  const unsigned told = headrace::detail::count_processors();
  affinity_is_refused = true;
  const unsigned untold = headrace::detail::count_processors();
  affinity_is_refused = false;
  EXPECT_GE(told, 1u);
  EXPECT_GE(untold, told);
  EXPECT_EQ(untold, static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN)));
}
#endif

TEST(available_threads, obey_the_quotas_of_control_groups) {
  using headrace::detail::find_quota;
  const folder root;
  EXPECT_EQ(find_quota("0::/a/b\n", root.path()), 0u);
  EXPECT_EQ(find_quota("", root.path()), 0u);
  root.write("a/cpu.max", "max 100000\n");
  EXPECT_EQ(find_quota("0::/a/b\n", root.path()), 0u);
  root.write("a/cpu.max", "350000 100000\n");
  EXPECT_EQ(find_quota("0::/a/b\n", root.path()), 4u);
  root.write("a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(find_quota("0::/a/b\n", root.path()), 1u);
  EXPECT_EQ(find_quota("0::/outside\n", root.path()), 0u);
  root.write("cpu.max", "200000 100000\n");
  EXPECT_EQ(find_quota("0::/outside\n", root.path()), 2u);
  root.write("cpu,cpuacct/x/cpu.cfs_quota_us", "300000\n");
  root.write("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(find_quota("5:memory:/x\n4:cpu,cpuacct:/x\n", root.path()), 3u);
  root.write("cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(find_quota("4:cpu,cpuacct:/x\n", root.path()), 0u);
}

}  // namespace
