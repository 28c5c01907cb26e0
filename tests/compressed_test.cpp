// Compressed sources and sinks, each test for both formats.
#include <headrace/columns.hpp>
#include <headrace/gzip.hpp>
#include <headrace/headrace.hpp>
#include <headrace/zstd.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#if !defined(_WIN32)
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#endif

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/in_time.hpp"
#include "support/share.hpp"

namespace {

using headrace::reader;
using headrace::writer;
using test::error_of;

struct gzip {
  using source = headrace::gzip_source;
  using sink = headrace::gzip_sink;
  static constexpr const char* name = "gzip";
  static constexpr int levels[] = {0, 1, 6, 9};
  static constexpr const char* refusal = "gzip has levels from 0 to 9, not 99";
};
struct zstd {
  using source = headrace::zstd_source;
  using sink = headrace::zstd_sink;
  static constexpr const char* name = "zstd";
  static constexpr int levels[] = {-5, 1, 3, 19};
  static constexpr const char* refusal = "zstd has levels from -131072 to 22, not 99";
};

template <class Format>
std::string pack(std::string_view text, int level = Format::levels[1]) {
  std::string packed;
  writer to(typename Format::sink(writer::into(packed), level));
  to.write(text);
  to.close();
  return packed;
}

std::string all_of(reader& from) {
  std::string text;
  do {
    const std::string_view held = from.buffered();
    text.append(held);
    from.consume(held.size());
  } while (from.fetch_more());
  return text;
}
template <class Format>
reader unpack(const std::string& packed) {
  return reader(typename Format::source(reader::from(packed)));
}

// A table whose bytes compress badly enough to need many blocks.
std::string table(int rows) {
  std::mt19937 random(7);
  std::string text;
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + ',' + std::to_string(random()) + '\n';
  return text;
}

// Gives a text in parts of a size.
struct parts {
  std::string_view text;
  std::size_t size;
  std::size_t read(char* to, std::size_t room) {
    const std::size_t count = std::min({room, size, text.size()});
    if (count != 0) std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return count;
  }
};

template <class Format>
class compressed : public test::in_time {};
using formats = testing::Types<gzip, zstd>;
TYPED_TEST_SUITE(compressed, formats, );

TYPED_TEST(compressed, what_is_written_reads_back) {
  for (const std::string& text : {std::string(), std::string("x"), table(30000), std::string(1000000, 'a')}) {
    for (const int level : TypeParam::levels) {
      const std::string packed = pack<TypeParam>(text, level);
      reader from = unpack<TypeParam>(packed);
      ASSERT_TRUE(all_of(from) == text) << level;
    }
  }
}

TYPED_TEST(compressed, a_path_a_descriptor_a_stream_and_an_object_are_sources) {
  const std::string text = table(10000), packed = pack<TypeParam>(text);
  const test::temporary_file file(packed);
  reader by_path(typename TypeParam::source(file.path()));
  EXPECT_EQ(by_path.name(), file.path());
  EXPECT_TRUE(all_of(by_path) == text);
  reader by_text(typename TypeParam::source(file.path().c_str()));
  EXPECT_TRUE(all_of(by_text) == text);

  test::pipe_ends pipe = test::make_pipe();
  std::thread feeder([&] {
    test::write_all(pipe.write.get(), packed);
    pipe.write.close();
  });
  reader by_descriptor(typename TypeParam::source(pipe.read.get()));
  EXPECT_TRUE(all_of(by_descriptor) == text);
  feeder.join();

  for (const std::size_t size : {1u, 7u, 100000u}) {
    reader by_object(typename TypeParam::source(parts{packed, size}));
    EXPECT_TRUE(all_of(by_object) == text);
    parts lent{packed, size};
    typename TypeParam::source source(reader::from(lent));
    reader by_reader = reader::from(source, "lent");
    EXPECT_TRUE(all_of(by_reader) == text);
  }
}

TYPED_TEST(compressed, data_after_data_is_one_text) {
  const std::string one = table(1000), both = pack<TypeParam>(one) + pack<TypeParam>("") + pack<TypeParam>("end");
  reader from = unpack<TypeParam>(both);
  EXPECT_TRUE(all_of(from) == one + "end");
  std::string many, expected;
  for (int i = 0; i < test::share_of(3000); ++i) {
    many += pack<TypeParam>(std::to_string(i) + '\n');
    expected += std::to_string(i) + '\n';
  }
  reader of_many = unpack<TypeParam>(many);
  EXPECT_TRUE(all_of(of_many) == expected);
}

TYPED_TEST(compressed, rows_and_columns) {
  const std::string packed = pack<TypeParam>(table(200000));
  reader from = unpack<TypeParam>(packed);
  std::uint32_t next = 0;
  for (const auto& [number, value] : from.template rows<std::uint32_t, std::uint32_t>(headrace::csv)) {
    ASSERT_EQ(number, next++);
    (void)value;
  }
  EXPECT_EQ(next, 200000u);
  const auto [numbers, values] = headrace::read_columns<int, std::uint32_t>(unpack<TypeParam>(packed), headrace::csv);
  EXPECT_EQ(numbers.size(), 200000u);
  EXPECT_EQ(values[0], std::mt19937(7)());
}

TYPED_TEST(compressed, of_data_that_is_cut_off_the_rows_before_arrive_and_then_the_place) {
  const std::string text = table(100000), packed = pack<TypeParam>(text);
  for (const std::size_t size : {packed.size() / 2, packed.size() - 1, std::size_t(200000)}) {
    const test::temporary_file file(std::string_view(packed).substr(0, size));
    reader from(typename TypeParam::source(file.path()));
    int rows = 0;
    std::mt19937 random(7);
    const auto error = error_of([&] {
      for (const auto& [number, value] : from.template rows<int, std::uint32_t>(headrace::csv)) {
        EXPECT_EQ(number, rows++);
        EXPECT_EQ(value, random());
      }
    });
    EXPECT_GT(rows, 10000);
    EXPECT_EQ(error.code(), std::errc::bad_message);
    EXPECT_EQ(error.what(), std::string(file.path()) + ": cannot read: the " + TypeParam::name +
                                " data is cut off: it ends at byte " + std::to_string(size));
    EXPECT_EQ(error_of([&] { (void)from.read_line(); }).code(), std::errc::bad_message) << "again";
  }
}

TYPED_TEST(compressed, of_a_number_that_is_cut_off_no_part_arrives) {
  std::string packed;
  {
    writer to(typename TypeParam::sink(writer::into(packed)));
    to << "1 2 345";
    to.flush();
    const std::string so_far = packed;
    reader from = unpack<TypeParam>(so_far);
    EXPECT_EQ(from.read<int>(), 1);
    EXPECT_EQ(from.read<int>(), 2);
    EXPECT_EQ(error_of([&] { (void)from.read<int>(); }).code(), std::errc::bad_message);
    to << "67";
  }
  reader whole = unpack<TypeParam>(packed);
  EXPECT_EQ(headrace::read_all<int>(whole).to_vector(), (std::vector<int>{1, 2, 34567}));
}

TYPED_TEST(compressed, what_is_no_such_data_is_refused_with_the_place) {
  const std::string packed = pack<TypeParam>("1\n"), name = TypeParam::name;
  const auto said = [](const std::string& bytes) {
    reader from = unpack<TypeParam>(bytes);
    return std::string(error_of([&] { (void)all_of(from); }).what());
  };
  const std::string begin = "<memory>: cannot read: ", end = std::to_string(packed.size());
  EXPECT_EQ(said(""), begin + "there is no " + name + " data: it is empty");
  EXPECT_EQ(said("a,b\n1,2\n"), begin + "no " + name + " data begins at byte 0");
  EXPECT_EQ(said(packed.substr(0, 1) + "y,b\n1,2\n"), begin + "no " + name + " data begins at byte 0");
  for (const char* const after : {"\n", "garbage", "\x1f\x8c garbage", "\x28\xb5\x2f garbage"}) {
    const std::string what = said(packed + after);
    EXPECT_EQ(what, begin + "what follows the " + name + " data at byte " + end + " is no more of it") << after;
  }
  EXPECT_EQ(said(packed + packed.substr(0, 3)),
            begin + "the " + name + " data is cut off: it ends at byte " + std::to_string(packed.size() + 3));
}

// One bit is wrong, or the end is missing, or both: the text is whole, or there is an error.
TYPED_TEST(compressed, damage_is_never_a_wrong_text) {
  std::mt19937 random(11);
  const std::string text = table(3000), packed = pack<TypeParam>(text) + pack<TypeParam>(text.substr(0, 100));
  const std::string both = text + text.substr(0, 100);
  const int rounds = test::share_of(1000);
  int refused = 0, errors_with_place = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string damaged = packed;
    if (round % 4 != 0) damaged.resize(1 + random() % packed.size());
    if (round % 4 != 1) damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    reader from = unpack<TypeParam>(damaged);
    std::string got;
    try {
      got = all_of(from);
    } catch (const headrace::input_error& error) {
      ++refused;
      errors_with_place += std::strstr(error.what(), " at byte ") != nullptr;
      continue;
    }
    ASSERT_TRUE(got == both || (damaged.size() < packed.size() && got == text)) << round;
  }
  EXPECT_GT(refused, rounds * 95 / 100);
  EXPECT_EQ(errors_with_place, refused);
}

TYPED_TEST(compressed, a_reader_that_goes_early_waits_for_nobody) {
  test::pipe_ends pipe = test::make_pipe();
  const std::string packed = pack<TypeParam>("1 2 3");
  test::write_all(pipe.write.get(), packed);
  reader from(typename TypeParam::source(pipe.read.get()));
  EXPECT_EQ(from.read<int>(), 1);
  reader moved = std::move(from);
  EXPECT_EQ(moved.read<int>(), 2);
  const std::string many = pack<TypeParam>(table(300000));
  reader other = unpack<TypeParam>(many);
  EXPECT_EQ(other.read_line(), "0," + std::to_string(std::mt19937(7)()));
}

#if !defined(_WIN32)
// Of a pipe that stays open.
TYPED_TEST(compressed, what_a_stream_holds_comes_though_nothing_more_does) {
  test::pipe_ends pipe = test::make_pipe();
  test::write_all(pipe.write.get(), pack<TypeParam>("1 2 3\n"));
  std::FILE* const stream = ::fdopen(::dup(pipe.read.get()), "r");
  ASSERT_NE(stream, nullptr);
  std::ungetc(std::getc(stream), stream);
  {
    reader from{typename TypeParam::source(stream)};
    EXPECT_EQ(from.read<int>(), 1);
    std::vector<int> rest(2);
    from.read(rest);
    EXPECT_EQ(rest[1], 3);
  }  // which has its thread wait for the descriptor no more
  std::fclose(stream);
}

TYPED_TEST(compressed, waits_no_longer_than_the_inner_reader_or_its_socket_may) {
  const std::string packed = pack<TypeParam>("1 2 3\n");
  const auto expect_timeout = [&](int there, reader&& inner) {
    test::write_all(there, packed.substr(0, 5));
    reader from(typename TypeParam::source(std::move(inner)));
    const std::string said = error_of([&] { (void)from.read<int>(); }).what();
    EXPECT_NE(said.find("nothing came in time"), said.npos) << said;
  };
  test::pipe_ends pipe = test::make_pipe();
  reader limited(pipe.read.get());
  limited.wait_at_most(20);
  expect_timeout(pipe.write.get(), std::move(limited));

  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const test::descriptor here(ends[0]), there(ends[1]);
  const timeval limit{0, 20000};
  ASSERT_EQ(::setsockopt(here.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  expect_timeout(there.get(), reader(here.get()));
}
#endif

TYPED_TEST(compressed, what_the_inner_source_says_is_said) {
  struct broken {
    long read(char*, std::size_t) {
      errno = EIO;
      return -1;
    }
  };
  struct throwing {
    long read(char*, std::size_t) { throw 1; }
  };
  reader from(typename TypeParam::source(broken{}));
  EXPECT_STREQ(error_of([&] { (void)from.read<int>(); }).what(),
               (std::string("<source>: cannot read: ") + std::strerror(EIO)).c_str());
  reader other(typename TypeParam::source(throwing{}));
  EXPECT_STREQ(error_of([&] { (void)other.read<int>(); }).what(),
               "<source>: cannot read: the source threw an exception");
  EXPECT_EQ(error_of([] { reader none(typename TypeParam::source("nowhere/x")); }).code(),
            std::errc::no_such_file_or_directory);
}

// Takes some bytes and then no more.
struct full_sink {
  std::size_t room;
  long write(const char*, std::size_t size) {
    if (size > room) {
      errno = ENOSPC;
      return -1;
    }
    room -= size;
    return static_cast<long>(size);
  }
};

TYPED_TEST(compressed, a_sink_that_is_full_is_an_error) {
  const std::string text = table(100000);
  for (const std::size_t room : {0u, 100000u}) {
    writer to(typename TypeParam::sink(full_sink{room}));
    const auto write = [&] {
      to.write(text);
      to.close();
    };
    EXPECT_NE(test::message_of<headrace::output_error>(write).find(std::strerror(ENOSPC)), std::string::npos);
  }
}

TYPED_TEST(compressed, a_file_is_whole_without_close_too) {
  const std::string text = table(20000);
  const test::temporary_file file("");
  {
    writer to(typename TypeParam::sink(file.path()));
    EXPECT_EQ(to.name(), file.path());
    to.write(text);
  }
  reader from(typename TypeParam::source(file.path()));
  EXPECT_TRUE(all_of(from) == text);
  {
    typename TypeParam::sink alone(file.path());
    EXPECT_EQ(alone.write("12", 2), 2);
  }
  reader again(typename TypeParam::source(file.path()));
  EXPECT_EQ(again.read<int>(), 12);
}

TYPED_TEST(compressed, a_level_that_there_is_not_leaves_the_file_alone) {
  const test::temporary_file file("kept");
  const std::string said =
      test::message_of<headrace::output_error>([&] { writer to(typename TypeParam::sink(file.path(), 99)); });
  EXPECT_EQ(said, TypeParam::refusal);
  EXPECT_EQ(reader(file.path()).read_line(), "kept");
}

}  // namespace
