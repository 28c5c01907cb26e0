// The reading contract, data/torture.tsv, case by case: from memory, from a file, through a pipe, cut into two reads
// at every place, and byte by byte; asked for in each of the ways that the reader has.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/reader.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "support/c_library.hpp"
#include "support/case_file.hpp"
#include "support/ends.hpp"
#include "support/exact_decimal.hpp"
#include "support/share.hpp"

namespace {

using headrace::input_error;
using headrace::reader;
using test::decode, test::expand, test::split;

struct word {};  // tags for what has no type of its own
struct line {};

struct torture_case {
  std::string id;
  std::string type;
  std::string input;
  std::vector<std::string> values;
  std::string ending;  // $, or !code@line:column
};

// ---- the file ----

std::vector<torture_case> load_cases() {
  std::ifstream file(HEADRACE_TEST_DATA "/torture.tsv");
  std::vector<torture_case> cases;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    const std::vector<std::string> columns = split(row, '\t');
    if (columns.size() != 4) throw std::runtime_error("torture.tsv: not four columns: " + row);
    torture_case given{columns[0], columns[1], decode(expand(columns[2])), {}, {}};
    std::vector<std::string> expected = split(expand(columns[3]), given.type == "line" ? '|' : ' ');
    given.ending = expected.back();
    if (given.type == "line") given.ending.erase(0, expected.size() > 1 ? 1 : 0);  // the space of "a| $"
    expected.pop_back();
    for (const std::string& value : expected) given.values.push_back(decode(value));
    cases.push_back(given);
  }
  return cases;
}

const std::vector<torture_case>& cases() {
  static const std::vector<torture_case> all = load_cases();
  return all;
}

// ---- values as text that can be compared ----

template <class T>
std::string show(T value) {
  if constexpr (std::is_same_v<T, char>) {
    return std::string(1, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (headrace::detail::is_float<T>) {
    return test::hexadecimal(static_cast<long double>(value));
  } else {
    bool negative = value < T(0);
    std::string digits;
    do {
      const int digit = static_cast<int>(value % T(10));
      digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
      value = static_cast<T>(value / T(10));
    } while (value != T(0));
    return (negative ? "-" : "") + digits;
  }
}

// The expected column in the same form.
template <class T>
std::string normal(const std::string& expected) {
  if constexpr (std::is_floating_point_v<T>) {
    return show(test::float_from<T>(expected));
  } else {
    return expected;
  }
}

// ---- the ways of asking ----

struct outcome {
  std::size_t expected = 0;  // values
  std::vector<std::string> values;
  std::string ending;
};

std::string ending_of(const input_error& error) {
  if (error.at_end()) return "$";
  const std::string place = '@' + std::to_string(error.line()) + ':' + std::to_string(error.column());
  if (error.code() == std::errc::invalid_argument) return "!malformed" + place;
  if (error.code() == std::errc::result_out_of_range) return "!out_of_range" + place;
  return error.what();
}

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

template <class T>
std::vector<std::string> expected_values(const torture_case& given) {
  std::vector<std::string> result;
  for (const std::string& value : given.values) result.push_back(normal<T>(value));
  return result;
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
  const std::vector<std::string> expected = expected_values<T>(given);
  ASSERT_EQ(seen.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(seen.values[i] == expected[i])
        << "value " << i << " is " << seen.values[i].substr(0, 80) << ", expected " << expected[i].substr(0, 80);
  }
  if (given.ending[0] == '!') check_recovery(given, from);
}

void check(const torture_case& given, way how, reader& from) {
  if (given.type == "i8") return check<std::int8_t>(given, how, from);
  if (given.type == "u8") return check<std::uint8_t>(given, how, from);
  if (given.type == "i16") return check<std::int16_t>(given, how, from);
  if (given.type == "u16") return check<std::uint16_t>(given, how, from);
  if (given.type == "i32") return check<std::int32_t>(given, how, from);
  if (given.type == "u32") return check<std::uint32_t>(given, how, from);
  if (given.type == "i64") return check<std::int64_t>(given, how, from);
  if (given.type == "u64") return check<std::uint64_t>(given, how, from);
#if defined(__SIZEOF_INT128__)
  if (given.type == "i128") return check<headrace::int128>(given, how, from);
  if (given.type == "u128") return check<headrace::uint128>(given, how, from);
#else
  if (given.type == "i128" || given.type == "u128") return;
#endif
  if (given.type == "f32") return check<float>(given, how, from);
  if (given.type == "f64") return check<double>(given, how, from);
  if (given.type == "flong") return check<long double>(given, how, from);
  if (given.type == "bool") return check<bool>(given, how, from);
  if (given.type == "char") return check<char>(given, how, from);
  if (given.type == "word") return check<word>(given, how, from);
  if (given.type == "line") return check<line>(given, how, from);
  ADD_FAILURE() << "no type is called " << given.type;
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
  const test::pipe_ends pipe = test::make_pipe();
  for (const torture_case& given : cases()) {
    if (given.input.size() >= long_input) continue;
    SCOPED_TRACE(given.id);
    for (way how : every_way) {
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
  const test::pipe_ends pipe = test::make_pipe();
  std::mt19937_64 random(7);
  for (const torture_case& given : cases()) {
    SCOPED_TRACE(given.id);
    const std::size_t most = given.input.size() < long_input ? 7 : 20000;
    for (way how : every_way) {
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
