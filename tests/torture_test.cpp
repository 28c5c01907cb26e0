// The reading contract, data/torture.tsv, case by case: from memory, from a file, through a pipe, cut into two reads
// at every place, and byte by byte; asked for in each of the ways that the reader has.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/reader.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "support/ends.hpp"
#include "support/share.hpp"
#include "support/torture.hpp"

namespace {

using headrace::input_error;
using headrace::reader;
using test::cases, test::ending_of, test::line, test::outcome, test::show, test::torture_case, test::word;

// ---- the ways of asking ----

enum class way { shift, try_read, parse, some_3, some_100, some_9000, values };
constexpr way every_way[] = {way::shift,    way::try_read,  way::parse, way::some_3,
                             way::some_100, way::some_9000, way::values};

// Reads values one by one until the end or an error. The sentinel shows that an error leaves its target alone.
template <class T>
void read_singly(reader& from, way how, outcome& seen) {
  const T sentinel = static_cast<T>(1);
  for (;;) {
    T value = sentinel;
    if (how == way::shift) {
      try {
        from >> value;
      } catch (const input_error&) {
        EXPECT_EQ(show(value), show(sentinel));
        throw;
      }
    } else if (how == way::try_read) {
      if (!from.try_read(value)) {
        EXPECT_EQ(show(value), show(sentinel));
        seen.ending = "$";
        return;
      }
    } else {
      const headrace::read_result result = from.parse(value);
      if (!result) {
        EXPECT_EQ(show(value), show(sentinel));
        seen.ending = ending_of(*result.error);
        return;
      }
    }
    seen.values.push_back(show(value));
  }
}

template <class T>
void read_in_bulk(reader& from, std::size_t block, outcome& seen) {
  const T sentinel = static_cast<T>(1);
  for (;;) {
    const std::unique_ptr<T[]> values(new T[block]);
    std::fill_n(values.get(), block, sentinel);
    std::size_t done = 0;
    struct range {
      T* first;
      std::size_t count;
      T* data() const { return first; }
      std::size_t size() const { return count; }
    };
    try {
      done = from.read_some(range{values.get(), block});
    } catch (const input_error&) {
      // the elements before the bad one are set, it and those after it are as they were
      for (std::size_t i = 0; i < block; ++i) {
        if (seen.values.size() < seen.expected) {
          seen.values.push_back(show(values[i]));
        } else if (values[i] != sentinel) {
          ADD_FAILURE() << "element " << i << " was set to " << show(values[i]);
        }
      }
      throw;
    }
    for (std::size_t i = 0; i < done; ++i) seen.values.push_back(show(values[i]));
    if (done < block) {
      seen.ending = "$";
      return;
    }
  }
}

template <class T>
void read_values(reader& from, way how, outcome& seen) {
  switch (how) {
    case way::some_3:
      return read_in_bulk<T>(from, 3, seen);
    case way::some_100:
      return read_in_bulk<T>(from, 100, seen);
    case way::some_9000:
      return read_in_bulk<T>(from, 9000, seen);
    case way::values:
      for (T value : from.values<T>()) seen.values.push_back(show(value));
      seen.ending = "$";
      return;
    default:
      return read_singly<T>(from, how, seen);
  }
}

template <>
void read_values<word>(reader& from, way how, outcome& seen) {
  if (how == way::values) {
    for (std::string_view found : from.words()) seen.values.emplace_back(found);
  } else if (how == way::try_read) {
    for (std::string found; from.try_read(found);) seen.values.push_back(found);
  } else {
    for (std::string_view found; from.try_read(found);) seen.values.emplace_back(found);
  }
  seen.ending = "$";
}

template <>
void read_values<line>(reader& from, way how, outcome& seen) {
  if (how == way::shift) {
    for (;;) seen.values.emplace_back(from.read_line());  // ends by an exception
  } else if (how == way::values) {
    for (std::string_view found : from.lines()) seen.values.emplace_back(found);
  } else {
    for (std::string_view found; from.try_read_line(found);) seen.values.emplace_back(found);
  }
  seen.ending = "$";
}

// After an error the reader is before the token: it can be read as a word, and what follows too.
void check_recovery(const torture_case& given, reader& from) {
  const std::size_t at = given.ending.find('@'), colon = given.ending.find(':');
  const unsigned long row = std::stoul(given.ending.substr(at + 1)),
                      column = std::stoul(given.ending.substr(colon + 1));
  std::size_t offset = 0;
  for (unsigned long i = 1; i < row; ++i) offset = given.input.find('\n', offset) + 1;
  offset += column - 1;
  std::size_t end = offset;
  while (end < given.input.size() && !headrace::detail::is_whitespace(given.input[end])) ++end;

  EXPECT_EQ(from.where().offset, offset);
  std::string_view token;
  ASSERT_TRUE(from.try_read(token));
  EXPECT_EQ(token, std::string_view(given.input).substr(offset, end - offset));
  EXPECT_EQ(from.where().offset, end);
  while (from.skip()) {}
  EXPECT_EQ(from.where().offset, given.input.size());
}

template <class T>
void check(const torture_case& given, way how, reader& from) {
  outcome seen;
  seen.expected = given.values.size();
  try {
    read_values<T>(from, how, seen);
  } catch (const input_error& error) {
    seen.ending = ending_of(error);
    const std::string place = ':' + std::to_string(error.line()) + ':' + std::to_string(error.column()) + ": expected ";
    EXPECT_NE(std::string(error.what()).find(from.name() + place), std::string::npos) << error.what();
  }
  EXPECT_EQ(seen.ending, given.ending);
  const std::vector<std::string>& expected = given.values;
  ASSERT_EQ(seen.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(seen.values[i] == expected[i])
        << "value " << i << " is " << seen.values[i].substr(0, 80) << ", expected " << expected[i].substr(0, 80);
  }
  if (given.ending[0] == '!') check_recovery(given, from);
}

void check(const torture_case& given, way how, reader& from) {
  test::with_type(given.type, [&](auto tag) { check<decltype(tag)>(given, how, from); });
}

// ---- how the input arrives ----

constexpr std::size_t long_input = 2000;

// Places where a cut may hurt: all of them in a short input; in a long one, those around the window, the buffer and
// the ends, and a few at random.
std::vector<std::size_t> cuts_of(const torture_case& given) {
  std::vector<std::size_t> cuts;
  const std::size_t size = given.input.size();
  if (size < long_input) {
    for (std::size_t cut = 1; cut < size; ++cut) cuts.push_back(cut);
    return cuts;
  }
  std::mt19937_64 random(size);
  for (std::size_t border :
       {std::size_t(1), std::size_t(4096), std::size_t(8192), std::size_t(65536), std::size_t(131072), size - 2}) {
    for (std::size_t cut : {border - 1, border, border + 1}) {
      if (cut > 0 && cut < size) cuts.push_back(cut);
    }
  }
  for (int i = 0; i < 8; ++i) cuts.push_back(1 + static_cast<std::size_t>(random()) % (size - 1));
  return cuts;
}

TEST(torture, cases_are_there) { EXPECT_GE(cases().size(), 250u); }

TEST(torture, from_memory) {
  for (const torture_case& given : cases()) {
    SCOPED_TRACE(given.id);
    for (way how : every_way) {
      reader from = reader::from(given.input);
      check(given, how, from);
    }
  }
}

TEST(torture, from_a_file) {
  for (const torture_case& given : cases()) {
    SCOPED_TRACE(given.id);
    const test::temporary_file file(given.input);
    for (way how : every_way) {
      reader from(file.path());
      check(given, how, from);
    }
  }
}

TEST(torture, in_two_reads) {
  const std::size_t share = test::share();  // not a multiple of 7, so that each of the seven ways takes its turn
  const test::pipe_ends pipe = test::make_pipe();
  for (const torture_case& given : cases()) {
    std::size_t turn = 0;
    for (std::size_t cut : cuts_of(given)) {
      SCOPED_TRACE(given.id + " cut at " + std::to_string(cut));
      for (way how : every_way) {
        if (turn++ % (given.input.size() < long_input ? share : 13) != 0) continue;
        test::scripted_read script(pipe.read.get(), given.input,
                                   [cut](std::size_t at) { return at < cut ? cut - at : std::size_t(-1); });
        reader from(pipe.read.get());
        check(given, how, from);
      }
    }
  }
}

TEST(torture, byte_by_byte) {
  test::turns turns;
  const test::pipe_ends pipe = test::make_pipe();
  for (const torture_case& given : cases()) {
    if (given.input.size() >= long_input) continue;
    SCOPED_TRACE(given.id);
    for (way how : every_way) {
      if (!turns.next()) continue;
      bool interrupted = false;
      test::scripted_read script(pipe.read.get(), given.input, [&interrupted](std::size_t) {
        interrupted = !interrupted;
        return std::size_t(interrupted ? 0 : 1);
      });
      reader from(pipe.read.get());
      check(given, how, from);
    }
  }
}

TEST(torture, in_reads_of_random_sizes) {
  test::turns turns;
  const test::pipe_ends pipe = test::make_pipe();
  std::mt19937_64 random(7);
  for (const torture_case& given : cases()) {
    SCOPED_TRACE(given.id);
    const std::size_t most = given.input.size() < long_input ? 7 : 20000;
    for (way how : every_way) {
      if (!turns.next()) continue;
      test::scripted_read script(pipe.read.get(), given.input,
                                 [&random, most](std::size_t) { return random() % (most + 1); });
      reader from(pipe.read.get());
      check(given, how, from);
    }
  }
}

TEST(torture, through_a_pipe) {
  for (const torture_case& given : cases()) {
    SCOPED_TRACE(given.id);
    test::pipe_ends pipe = test::make_pipe();
    std::thread writer([&] {
      if (given.input.size() < long_input) {
        for (char byte : given.input) test::write_all(pipe.write.get(), std::string_view(&byte, 1));
      } else {
        test::write_all(pipe.write.get(), given.input);
      }
      pipe.write.close();
    });
    reader from(pipe.read.get());
    check(given, way::try_read, from);
    writer.join();
  }
}

}  // namespace
