// writer::into(object): what a sink of the user's is asked, and that each way to fail is an error that names it.
#include <headrace/writer.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "support/child.hpp"
#include "support/errors.hpp"

namespace {

using headrace::output_error;
using headrace::writer;

// Takes all, and says what it was asked.
struct complete_sink {
  std::string text;
  std::string calls;
  void write(const char* from, std::size_t size) { text.append(from, size); }
  void flush() { calls += "flush "; }
  bool close() {
    calls += "close ";
    return true;
  }
};

TEST(WriterSink, TakesFlushesAndCloses) {
  complete_sink sink;
  {
    writer to = writer::into(sink);
    to << "one " << 2;
    EXPECT_EQ(sink.text, "");
    to.flush();
    EXPECT_EQ(sink.text, "one 2");
    EXPECT_EQ(sink.calls, "flush ");
    EXPECT_TRUE(to.try_flush());
    to << '!';
    to.close();
    to.close();
    EXPECT_THROW(to << "more", output_error);
    EXPECT_EQ(to.arrived(), 6u);
    EXPECT_EQ(to.descriptor(), -1);
  }
  EXPECT_EQ(sink.text, "one 2!");
  EXPECT_EQ(sink.calls, "flush flush flush close ");
}

TEST(WriterSink, IsAskedAgainAfterASignalAndWhenItIsNotReady) {
  for (const int error : {EINTR, EAGAIN}) {
    std::string text;
    int calls = 0;
    auto sink = [&](const char* from, std::size_t size) -> long {
      if (++calls % 2 == 1) {
        errno = error;
        return -1;
      }
      text.append(from, size < 3 ? size : 3);
      return size < 3 ? static_cast<long>(size) : 3;
    };
    headrace::writer to = headrace::writer::into(sink);
    to << "0123456789";
    to.close();
    EXPECT_EQ(text, "0123456789");
    EXPECT_EQ(calls, 8);
  }
}

TEST(WriterSink, ADestructorFlushesAndClosesOnce) {
  complete_sink sink;
  {
    writer first = writer::into(sink);
    first << "moved";
    const writer second = std::move(first);
  }
  EXPECT_EQ(sink.text, "moved");
  EXPECT_EQ(sink.calls, "flush close ");
}

TEST(WriterSink, SomeAtATime) {
  struct {
    std::string text;
    std::size_t write(const char* from, std::size_t size) {
      const std::size_t taken = size < 7 ? size : 7;
      text.append(from, taken);
      return taken;
    }
  } sink;
  std::string expected;
  writer to = writer::into(sink);
  for (int i = 0; i < 30000; ++i) {
    to << i << '\n';
    expected += std::to_string(i) + '\n';
  }
  to.write(expected);  // larger than the buffer
  to.close();
  EXPECT_EQ(sink.text, expected + expected);
  EXPECT_EQ(to.arrived(), sink.text.size());
}

TEST(WriterSink, AFunctionObject) {
  std::string text;
  const auto append = [&](const char* from, std::size_t size) { text.append(from, size); };
  writer to = writer::into(append);
  to << "called";
  to.close();
  EXPECT_EQ(text, "called");
}

TEST(WriterSink, Policies) {
  complete_sink sink;
  writer to = writer::into(sink);
  to.flush_when(headrace::flush_policy::each_line);
  to << "half";
  EXPECT_EQ(sink.text, "");
  to << " a line\n";
  EXPECT_EQ(sink.text, "half a line\n");
  EXPECT_EQ(sink.calls, "");
}

TEST(WriterSink, ALongOutputLeavesInBlocksOfTwiceTheSize) {
  struct {
    std::string text;
    std::vector<std::size_t> sizes;
    void write(const char* from, std::size_t size) {
      text.append(from, size);
      sizes.push_back(size);
    }
  } sink;
  std::string expected;
  writer to = writer::into(sink);
  for (int i = 0; expected.size() < 5 << 20; ++i) {
    to << "line " << i << '\n';
    expected += "line " + std::to_string(i) + '\n';
  }
  to.close();
  EXPECT_TRUE(sink.text == expected);
  std::vector<std::size_t> sizes(64, 64 * 1024);
  for (std::size_t left = expected.size() - (4 << 20), size; left != 0; left -= size) {
    sizes.push_back(size = std::min<std::size_t>(left, 128 * 1024));
  }
  EXPECT_EQ(sink.sizes, sizes);
}

TEST(WriterSink, Names) {
  complete_sink sink;
  std::string name = "archive.gz";
  const writer to = writer::into(sink, name.c_str());
  name = "changed";
  EXPECT_STREQ(to.name(), "archive.gz");
  EXPECT_STREQ(writer::into(sink).name(), "<sink>");
}

// Fails as the test says, from byte 3 on.
template <class Fail>
struct failing_sink {
  Fail fail;
  int calls = 0;
  bool closed = false;
  auto write(const char*, std::size_t size) {
    ++calls;
    return fail(size);
  }
  void close() { closed = true; }
};

template <class Fail>
void expect_failure(const Fail& fail, std::errc code, const std::string& message) {
  failing_sink<Fail> sink{fail};
  writer to = writer::into(sink, "archive");
  to << "text";
  for (int i = 0; i < 2; ++i) {
    try {
      to.flush();
      FAIL() << message;
    } catch (const output_error& error) {
      EXPECT_EQ(error.what(), "archive: cannot " + message);
      EXPECT_EQ(error.code(), code);
    }
  }
  EXPECT_THROW(to << "more", output_error);
  EXPECT_THROW(to.close(), output_error);
  EXPECT_NO_THROW(to.close());
  EXPECT_EQ(sink.calls, 1) << "a sink that failed was asked again";
  EXPECT_TRUE(sink.closed);
}

TEST(WriterSink, EachWayToFail) {
  using size_type = std::size_t;
  using signed_size = std::ptrdiff_t;
  expect_failure([](size_type) -> size_type { return 0; }, std::errc::io_error,
                 "write to a sink that took nothing: Input/output error (0 bytes arrived)");
  expect_failure([](size_type size) -> size_type { return size + 1; }, std::errc::io_error,
                 "write to a sink that claims more than it was given: Input/output error (0 bytes arrived)");
  expect_failure(
      [](size_type) -> signed_size {
        errno = ENOSPC;
        return -1;
      },
      std::errc::no_space_on_device, "write: No space left on device (0 bytes arrived)");
  expect_failure([](size_type) -> signed_size { return -1; }, std::errc::io_error,
                 "write: Input/output error (0 bytes arrived)");
  expect_failure([](size_type) -> size_type { throw std::runtime_error("bad state"); }, std::errc::io_error,
                 "write to a sink that threw: Input/output error (0 bytes arrived)");
  expect_failure([](size_type) -> size_type { throw 5; }, std::errc::io_error,
                 "write to a sink that threw: Input/output error (0 bytes arrived)");
  expect_failure([](size_type) -> size_type { throw std::system_error(std::make_error_code(std::errc::broken_pipe)); },
                 std::errc::broken_pipe, "write: Broken pipe (0 bytes arrived)");
  expect_failure([](size_type) -> size_type { throw std::bad_alloc(); }, std::errc::not_enough_memory,
                 std::string("write: ") + std::strerror(ENOMEM) + " (0 bytes arrived)");
}

TEST(WriterSink, SaysWhatArrivedBeforeAFailure) {
  struct {
    std::size_t room = 10;
    std::size_t write(const char*, std::size_t size) {
      const std::size_t taken = size < room ? size : room;
      room -= taken;
      return taken;
    }
  } sink;
  writer to = writer::into(sink);
  to << "more than ten bytes";
  EXPECT_FALSE(to.try_flush());
  EXPECT_EQ(to.arrived(), 10u);
  EXPECT_THROW(to.close(), output_error);
}

struct sink_with_bad_end {
  bool flushes;
  bool closes;
  void write(const char*, std::size_t) {}
  bool flush() {
    errno = ENOSPC;
    return flushes;
  }
  void close() {
    if (!closes) throw std::runtime_error("no trailer");
  }
};

TEST(WriterSink, FlushAndCloseThatFail) {
  const std::string no_flush = "<sink>: cannot flush: No space left on device (1 byte arrived)";
  const std::string no_close = "<sink>: cannot close a sink that threw: Input/output error (1 byte arrived)";
  for (const bool closes : {true, false}) {  // what failed first is told
    sink_with_bad_end sink{false, closes};
    writer to = writer::into(sink);
    to << "x";
    test::expect_output_error([&] { closes ? to.flush() : to.close(); }, std::errc::no_space_on_device, 1, no_flush);
  }
  sink_with_bad_end sink{true, false};
  writer to = writer::into(sink);
  to << "x";
  to.flush();
  test::expect_output_error([&] { to.close(); }, std::errc::io_error, 1, no_close);
}

TEST(WriterSink, ADestructorSaysWhatNobodyWasTold) {
  EXPECT_EQ(test::run_child([] {
              sink_with_bad_end sink{true, false};
              writer::into(sink, "log") << "x";
            }),
            (test::outcome{0, "log: cannot close a sink that threw: Input/output error (1 byte arrived)\n"}));
}

#if !defined(_WIN32)
TEST(WriterSink, AStreamWithoutADescriptor) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = ::open_memstream(&text, &size);
  ASSERT_NE(stream, nullptr);
  std::fputs("before ", stream);
  {
    writer to(stream);
    EXPECT_STREQ(to.name(), "<stream>");
    to << "between " << 1;
    to.flush();
    EXPECT_EQ(std::string(text, size), "before between 1");
    to << ' ';
  }
  std::fputs("after", stream);
  std::fclose(stream);
  EXPECT_EQ(std::string(text, size), "before between 1 after");
  std::free(text);

  char room[4];
  std::FILE* const full = ::fmemopen(room, sizeof room, "w");
  writer to(full);
  to << "too long";
  EXPECT_THROW(to.flush(), output_error);
  std::fclose(full);
}
#endif

}  // namespace
