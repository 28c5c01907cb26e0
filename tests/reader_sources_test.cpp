// A reader of objects that give bytes, streams of the standard library among them, and of those that misbehave.
#include <headrace/headrace.hpp>
#include <headrace/iostreams.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/ends.hpp"
#include "support/in_time.hpp"
#include "support/errors.hpp"

namespace {

using headrace::input_error;
using headrace::reader;
using test::error_of;

class reader_sources : public test::in_time {};

// Gives a text in parts of a size, and counts how often it is asked.
class parts {
 public:
  parts(std::string text, std::size_t size) : text_(std::move(text)), size_(size) {}
  std::size_t read(char* to, std::size_t size) {
    ++asked;
    const std::size_t part = std::min({size, size_, text_.size() - at_});
    if (part != 0) std::memcpy(to, text_.data() + at_, part);
    at_ += part;
    return part;
  }
  int asked = 0;

 private:
  std::string text_;
  std::size_t size_;
  std::size_t at_ = 0;
};

// Says errno before each byte of a text.
struct interrupted_source {
  std::string_view text;
  int error;
  int calls = 0;
  long operator()(char* to, std::size_t) {
    if (++calls % 2 == 1) {
      errno = error;
      return -1;
    }
    if (text.empty()) return 0;
    *to = text.front();
    text.remove_prefix(1);
    return 1;
  }
};

TEST_F(reader_sources, is_asked_again_after_a_signal_and_when_it_is_not_ready) {
  for (const int error : {EINTR, EAGAIN}) {
    interrupted_source source{"12 34", error};
    reader from = reader::from(source);
    EXPECT_EQ(from.read<int>(), 12);
    EXPECT_EQ(from.read<int>(), 34);
    EXPECT_TRUE(from.at_end());
  }
  interrupted_source source{"12", EINTR};
  reader from = reader::from(source);
  from.on_signal(headrace::interrupt_policy::report);
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), headrace::errc::interrupted);
  interrupted_source broken{"12", EIO};
  reader other = reader::from(broken);
  EXPECT_EQ(error_of([&] { (void)other.read<int>(); }).code(), std::errc::io_error);
}

TEST_F(reader_sources, an_object_with_read) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + (i % 10 == 9 ? "\n" : " ");
  for (const std::size_t size : {1u, 7u, 4096u, 1000000u}) {
    parts source(text + "end", size);
    reader from = reader::from(source);
    std::vector<int> values(100000);
    from.read(values);
    EXPECT_EQ(values.back(), 99999);
    EXPECT_STREQ(error_of([&] { (void)from.read<int>(); }).what(),
                 "<source>:10001:1: expected an integer, found \"end\"");
    EXPECT_EQ(from.read<std::string>(), "end");
    const int asked = source.asked;
    EXPECT_TRUE(from.at_end());
    EXPECT_TRUE(error_of([&] { (void)from.read<int>(); }).at_end());
    EXPECT_FALSE(from.skip());
    EXPECT_EQ(source.asked, asked);  // not again after its end
    EXPECT_EQ(from.descriptor(), -1);
  }
}

TEST_F(reader_sources, what_can_be_called) {
  int next = 0;
  auto count = [&](char* to, std::size_t size) -> long {
    const std::string number = next < 5 ? std::to_string(next++) + '\n' : std::string();
    EXPECT_GE(size, number.size());
    return static_cast<long>(number.copy(to, size));
  };
  reader from = reader::from(count, std::string("counted").c_str());  // the name is copied
  EXPECT_STREQ(from.name(), "counted");
  reader moved = std::move(from);
  EXPECT_EQ(moved.read<int>(), 0);
  EXPECT_EQ(next, 1);  // no more than what was wanted
  int sum = 0;
  for (const int value : moved.values<int>()) sum += value;
  EXPECT_EQ(sum, 10);

  const std::function<std::size_t(char*, std::size_t)> nothing = [](char*, std::size_t) { return std::size_t{0}; };
  EXPECT_TRUE(reader::from(nothing).at_end());
}

TEST_F(reader_sources, a_writer_gets_what_a_source_gives) {
  parts source("a b\nc", 2);
  reader from = reader::from(source);
  std::string copied;
  headrace::writer to = headrace::writer::into(copied);
  EXPECT_EQ(headrace::copy(from, to), 5u);
  to.flush();
  EXPECT_EQ(copied, "a b\nc");
}

TEST_F(reader_sources, a_failure_is_the_system_s) {
  bool fails = true;
  auto source = [&](char* to, std::size_t) -> int {
    errno = ECONNRESET;
    if (fails) return -1;
    to[0] = '7';
    to[1] = ' ';
    return 2;
  };
  reader from = reader::from(source, "<tls>");
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.code(), std::errc::connection_reset);
  EXPECT_EQ(std::string_view(error.what()), std::string("<tls>: cannot read: ") + std::strerror(ECONNRESET));
  fails = false;
  EXPECT_EQ(from.read<int>(), 7);
}

TEST_F(reader_sources, what_is_thrown_becomes_an_input_error) {
  int asked = 0;
  auto source = [&](char* to, std::size_t) -> std::size_t {
    switch (asked++) {
      case 0:
        throw std::runtime_error("no");
      case 1:
        throw std::system_error(std::make_error_code(std::errc::host_unreachable));
      case 2:
        throw 5;
      case 3:
        std::memcpy(to, "12", 2);
        return 2;
      case 4:
        throw std::runtime_error("not now");
      case 5:
        std::memcpy(to, "3 ", 2);
        return 2;
      default:
        return 0;
    }
  };
  reader from = reader::from(source);
  EXPECT_STREQ(error_of([&] { (void)from.read<int>(); }).what(),
               "<source>: cannot read: the source threw an exception");
  EXPECT_EQ(error_of([&] { (void)from.at_end(); }).code(), std::errc::host_unreachable);
  int value = 7;
  EXPECT_EQ(from.parse(value).error->code(), std::errc::io_error);
  EXPECT_EQ(error_of([&] { (void)from.try_read(value); }).code(), std::errc::io_error);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(from.read<int>(), 123);  // nothing was lost
  EXPECT_TRUE(from.at_end());
}

TEST_F(reader_sources, one_that_claims_too_much_is_given_up) {
  int asked = 0;
  auto source = [&](char* to, std::size_t size) {
    ++asked;
    to[0] = '1';
    return size + 1;
  };
  reader from = reader::from(source, "<liar>");
  for (int i = 0; i < 3; ++i) {
    const input_error error = error_of([&] { (void)from.read<int>(); });
    EXPECT_STREQ(error.what(), "<liar>: cannot read: the source claims more bytes than it was asked for");
    EXPECT_EQ(error.code(), std::errc::io_error);
  }
  EXPECT_EQ(asked, 1);
}

TEST_F(reader_sources, without_a_name) {
  auto source = [](char*, std::size_t) { return 0; };
  EXPECT_STREQ(reader::from(source, nullptr).name(), "<source>");
}

// ---- <headrace/iostreams.hpp> ----

TEST_F(reader_sources, streams) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i) + '\n';
  const test::temporary_file file(text);
  std::istringstream string(text);
  std::ifstream opened(file.path(), std::ios::binary);
  std::ifstream unbuffered;
  unbuffered.rdbuf()->pubsetbuf(nullptr, 0);
  unbuffered.open(file.path(), std::ios::binary);
  for (std::istream* stream : {static_cast<std::istream*>(&string), static_cast<std::istream*>(&opened),
                               static_cast<std::istream*>(&unbuffered)}) {
    headrace::istream_source source(*stream);
    reader from = reader::from(source);
    std::vector<int> values(50000);
    from.read(values);
    EXPECT_EQ(values.back(), 49999);
    EXPECT_TRUE(from.at_end());
    EXPECT_TRUE(stream->eof());
  }
  std::ifstream missing(file.path() + ".missing");
  headrace::istream_source source(missing);
  reader from = reader::from(source, "missing");
  EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), std::errc::io_error);
}

// A buffer that gives a byte at a time, and throws before one of them, once.
struct throwing_buffer : std::streambuf {
  int_type underflow() override {
    if (at == 6 && !std::exchange(has_thrown, true)) throw std::runtime_error("no");
    return at == text.size() ? traits_type::eof() : traits_type::to_int_type(text[at]);
  }
  int_type uflow() override {
    const int_type byte = underflow();
    at += byte != traits_type::eof();
    return byte;
  }
  std::string text = "123 456 7";
  std::size_t at = 0;
  bool has_thrown = false;
};

TEST_F(reader_sources, a_stream_that_throws_loses_nothing) {
  throwing_buffer buffer;
  std::istream stream(&buffer);
  headrace::istream_source source(stream);
  reader from = reader::from(source);
  EXPECT_EQ(from.read<int>(), 123);
  EXPECT_EQ(from.read<int>(), 456);  // it is asked once more after what it gave
  EXPECT_EQ(from.read<int>(), 7);

  throwing_buffer at_once;
  at_once.at = 6;
  std::istream other(&at_once);
  headrace::istream_source failing(other);
  reader again = reader::from(failing);
  EXPECT_EQ(error_of([&] { (void)again.read<int>(); }).code(), std::errc::io_error);
  EXPECT_EQ(again.read<int>(), 6);
}

TEST_F(reader_sources, a_writer_to_a_stream) {
  std::ostringstream stream;
  headrace::ostream_sink sink(stream);
  headrace::writer to = headrace::writer::into(sink);
  for (int i = 0; i < 50000; ++i) to << i << '\n';
  to.close();
  const std::string text = stream.str();
  EXPECT_EQ(text.size(), 288890u);
  EXPECT_EQ(text.substr(text.size() - 6), "49999\n");

  stream.setstate(std::ios::badbit);
  headrace::writer failing = headrace::writer::into(sink);
  failing << 1;
  EXPECT_THROW(failing.close(), headrace::output_error);
}

}  // namespace
