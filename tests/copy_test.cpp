// copy: every pair of ends, with faults injected into the system calls, gives the same bytes.
#include <headrace/copy.hpp>
#include <headrace/reader.hpp>
#include <headrace/writer.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#if !defined(_WIN32)
#include <csignal>
#if defined(__linux__)
#include <sys/epoll.h>
#endif
#include <sys/resource.h>
#include <sys/socket.h>
#endif

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/share.hpp"
#include "support/soak.hpp"

namespace {

namespace fs = std::filesystem;
using headrace::copy_options;
using headrace::detail::copy_route;
using headrace::detail::file_kind;
using test::expect_output_error, test::message_of;

constexpr bool snapshot = true;
constexpr auto route = headrace::detail::choose_copy_route;
static_assert(route(file_kind::regular, file_kind::regular, !snapshot) == copy_route::between_files);
static_assert(route(file_kind::pipe, file_kind::regular, !snapshot) == copy_route::read_write);
static_assert(route(file_kind::pipe, file_kind::pipe, !snapshot) == copy_route::splice);
static_assert(route(file_kind::regular, file_kind::pipe, !snapshot) == copy_route::splice_through_pipe);
static_assert(route(file_kind::regular, file_kind::other, !snapshot) == copy_route::splice_through_pipe);
static_assert(route(file_kind::regular, file_kind::socket, !snapshot) == copy_route::send_file);
static_assert(route(file_kind::pipe, file_kind::terminal, !snapshot) == copy_route::read_write);
static_assert(route(file_kind::regular, file_kind::pipe, snapshot) == copy_route::read_write);
static_assert(route(file_kind::regular, file_kind::socket, snapshot) == copy_route::read_write);
static_assert(route(file_kind::regular, file_kind::regular, snapshot) == copy_route::between_files);

// A folder that goes away with the test.
class copying : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("headrace_copy_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

std::string bytes(std::size_t size, std::uint64_t seed) {
  std::string result(size, '\0');
  std::uint64_t state = seed * 2 + 1;
  for (std::size_t i = 0; i < size; i += sizeof state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t mixed = state ^ state >> 32;
    std::memcpy(&result[i], &mixed, std::min(sizeof mixed, size - i));
  }
  return result;
}

void store(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  ASSERT_TRUE(file.good());
}

std::string load(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

#if defined(_WIN32)
constexpr bool on_windows = true;
constexpr const char* null_device = "NUL";
int open_at(const std::string& path, int flags) { return ::open(path.c_str(), flags | O_BINARY, 0600); }
#else
constexpr bool on_windows = false;
constexpr const char* null_device = "/dev/null";
int open_at(const std::string& path, int flags) { return ::open(path.c_str(), flags, 0600); }
#endif

TEST_F(copying, paths_create_and_replace) {
  for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u, 65535u, 65537u, 524288u, 524289u, 3000000u, 9000001u}) {
    store(path("a"), bytes(size, size));
    store(path("b"), bytes(1000000, 7));  // longer than most: what was there must go
    EXPECT_EQ(headrace::copy(path("a"), path("b")), size);
    EXPECT_EQ(load(path("b")), bytes(size, size)) << size;
    EXPECT_EQ(headrace::copy(path("a").c_str(), fs::path(path("fresh") + std::to_string(size))), size);
    EXPECT_EQ(load(path("fresh") + std::to_string(size)), bytes(size, size)) << size;
  }
}

TEST_F(copying, onto_itself_is_an_error_and_keeps_the_file) {
  store(path("a"), "precious");
  expect_output_error([&] { headrace::copy(path("a"), path("a")); }, std::errc::invalid_argument, 0,
                      path("a") + ": cannot copy a file onto itself (0 bytes arrived)");
  EXPECT_EQ(load(path("a")), "precious");
}

TEST_F(copying, missing_source_leaves_the_sink) {
  store(path("b"), "precious");
  const headrace::input_error error = test::error_of([&] { headrace::copy(path("missing"), path("b")); });
  EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(error.what(), path("missing") + ": cannot open: No such file or directory");
  EXPECT_EQ(load(path("b")), "precious");
}

TEST_F(copying, limit_and_progress) {
  store(path("a"), bytes(2000000, 3));
  copy_options options;
  options.limit = 700001;
  std::vector<std::uint64_t> seen;
  options.context = &seen;
  options.on_progress = [](std::uint64_t copied, void* context) {
    static_cast<std::vector<std::uint64_t>*>(context)->push_back(copied);
    return true;
  };
  EXPECT_EQ(headrace::copy(path("a"), path("b"), options), 700001u);
  EXPECT_EQ(load(path("b")), bytes(2000000, 3).substr(0, 700001));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back(), 700001u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));

  options.on_progress = [](std::uint64_t, void*) { return false; };  // stops after the first block
  const std::uint64_t first = headrace::copy(path("a"), path("c"), options);
  EXPECT_LT(first, 700001u);
  EXPECT_EQ(load(path("c")), bytes(2000000, 3).substr(0, static_cast<std::size_t>(first)));

  options.limit = 0;
  EXPECT_EQ(headrace::copy(path("a"), path("d"), options), 0u);
  EXPECT_EQ(load(path("d")), "");
}

TEST_F(copying, streams_go_on_where_the_copy_ended) {
  store(path("a"), "head\nbody of the file\ntail\n");
  std::FILE* from = std::fopen(path("a").c_str(), "rb");
  std::FILE* to = std::fopen(path("b").c_str(), "wb");
  char line[8];
  ASSERT_TRUE(std::fgets(line, sizeof line, from) != nullptr);  // the FILE has read all of it ahead
  std::fputs("first|", to);
  copy_options options;
  options.limit = 17;
  EXPECT_EQ(headrace::copy(from, to, options), 17u);
  std::fputs("|last", to);
  EXPECT_EQ(std::ftell(to), 6 + 17 + 5);
  EXPECT_EQ(std::ftell(from), 5 + 17);
  ASSERT_TRUE(std::fgets(line, sizeof line, from) != nullptr);
  EXPECT_STREQ(line, "tail\n");
  std::fclose(from);
  std::fclose(to);
  EXPECT_EQ(load(path("b")), "first|body of the file\n|last");
}

TEST_F(copying, a_writer_is_flushed_first_and_goes_on_after_it) {
  store(path("a"), bytes(300000, 8));
  headrace::writer to(path("b"));
  to << "before|";
  EXPECT_EQ(headrace::copy(path("a"), to), 300000u);
  EXPECT_EQ(to.arrived(), 7u + 300000u);
  to << "|after";
  to.close();
  EXPECT_TRUE(load(path("b")) == "before|" + bytes(300000, 8) + "|after");
  EXPECT_THROW(headrace::copy(path("a"), to), headrace::output_error) << "closed";
}

// What the reader has read ahead goes first, and it goes on after the copy.
TEST_F(copying, a_reader_goes_on_after_it_the_copy) {
  const std::string body = bytes(900000, 8);
  store(path("a"), "17 head\n" + body + "\n42 tail");
  for (const std::size_t limit : {std::size_t{3}, std::size_t{100000}, body.size()}) {
    headrace::reader from(path("a"));
    EXPECT_EQ(from.read<int>(), 17);
    EXPECT_EQ(from.read_line(), " head");
    copy_options options;
    options.limit = limit;
    EXPECT_EQ(headrace::copy(from, path("b"), options), limit);
    EXPECT_TRUE(load(path("b")) == body.substr(0, limit));
    EXPECT_EQ(from.where().offset, 8 + limit);
    if (limit == body.size()) {
      EXPECT_EQ(from.read<int>(), 42);
      EXPECT_EQ(from.read<std::string>(), "tail");
    }
  }
}

// The copy comes before anything was read; lines are counted from the start of the file all the same.
TEST_F(copying, a_reader_that_was_not_used_yet) {
  store(path("a"), "1\n2\n3\n4\nx\n");
  copy_options options;
  options.limit = 4;
  for (const bool is_asked : {false, true}) {
    headrace::reader from(path("a"));
    EXPECT_EQ(headrace::copy(from, path("b"), options), 4u);
    if (is_asked) {
      EXPECT_EQ(from.where().line, 3u);
    }
    EXPECT_EQ(from.read<int>(), 3);
    EXPECT_EQ(from.read<int>(), 4);
    int value = 0;
    EXPECT_EQ(from.parse(value).error->what(), path("a") + ":5:1: expected an integer, found \"x\"");
  }
}

// Bytes that the reader takes for blanks arrive as spaces, what its buffer does not hold yet included.
TEST_F(copying, a_reader_with_separators) {
  std::string text, blank;
  for (int i = 0; text.size() < 600000; ++i) {
    text += std::to_string(i) + ',';
    blank += std::to_string(i) + ' ';
  }
  store(path("a"), text);
  headrace::reader from(path("a"));
  from.separators(",");
  EXPECT_EQ(from.read<int>(), 0);
  EXPECT_EQ(headrace::copy(from, path("b")), text.size() - 1);
  EXPECT_TRUE(load(path("b")) == blank.substr(1));
}

TEST_F(copying, a_reader_to_the_end_and_a_writer) {
  store(path("a"), "one two " + bytes(400000, 8));
  headrace::reader from(path("a"));
  EXPECT_EQ(from.read<std::string>(), "one");
  headrace::writer to(path("b"));
  to << "first";
  EXPECT_EQ(headrace::copy(from, to), 5u + 400000u);
  EXPECT_TRUE(from.at_end());
  EXPECT_EQ(headrace::copy(from, to), 0u);
  to.close();
  EXPECT_TRUE(load(path("b")) == "first two " + bytes(400000, 8));
}

TEST_F(copying, a_reader_of_memory) {
  const std::string text = "5 " + bytes(700000, 3);
  headrace::reader from = headrace::reader::from(text);
  EXPECT_EQ(from.read<int>(), 5);
  copy_options options;
  options.limit = 500000;
  EXPECT_EQ(headrace::copy(from, path("b"), options), 500000u);
  EXPECT_TRUE(load(path("b")) == text.substr(1, 500000));
  EXPECT_EQ(headrace::copy(from, path("b")), 200001u);
  EXPECT_TRUE(load(path("b")) == text.substr(500001));
}

TEST_F(copying, a_writer_into_memory) {
  store(path("a"), bytes(900000, 8));
  std::string text;
  headrace::writer to = headrace::writer::into(text);
  to << "before|";
  EXPECT_EQ(headrace::copy(path("a"), to), 900000u);
  to << "|after";
  to.flush();
  EXPECT_TRUE(text == "before|" + bytes(900000, 8) + "|after");
}

// What does not fit into the writer stays in the source, whatever that is.
TEST_F(copying, a_full_writer_into_memory_leaves_the_rest_in_the_source) {
  const std::string content = bytes(1500000, 8);
  store(path("a"), content);
  std::string room(300000, '\0');
  const auto expect_full = [&](auto&& from) {
    headrace::writer narrow = headrace::writer::into(room.data(), room.size());
    narrow << "12345";
    expect_output_error([&] { headrace::copy(from, narrow); }, std::errc::no_buffer_space, 299995,
                        "<memory>: cannot write: No buffer space available (299995 bytes arrived)");
    EXPECT_EQ(narrow.arrived(), room.size());
    EXPECT_TRUE(room == "12345" + content.substr(0, 299995));
    EXPECT_THROW(narrow.flush(), headrace::output_error) << "a writer that failed stays failed";
  };

  const int file = open_at(path("a"), O_RDONLY);
  expect_full(file);
  EXPECT_EQ(::lseek(file, 0, SEEK_CUR), 299995);
  ::close(file);

  headrace::reader reader(path("a"));
  expect_full(reader);
  EXPECT_EQ(reader.where().offset, 299995u);
  EXPECT_EQ(headrace::copy(reader, path("rest")), content.size() - 299995);
  EXPECT_TRUE(load(path("rest")) == content.substr(299995));

  headrace::reader memory = headrace::reader::from(content);
  expect_full(memory);
  EXPECT_EQ(memory.where().offset, 299995u);

  std::FILE* stream = std::fopen(path("a").c_str(), "rb");
  expect_full(stream);
  EXPECT_EQ(std::ftell(stream), 299995);
  std::fclose(stream);
}

TEST_F(copying, a_full_writer_into_memory_is_silent_when_it_goes) {
  store(path("a"), bytes(1000, 8));
  char room[1];
  ::testing::internal::CaptureStderr();
  {
    headrace::writer narrow = headrace::writer::into(room, sizeof room);
    expect_output_error([&] { headrace::copy(path("a"), narrow); }, std::errc::no_buffer_space, 1,
                        "<memory>: cannot write: No buffer space available (1 byte arrived)");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// What on_progress throws leaves copy() when both ends are in order, as if it had returned false.
struct enough {};

copy_options until_enough() {
  copy_options options;
  options.on_progress = [](std::uint64_t, void*) -> bool { throw enough(); };
  return options;
}

TEST_F(copying, a_progress_that_throws_ends_the_copy_in_order) {
  const std::string content = bytes(40000000, 8);
  store(path("a"), content);
  for (const char* sink : {"b", null_device}) {
    const int in = open_at(path("a"), O_RDONLY);
    const int out = open_at(sink == null_device ? std::string(sink) : path(sink), O_WRONLY | O_CREAT);
    EXPECT_THROW(headrace::copy(in, out, until_enough()), enough);
    const auto copied = static_cast<std::size_t>(::lseek(in, 0, SEEK_CUR));
    EXPECT_GT(copied, 0u);
    EXPECT_LT(copied, content.size());
    if (sink != null_device) {
      EXPECT_TRUE(load(path("b")) == content.substr(0, copied));
    }
    ::close(in);
    ::close(out);
  }

  headrace::reader reader(path("a"));
  headrace::writer writer(path("c"));
  EXPECT_THROW(headrace::copy(reader, writer, until_enough()), enough);
  EXPECT_EQ(reader.where().offset, writer.arrived());
  EXPECT_GT(headrace::copy(reader, writer), 0u);
  writer.close();
  EXPECT_TRUE(load(path("c")) == content);

  std::FILE* from = std::fopen(path("a").c_str(), "rb");
  std::FILE* to = std::fopen(path("d").c_str(), "wb");
  EXPECT_THROW(headrace::copy(from, to, until_enough()), enough);
  EXPECT_EQ(std::ftell(from), std::ftell(to));
  EXPECT_GT(std::ftell(to), 0);
  std::fclose(from);
  std::fclose(to);
}

// ---- a FILE* that holds bytes which are not in its file ----

// The stream after ungetc of another character than the one that was read last (a random byte is rarely a newline).
std::FILE* open_with_pushed_back(const std::string& path, std::size_t already_read) {
  std::FILE* from = std::fopen(path.c_str(), "rb");
  for (std::size_t i = 0; i < already_read; ++i) std::getc(from);
  EXPECT_EQ(std::ungetc('\n', from), '\n');
  return from;
}

TEST_F(copying, a_character_pushed_back_into_a_file_is_copied) {
  const std::string content = bytes(300000, 4);
  store(path("a"), content);
  for (const std::size_t already_read : {0u, 1u, 2u, 4096u, 4097u, 299999u, 300000u}) {
    const std::string expected = "\n" + content.substr(already_read);
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5000}, SIZE_MAX}) {
      std::FILE* from = open_with_pushed_back(path("a"), already_read);
      copy_options options;
      if (limit != SIZE_MAX) options.limit = limit;
      const std::size_t copied = limit < expected.size() ? limit : expected.size();
      EXPECT_EQ(headrace::copy(from, path("b"), options), copied);
      EXPECT_TRUE(load(path("b")) == expected.substr(0, copied)) << already_read << ' ' << limit;
      if (copied != 0) {
        EXPECT_EQ(std::ftell(from), static_cast<long>(already_read + copied - 1));
      }
      EXPECT_EQ(headrace::copy(from, path("c")), expected.size() - copied);
      EXPECT_TRUE(load(path("c")) == expected.substr(copied)) << already_read << ' ' << limit;
      std::fclose(from);
    }
  }
}

TEST_F(copying, a_pushed_back_character_of_a_file_that_was_handed_out_is_no_more) {
  const std::string content = bytes(300000, 4);
  store(path("a"), content);
  std::FILE* from = open_with_pushed_back(path("a"), 2);
  EXPECT_EQ(std::getc(from), '\n');  // the C library may or may not have noticed that there is none left
  EXPECT_EQ(headrace::copy(from, path("b")), content.size() - 2);
  EXPECT_TRUE(load(path("b")) == content.substr(2));
  std::fclose(from);
}

TEST_F(copying, a_full_sink_leaves_what_a_stream_held) {
  const std::string content = bytes(300000, 4);
  store(path("a"), content);
  std::FILE* from = open_with_pushed_back(path("a"), 10);
  char room[100];
  headrace::writer narrow = headrace::writer::into(room, sizeof room);
  EXPECT_THROW(headrace::copy(from, narrow), headrace::output_error);
  EXPECT_EQ(std::string(room, sizeof room), "\n" + content.substr(10, 99));
  EXPECT_EQ(headrace::copy(from, path("b")), content.size() - 109);
  EXPECT_TRUE(load(path("b")) == content.substr(109));
  std::fclose(from);
}

TEST_F(copying, a_reader_of_a_stream_sees_the_character_that_was_pushed_back) {
  std::string text;
  for (int i = 100000; i < 150000; ++i) text += std::to_string(i) + "\n";
  store(path("a"), text);
  for (const std::size_t already_read : {1u, 700u}) {
    std::FILE* from = std::fopen(path("a").c_str(), "rb");
    for (std::size_t i = 0; i < already_read; ++i) std::getc(from);
    EXPECT_EQ(std::ungetc('7', from), '7');  // neither the first character nor the last newline
    headrace::reader reader(from);
    const std::string expected = "7" + text.substr(already_read);
    std::string seen;
    for (std::string_view line : reader.lines()) seen.append(line).append("\n");
    EXPECT_TRUE(seen == expected) << already_read << ": " << seen.size() << " of " << expected.size();
    std::fclose(from);
  }
}

// ---- names, and what is flushed ----

TEST_F(copying, null_pointers_are_refused) {
  const char* const no_path = nullptr;
  std::FILE* const no_stream = nullptr;
  const std::string there = path("a");
  store(there, "precious");
  const auto from = [&](auto source) {
    return message_of<headrace::input_error>([&] { headrace::copy(source, there); });
  };
  const auto to = [&](auto sink) { return message_of<headrace::output_error>([&] { headrace::copy(there, sink); }); };
  EXPECT_EQ(from(no_path), "<nothing>: cannot open a null pointer as a path: Invalid argument");
  EXPECT_EQ(from(no_stream), "<nothing>: cannot read from a null FILE*: Invalid argument");
  EXPECT_EQ(to(no_path), "<nothing>: cannot open a null pointer as a path: Invalid argument (0 bytes arrived)");
  EXPECT_EQ(to(no_stream), "<nothing>: cannot write to a null FILE*: Invalid argument (0 bytes arrived)");
  EXPECT_EQ(load(there), "precious");
}

TEST_F(copying, paths_that_a_nul_cuts_short_are_refused) {
  const std::string there = path("a"), cut("b\0c", 3);
  store(there, "precious");
  const std::string message = R"("b\x00c": cannot open a path with a NUL in it: Invalid argument)";
  EXPECT_EQ(message_of<headrace::input_error>([&] { headrace::copy(cut, path("d")); }), message);
  EXPECT_EQ(message_of<headrace::output_error>([&] { headrace::copy(there, cut); }), message + " (0 bytes arrived)");
  EXPECT_FALSE(std::filesystem::exists(path("d")));
}

TEST_F(copying, every_end_is_named) {
  using headrace::input_error, headrace::output_error, headrace::copy;
  store(path("a"), "x");
  EXPECT_EQ(message_of<input_error>([&] { copy("", path("b")); }), "\"\": cannot open: No such file or directory");
  EXPECT_EQ(message_of<output_error>([&] { copy(path("a"), ""); }),
            "\"\": cannot open: No such file or directory (0 bytes arrived)");
  EXPECT_EQ(message_of<input_error>([&] { copy(987, path("b")); }),
            "<descriptor 987>: cannot read: Bad file descriptor (it is closed, or open for writing only)");
  EXPECT_EQ(
      message_of<output_error>([&] { copy(path("a"), -1); }),
      "<descriptor -1>: cannot write: Bad file descriptor (0 bytes arrived; it is closed, or open for reading only)");
  EXPECT_STREQ(headrace::copy_source(0).name(), "<stdin>");
  EXPECT_STREQ(headrace::copy_sink(stdout).name(), "<stdout>");
  EXPECT_STREQ(headrace::copy_sink(2).name(), "<stderr>");
  EXPECT_EQ(headrace::copy_source(path("a")).name(), path("a"));
  headrace::reader reader(path("a"));
  EXPECT_EQ(headrace::copy_source(reader).name(), path("a"));
}

using headrace::detail::copier;
using headrace::detail::transfer;

// The real calls with faults in front of them. Probabilities are in percent.
struct faulty_calls : headrace::detail::copy_calls {
  std::mt19937 random;
  unsigned interrupted = 0, not_ready = 0, shortened = 0, refused = 0;
  bool always_refused = false;  // a seccomp filter, an old kernel
  int device = -1;              // what is "spliced" to it is recorded as well as what is written
  std::string recorded;
  std::uint64_t write_limit = UINT64_MAX, written = 0;  // the medium is full after `write_limit` bytes
  std::uint64_t read_limit = UINT64_MAX, was_read = 0;  // the medium breaks
  int waits = 0, kernel_moves = 0;
  std::function<void(int)> before_read;
  int reads = 0;

  bool chance(unsigned percent) { return random() % 100 < percent; }
  int fault() {
    if (chance(interrupted)) return EINTR;
    if (!on_windows && chance(not_ready)) return EAGAIN;
    return 0;
  }
  int refusal() {
    constexpr int codes[] = {EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM};
    return always_refused || chance(refused) ? codes[random() % 5] : 0;
  }
  std::size_t shorter(std::size_t size) { return size > 1 && chance(shortened) ? 1 + random() % (size - 1) : size; }
  std::size_t room(std::size_t size) const {
    return size < write_limit - written ? size : static_cast<std::size_t>(write_limit - written);
  }

  void wait(int, headrace::detail::readiness) { ++waits; }
  transfer read(int descriptor, char* to, std::size_t size) {
    if (before_read) before_read(reads);
    ++reads;
    if (const int code = fault()) return {0, code};
    if (was_read >= read_limit) return {0, EIO};
    const transfer done = copy_calls::read(descriptor, to, shorter(size));
    was_read += done.size;
    return done;
  }
  transfer write(int descriptor, const char* from, std::size_t size) {
    if (const int code = fault()) return {0, code};
    if (written >= write_limit) return {0, ENOSPC};
    size = shorter(room(size));
    if (descriptor == device) recorded.append(from, size);
    const transfer done = descriptor == device ? transfer{size, 0} : copy_calls::write(descriptor, from, size);
    written += done.size;
    return done;
  }
  template <class Move>
  transfer moved(int to, std::size_t size, Move move) {
    if (const int code = fault()) return {0, code};
    if (const int code = refusal()) return {0, code};
    const bool into_own_pipe = device >= 0 && to != device;
    if (written >= write_limit && !into_own_pipe) return {0, ENOSPC};
    if (was_read >= read_limit) return {0, EIO};
    const transfer done = move(shorter(into_own_pipe ? size : room(size)));
    if (done.error == 0) ++kernel_moves;
    return done;
  }
  transfer copy_range(int from, int to, std::size_t size) {
    const transfer done = moved(to, size, [&](std::size_t part) { return copy_calls::copy_range(from, to, part); });
    written += done.size;
    return done;
  }
  transfer send_file(int from, int to, std::size_t size) {
    const transfer done = moved(to, size, [&](std::size_t part) { return copy_calls::send_file(from, to, part); });
    written += done.size;
    return done;
  }
  transfer splice(int from, int to, std::size_t size) {
    const transfer done = moved(to, size, [&](std::size_t part) {
      if (to != device) return copy_calls::splice(from, to, part);
      std::string block(part, '\0');
      const transfer got = copy_calls::read(from, block.data(), part);
      recorded.append(block, 0, got.size);
      return got;
    });
    if (device < 0 || to == device) written += done.size;
    return done;
  }
};

struct end_of_copy {
  copier<faulty_calls>::side failed;
  int error;
  std::uint64_t copied;
  off_t place;  // of the source
};

// From a file to a new one, or to the device that records.
end_of_copy copy_with(faulty_calls& calls, const std::string& source, const std::string& sink) {
  const test::descriptor in(open_at(source, O_RDONLY)), out(open_at(sink, O_WRONLY | O_CREAT | O_TRUNC));
  if (sink == null_device) calls.device = out.get();
  const copy_options options;
  copier<faulty_calls> work(calls, in.get(), out.get(), options);
  work.run();
  return {work.failed(), work.error(), work.copied(), static_cast<off_t>(::lseek(in.get(), 0, SEEK_CUR))};
}

// Feeds a descriptor from a thread, in odd pieces, and closes it.
std::thread feeding(int descriptor, std::string content) {
  return std::thread([descriptor, content = std::move(content)] {
    std::size_t at = 0;
    for (std::size_t piece = 1; at < content.size(); piece = piece * 3 % 70001 + 1) {
      const std::size_t rest = content.size() - at;
      const transfer done = headrace::detail::write_all(descriptor, content.data() + at, rest < piece ? rest : piece);
      if (done.error != 0) break;
      at += done.size;
    }
    ::close(descriptor);
  });
}

std::thread draining(int descriptor, std::string& into) {
  return std::thread([descriptor, &into] {
    char block[30011];
    for (;;) {
      const transfer got = headrace::detail::read_some(descriptor, block, sizeof block);
      if (got.size == 0) break;
      into.append(block, got.size);
    }
    ::close(descriptor);
  });
}

enum class from_kind { file, sparse, pipe, count };
enum class to_kind { fresh, inside, append, pipe, socket, device, count };

constexpr int from_kinds = static_cast<int>(from_kind::count);
constexpr int to_kinds = static_cast<int>(to_kind::count);

// What a file should hold: data and holes of whole blocks, so that the file system really leaves them out.
std::string with_holes(std::string content) {
  for (std::size_t at = 0; at + 65536 <= content.size(); at += 3 * 65536) std::memset(&content[at], 0, 65536);
  return content;
}

void store_sparse(const std::string& path, const std::string& content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  for (std::size_t at = 0; at < content.size(); at += 65536) {
    const std::string block = content.substr(at, 65536);
    if (block.find_first_not_of('\0') == std::string::npos) continue;
    std::fseek(file, static_cast<long>(at), SEEK_SET);
    std::fwrite(block.data(), 1, block.size(), file);
  }
  std::fflush(file);
  EXPECT_EQ(::ftruncate(::fileno(file), static_cast<off_t>(content.size())), 0);
  std::fclose(file);
}

TEST_F(copying, a_progress_that_throws_in_a_hole_leaves_a_sink_of_its_length) {
  const std::string content = std::string(1 << 20, '\0') + bytes(100000, 2);
  store_sparse(path("a"), content);
  EXPECT_THROW(headrace::copy(path("a"), path("b"), until_enough()), enough);
  const std::string arrived = load(path("b"));
  EXPECT_FALSE(arrived.empty());
  EXPECT_TRUE(arrived == content.substr(0, arrived.size()));
}

// Windows has no sockets that are descriptors.
int open_pair([[maybe_unused]] to_kind kind, int (&ends)[2]) {
#if !defined(_WIN32)
  if (kind == to_kind::socket) return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
#endif
  return test::new_pipe(ends);
}

class random_copying : public copying {
 protected:
  void SetUp() override {
    copying::SetUp();
#if !defined(_WIN32)
    std::signal(SIGPIPE, SIG_IGN);  // a limit closes the pipe before its feeder is done
#endif
  }
  void one(unsigned seed);
};

// One random pair of ends; what arrives is compared byte by byte.
void random_copying::one(unsigned seed) {
  std::mt19937 random(seed);
  constexpr std::size_t sizes[] = {0, 1, 4095, 4096, 4097, 65535, 65536, 65537, 300000, 524287, 524289, 1500000};
  const auto from = static_cast<from_kind>(random() % from_kinds);
  const auto to = static_cast<to_kind>(random() % to_kinds);
  const std::size_t size = sizes[random() % std::size(sizes)];
  const std::size_t skip = random() % 2 != 0 && from != from_kind::pipe ? random() % (size + 1) : 0;
  copy_options options;
  if (random() % 4 == 0) options.limit = random() % (size + 2);
  SCOPED_TRACE("seed " + std::to_string(seed) + " from " + std::to_string(static_cast<int>(from)) + " to " +
               std::to_string(static_cast<int>(to)) + " size " + std::to_string(size) + " skip " +
               std::to_string(skip));

  const std::string content = from == from_kind::sparse ? with_holes(bytes(size, seed)) : bytes(size, seed);
  const std::string expected =
      content.substr(skip, static_cast<std::size_t>(options.limit < size ? options.limit : std::uint64_t{size}));
  int in = -1, out = -1, far_end = -1;
  std::thread feeder, drainer;
  std::string arrived, around = bytes(2000000, seed + 1);
  faulty_calls calls;
  calls.random.seed(seed);

  if (from == from_kind::pipe) {
    int ends[2];
    ASSERT_EQ(test::new_pipe(ends), 0);
    in = ends[0];
    feeder = feeding(ends[1], content);
  } else {
    from == from_kind::sparse ? store_sparse(path("in"), content) : store(path("in"), content);
    in = open_at(path("in"), O_RDONLY);
    ASSERT_EQ(::lseek(in, static_cast<off_t>(skip), SEEK_SET), static_cast<off_t>(skip));
  }
  if (to == to_kind::pipe || to == to_kind::socket) {
    int ends[2];
    ASSERT_EQ(open_pair(to, ends), 0);
    out = ends[1];
    far_end = ends[0];
    drainer = draining(far_end, arrived);
  } else if (to == to_kind::device) {
    out = open_at(null_device, O_WRONLY);
    calls.device = out;
  } else {
    store(path("out"), to == to_kind::fresh ? "" : around);
    out = open_at(path("out"), O_WRONLY | (to == to_kind::append ? O_APPEND : 0));
    if (to == to_kind::inside) ::lseek(out, 777, SEEK_SET);
  }

  if (random() % 4 != 0) {
    calls.interrupted = static_cast<unsigned>(random() % 20);
    calls.not_ready = static_cast<unsigned>(random() % 20);
    calls.shortened = static_cast<unsigned>(random() % 60);
    calls.refused = static_cast<unsigned>(random() % 3 * (random() % 30));
    calls.always_refused = random() % 5 == 0;
  }
  copier<faulty_calls> work(calls, in, out, options);
  work.run();
  EXPECT_EQ(work.error(), 0);
  EXPECT_EQ(work.copied(), expected.size());
  if (from != from_kind::pipe) {
    EXPECT_EQ(::lseek(in, 0, SEEK_CUR), static_cast<off_t>(skip + expected.size()));
  }
  ::close(out);
  ::close(in);
  if (drainer.joinable()) drainer.join();
  if (feeder.joinable()) feeder.join();

  if (to == to_kind::device) arrived = calls.recorded;
  if (to == to_kind::fresh || to == to_kind::inside || to == to_kind::append) arrived = load(path("out"));
  std::string whole = expected;
  if (to == to_kind::append) whole = around + expected;
  if (to == to_kind::inside) whole = std::string(around).replace(777, expected.size(), expected);
  EXPECT_TRUE(arrived == whole) << arrived.size() << " bytes arrived, expected " << whole.size();
}

TEST_F(random_copying, pairs_with_faults) {
  for (unsigned seed = 0; seed < 240 / test::share() && !HasFailure(); ++seed) one(seed);
}

TEST_F(random_copying, soak) {
  test::soak soak("random copies");
  for (unsigned seed = soak.seed(); soak.goes_on() && !HasFailure(); ++seed) one(seed);
}

// Every kernel route is really taken when nothing refuses, and none when everything does.
TEST_F(copying, kernel_routes_are_taken) {
  store(path("in"), bytes(300000, 1));
  for (const bool refused : {false, true}) {
    faulty_calls calls;
    calls.always_refused = refused;
    copy_with(calls, path("in"), null_device);
    EXPECT_TRUE(calls.recorded == bytes(300000, 1));
#if defined(__linux__)
    EXPECT_EQ(calls.kernel_moves > 0, !refused);
#endif
  }
}

// A full medium: the count is exact, the sink no longer than it, and the source is just past what arrived.
TEST_F(copying, a_full_sink_counts_what_arrived) {
  const std::string content = with_holes(bytes(1500000, 5));
  store(path("in"), content);
  store_sparse(path("sparse"), content);
  for (const bool is_sparse : {false, true}) {
    for (const std::uint64_t room : {0u, 1u, 4096u, 600000u, 900000u}) {
      faulty_calls calls;
      calls.write_limit = room;
      const end_of_copy end = copy_with(calls, path(is_sparse ? "sparse" : "in"), path("out"));
      EXPECT_EQ(end.failed, copier<faulty_calls>::side::sink);
      EXPECT_EQ(end.error, ENOSPC);
      EXPECT_TRUE(is_sparse ? end.copied >= room : end.copied == room) << end.copied;
      EXPECT_EQ(end.place, static_cast<off_t>(end.copied));
      EXPECT_TRUE(load(path("out")) == content.substr(0, static_cast<std::size_t>(end.copied)));
    }
  }
}

// The same through our own pipe: bytes that are in it go back to the source.
TEST_F(copying, a_device_that_fails_gives_back_what_it_did_not_take) {
  store(path("in"), bytes(3000000, 5));
  for (const std::uint64_t room : {0u, 1u, 5000u, 1048576u, 2000001u}) {
    for (const unsigned refused : {0u, 30u}) {
      faulty_calls calls;
      calls.write_limit = room;
      calls.refused = refused;
      const end_of_copy end = copy_with(calls, path("in"), null_device);
      EXPECT_EQ(end.error, ENOSPC);
      EXPECT_EQ(end.copied, room);
      EXPECT_EQ(end.place, static_cast<off_t>(room));
      EXPECT_TRUE(calls.recorded == bytes(3000000, 5).substr(0, static_cast<std::size_t>(room)));
    }
  }
}

TEST_F(copying, a_broken_source_is_told_from_a_broken_sink) {
  store(path("in"), bytes(2000000, 5));
  faulty_calls calls;
  calls.read_limit = 600000;
  const end_of_copy end = copy_with(calls, path("in"), path("out"));
  EXPECT_EQ(end.failed, copier<faulty_calls>::side::source);
  EXPECT_EQ(end.error, EIO);
  EXPECT_TRUE(load(path("out")) == bytes(2000000, 5).substr(0, static_cast<std::size_t>(end.copied)));
}

headrace::detail::file_info facts_of(const std::string& path) {
  return headrace::detail::describe(test::descriptor(open_at(path, O_RDONLY)).get());
}

TEST_F(copying, a_source_that_grows_is_followed_and_one_that_shrinks_ends_early) {
  for (const bool grows : {true, false}) {
    store(path("in"), bytes(2000000, 9));
    faulty_calls calls;
    calls.before_read = [&](int reads) {
      if (reads != 1) return;
      if (!grows) return fs::resize_file(path("in"), 900000);
      std::ofstream(path("in"), std::ios::binary | std::ios::app) << bytes(700000, 10);
    };
    const end_of_copy end = copy_with(calls, path("in"), path("out"));
    EXPECT_EQ(end.error, 0);
    EXPECT_EQ(end.copied, grows ? 2700000u : 900000u);
    EXPECT_TRUE(load(path("out")) ==
                (grows ? bytes(2000000, 9) + bytes(700000, 10) : bytes(2000000, 9).substr(0, 900000)));
    // blocks that were reserved for the part that went away are given back
    EXPECT_LT(facts_of(path("out")).allocated, end.copied + 200000);
  }
}

// Also where a reader held as many bytes as are missing in the end.
TEST_F(copying, what_was_reserved_after_a_reader_is_given_back) {
  store(path("in"), "1 " + bytes(600000, 9));
  headrace::reader from(path("in"));
  EXPECT_EQ(from.read<int>(), 1);
  const std::size_t held = from.buffered().size();
  copy_options options;
  options.on_progress = [](std::uint64_t copied, void*) { return copied < 520000; };
  const std::uint64_t copied = headrace::copy(from, path("out"), options);
  EXPECT_GT(copied, 600000 - held);
  EXPECT_EQ(facts_of(path("out")).size, copied);
  EXPECT_LT(facts_of(path("out")).allocated, copied + 8192);
}

TEST_F(copying, holes_never_show_what_lay_below) {
  const std::string content = with_holes(bytes(1000000, 2));
  store_sparse(path("in"), content);
  store(path("out"), bytes(1500000, 3));
  const test::descriptor in(open_at(path("in"), O_RDONLY));
  const test::descriptor out(open_at(path("out"), O_WRONLY));  // from its start, over what is there
  EXPECT_EQ(headrace::copy(in.get(), out.get()), content.size());
  EXPECT_TRUE(load(path("out")) == content + bytes(1500000, 3).substr(1000000));
}

TEST_F(copying, a_pipe_under_a_stream_loses_nothing) {
  for (const bool pushed_back : {false, true}) {
    int ends[2];
    ASSERT_EQ(test::new_pipe(ends), 0);
    std::thread feeder = feeding(ends[1], "x" + bytes(400000, 4));
    std::FILE* from = ::fdopen(ends[0], "rb");
    const int first = std::getc(from);  // the FILE now holds a block of the pipe
    EXPECT_EQ(first, 'x');
    if (pushed_back) std::ungetc('y', from);
    EXPECT_EQ(headrace::copy(from, path("out")), 400000u + pushed_back);
    feeder.join();
    std::fclose(from);
    EXPECT_TRUE(load(path("out")) == (pushed_back ? "y" : "") + bytes(400000, 4));
  }
}

TEST_F(copying, a_pipe_under_a_reader_loses_nothing) {
  for (const bool by_stream : {false, true}) {
    int ends[2];
    ASSERT_EQ(test::new_pipe(ends), 0);
    std::thread feeder = feeding(ends[1], "12 " + bytes(400000, 4));
    std::FILE* stream = ::fdopen(ends[0], "rb");
    if (by_stream) {
      EXPECT_EQ(std::getc(stream), '1');
    }
    headrace::reader from = by_stream ? headrace::reader(stream) : headrace::reader(ends[0]);
    EXPECT_EQ(from.read<int>(), by_stream ? 2 : 12);
    EXPECT_EQ(headrace::copy(from, path("out")), 400001u);
    feeder.join();
    std::fclose(stream);
    EXPECT_TRUE(load(path("out")) == " " + bytes(400000, 4));
  }
}

TEST_F(copying, a_directory_and_closed_ends) {
  store(path("a"), "x");
  EXPECT_THROW(headrace::copy(path(""), path("b")), headrace::input_error);
  EXPECT_FALSE(fs::exists(path("b"))) << "a source that cannot be read leaves no sink";
  EXPECT_THROW(headrace::copy(path("a"), path("")), headrace::output_error);
  EXPECT_THROW(headrace::copy(path("a"), 987), headrace::output_error);
  EXPECT_THROW(headrace::copy(987, path("b")), headrace::input_error);
  const test::descriptor reading(open_at(path("a"), O_RDONLY)), writing(open_at(path("a"), O_WRONLY));
  store(path("empty"), "");
  if (!on_windows) {  // where nothing tells what a descriptor was opened for
    EXPECT_THROW(headrace::copy(path("empty"), reading.get()), headrace::output_error);
  }
  store(path("b"), "kept");
  EXPECT_THROW(headrace::copy(writing.get(), path("b")), headrace::input_error);
  if (!on_windows) {
    EXPECT_EQ(load(path("b")), "kept");
  }
}

// ---- what only POSIX has: holes of 2 GiB, /proc, descriptors that do not block, /dev/full, limits ----

#if !defined(_WIN32)

#if defined(__linux__)
// What no byte can come from, and what none can go to: named, with what may be the reason.
TEST_F(copying, ends_that_take_and_give_nothing) {
  using headrace::input_error, headrace::output_error, headrace::copy;
  store(path("a"), "x");
  store(path("w"), "");
  const test::descriptor events(::epoll_create1(0)), stream(::socket(AF_UNIX, SOCK_STREAM, 0)),
      datagrams(::socket(AF_INET, SOCK_DGRAM, 0)), folder(::open("/", O_RDONLY)), written(open_at(path("w"), O_WRONLY));
  const auto named = [](const test::descriptor& end, const char* action, const std::string& reason) {
    return "<descriptor " + std::to_string(end.get()) + ">: cannot " + action + ": " + reason;
  };
  const auto from = [&](const test::descriptor& end) {
    return message_of<input_error>([&] { copy(end.get(), path("b")); });
  };
  const auto to = [&](const test::descriptor& end) {
    return message_of<output_error>([&] { copy(path("a"), end.get()); });
  };
  const std::string no_input =
      "Invalid argument (nothing can be read from it: an epoll descriptor, perhaps, or a socket that is not connected)";
  const std::string read_only = "Bad file descriptor (0 bytes arrived; it is closed, or open for reading only)";
  EXPECT_EQ(from(events), named(events, "read", no_input));
  EXPECT_EQ(from(stream), named(stream, "read", no_input));
  EXPECT_EQ(from(folder), named(folder, "read", "Is a directory"));
  EXPECT_EQ(from(written), named(written, "read", "Bad file descriptor (it is closed, or open for writing only)"));
  EXPECT_EQ(to(events), named(events, "write",
                              "Invalid argument (0 bytes arrived; nothing can be written to it: an epoll descriptor, "
                              "perhaps)"));
  EXPECT_EQ(to(stream), named(stream, "write",
                              "Transport endpoint is not connected (0 bytes arrived; the socket has to be connected "
                              "first)"));
  EXPECT_EQ(to(datagrams),
            named(datagrams, "write",
                  "Destination address required (0 bytes arrived; the socket has to be connected first)"));
  EXPECT_EQ(to(folder), named(folder, "write", read_only));
}
#endif

// Over 2 GiB, nearly all of it holes: 32-bit offsets would fail, and writing it out would take the room.
TEST_F(copying, a_sparse_file_over_two_gibibytes_stays_sparse) {
  constexpr std::uint64_t size = (std::uint64_t{1} << 31) + 1;
  const int in = headrace::detail::open_file(path("in").c_str(), headrace::detail::open_mode::truncate);
  headrace::detail::copy_calls calls;
  ASSERT_EQ(calls.resize(in, static_cast<std::int64_t>(size)), 0);
  ASSERT_EQ(calls.write(in, "start", 5).size, 5u);
  calls.seek(in, static_cast<std::int64_t>(size) - 1, SEEK_SET);
  ASSERT_EQ(calls.write(in, "!", 1).size, 1u);
  ::close(in);
  EXPECT_EQ(headrace::copy(path("in"), path("out")), size);

  const int out = headrace::detail::open_file(path("out").c_str(), headrace::detail::open_mode::read);
  const auto info = headrace::detail::describe(out);
  EXPECT_EQ(info.size, size);
#if defined(__linux__)
  EXPECT_LT(info.allocated, 1u << 20);
#endif
  char text[5];
  EXPECT_EQ(calls.read(out, text, 5).size, 5u);
  EXPECT_EQ(std::string(text, 5), "start");
  calls.seek(out, static_cast<std::int64_t>(size) - 1, SEEK_SET);
  EXPECT_EQ(calls.read(out, text, 5).size, 1u);
  EXPECT_EQ(text[0], '!');
  ::close(out);
}

// A FILE* without a descriptor is read through stdio.
TEST_F(copying, a_stream_in_memory) {
  std::string text = bytes(400000, 3);
  std::FILE* from = ::fmemopen(text.data(), text.size(), "r");
  EXPECT_STREQ(headrace::copy_source(from).name(), "<FILE*>");
  copy_options options;
  options.limit = 100001;
  EXPECT_EQ(headrace::copy(from, path("b"), options), 100001u);
  EXPECT_TRUE(load(path("b")) == text.substr(0, 100001));
  EXPECT_EQ(headrace::copy(from, path("b")), text.size() - 100001);
  EXPECT_TRUE(load(path("b")) == text.substr(100001));
  std::fclose(from);

  char* grown = nullptr;
  std::size_t size = 0;
  std::FILE* to = ::open_memstream(&grown, &size);
  EXPECT_EQ(message_of<headrace::output_error>([&] { headrace::copy(path("b"), to); }),
            "<FILE*>: cannot write: Bad file descriptor (0 bytes arrived; it is closed, or open for reading only)");
  std::fclose(to);
  std::free(grown);
}

// Nothing but a reader is tied to a writer: a pipe, whoever reads it, leaves `out` alone.
TEST_F(copying, a_descriptor_and_a_stream_do_not_flush_out) {
  const int real = ::dup(1);
  const int file = open_at(path("stdout"), O_WRONLY | O_CREAT);
  std::fflush(stdout);
  ::dup2(file, 1);
  headrace::out << "held";
  for (const bool by_stream : {false, true}) {
    int ends[2];
    ASSERT_EQ(test::new_pipe(ends), 0);
    std::thread feeder = feeding(ends[1], bytes(100000, 3));
    std::FILE* stream = by_stream ? ::fdopen(ends[0], "rb") : nullptr;
    EXPECT_EQ(by_stream ? headrace::copy(stream, path("b")) : headrace::copy(ends[0], path("b")), 100000u);
    feeder.join();
    EXPECT_EQ(fs::file_size(path("stdout")), 0u);
    by_stream ? std::fclose(stream) : ::close(ends[0]);
  }
  headrace::out.flush();
  ::dup2(real, 1);
  ::close(real);
  ::close(file);
  EXPECT_EQ(load(path("stdout")), "held");
}

TEST_F(copying, a_file_without_a_size_is_read) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "no /proc";
  EXPECT_GT(headrace::copy("/proc/self/status", path("out")), 100u);
  EXPECT_EQ(load(path("out")).substr(0, 5), "Name:");
}

// Non-blocking ends on both sides, with the real calls: EAGAIN waits.
TEST_F(copying, non_blocking_pipes_are_waited_for) {
  int from[2], to[2];
  ASSERT_EQ(test::new_pipe(from), 0);
  ASSERT_EQ(test::new_pipe(to), 0);
  ::fcntl(from[0], F_SETFL, O_NONBLOCK);
  ::fcntl(to[1], F_SETFL, O_NONBLOCK);
  std::string arrived;
  std::thread feeder = feeding(from[1], bytes(900000, 6));
  std::thread drainer = draining(to[0], arrived);
  EXPECT_EQ(headrace::copy(from[0], to[1]), 900000u);
  ::close(from[0]);
  ::close(to[1]);
  feeder.join();
  drainer.join();
  EXPECT_TRUE(arrived == bytes(900000, 6));
}

// What waits in a pipe or a socket is not changed by who writes to the source.
TEST_F(copying, a_snapshot_keeps_what_was_copied) {
  const std::string before = bytes(30000, 1), after = bytes(30000, 2);
  for (const bool into_socket : {false, true}) {
    store(path("in"), before);
    int ends[2];
    ASSERT_EQ(into_socket ? ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : ::pipe(ends), 0);
    copy_options options;
    options.snapshot = true;
    EXPECT_EQ(headrace::copy(path("in"), ends[1], options), before.size());
    const int in = open_at(path("in"), O_RDWR);
    ASSERT_EQ(::pwrite(in, after.data(), after.size(), 0), static_cast<ssize_t>(after.size()));
    ::close(in);
    ::close(ends[1]);
    std::string arrived(before.size() + 1, '\0');
    std::size_t size = 0;
    for (ssize_t got; (got = ::read(ends[0], &arrived[size], arrived.size() - size)) > 0;) {
      size += static_cast<std::size_t>(got);
    }
    ::close(ends[0]);
    EXPECT_TRUE(arrived.substr(0, size) == before);
  }
}

// The reader of the sink goes: what was in our own pipe is the source's again.
TEST_F(copying, a_pipe_whose_reader_goes_leaves_the_rest_in_the_source) {
  const std::string content = bytes(3000000, 9);
  store(path("in"), content);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::size_t taken = 0;
  std::thread reader([&] {
    std::string some(100000, '\0');
    while (taken < some.size()) {
      const ssize_t got = ::read(ends[0], &some[taken], some.size() - taken);
      if (got <= 0) break;
      taken += static_cast<std::size_t>(got);
    }
    EXPECT_TRUE(some.compare(0, taken, content, 0, taken) == 0);
    ::close(ends[0]);
  });
  const int in = open_at(path("in"), O_RDONLY);
  try {
    headrace::copy(in, ends[1]);
    ADD_FAILURE() << "the copy ended without an error";
  } catch (const headrace::output_error& error) {
    EXPECT_EQ(error.code().value(), EPIPE);
    EXPECT_GE(static_cast<std::size_t>(::lseek(in, 0, SEEK_CUR)), taken);
    EXPECT_EQ(static_cast<std::uint64_t>(::lseek(in, 0, SEEK_CUR)), error.arrived());
  }
  reader.join();
  std::signal(SIGPIPE, before);
  ::close(in);
  ::close(ends[1]);
}

TEST_F(copying, both_ends_of_one_pipe_are_the_same) {
  const test::pipe_ends pipe = test::make_pipe();
  EXPECT_THROW(headrace::copy(pipe.read.get(), pipe.write.get()), headrace::output_error);
}

TEST_F(copying, a_full_device_says_so) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  store(path("a"), bytes(100000, 1));
  expect_output_error([&] { headrace::copy(path("a"), "/dev/full"); }, std::errc::no_space_on_device, 0,
                      "/dev/full: cannot write: No space left on device (0 bytes arrived)");
}

// The kernel's own limit, in place of a full disk.
TEST_F(copying, a_limit_of_the_system_counts_what_arrived) {
  store(path("a"), bytes(3000000, 1));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1234567;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_output_error([&] { headrace::copy(path("a"), path("b")); }, std::errc::file_too_large, 1234567);
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(load(path("b")) == bytes(3000000, 1).substr(0, 1234567));
}

#endif

}  // namespace
