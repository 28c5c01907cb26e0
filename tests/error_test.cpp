// error.hpp: codes, what errors say and carry, and that copying one costs nothing.
#include <headrace/error.hpp>
#include <headrace/reader.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace {

using headrace::errc;
using headrace::input_error;
using headrace::output_error;
using headrace::detail::digits_of;
using headrace::detail::message;
using headrace::detail::quoted;
using test::error_of;

static_assert(std::is_base_of_v<std::system_error, input_error>);
static_assert(std::is_base_of_v<std::system_error, output_error>);
static_assert(std::is_nothrow_copy_constructible_v<input_error>);
static_assert(std::is_nothrow_copy_constructible_v<output_error>);
static_assert(std::is_error_code_enum_v<errc>);

// An object that gives its bytes at once.
struct source_of_text {
  std::string_view rest;
  std::size_t read(char* to, std::size_t size) {
    const std::size_t given = rest.copy(to, size);
    rest.remove_prefix(given);
    return given;
  }
};

struct reason {
  errc code;
  std::errc standard;
  const char* text;
};

constexpr reason reasons[] = {
    {errc::malformed, std::errc::invalid_argument, "malformed"},
    {errc::out_of_range, std::errc::result_out_of_range, "out of range"},
    {errc::end_of_input, std::errc::no_message, "end of input"},
    {errc::interrupted, std::errc::interrupted, "interrupted"},
    {errc::timed_out, std::errc::timed_out, "timed out"},
};

TEST(Errors, EveryCodeHasAMeaningAndTheStandardOne) {
  for (const reason& each : reasons) {
    const std::error_code code = each.code;
    EXPECT_EQ(code.category(), headrace::category());
    EXPECT_EQ(code.message(), each.text);
    EXPECT_EQ(code, each.standard);
    for (const reason& other : reasons) {
      EXPECT_EQ(code == other.code, &each == &other);
      EXPECT_EQ(code == other.standard, &each == &other);
    }
    const input_error error("text", each.code);
    EXPECT_EQ(error.code(), each.code);
    EXPECT_EQ(error.code(), each.standard);
    EXPECT_EQ(error.at_end(), each.code == errc::end_of_input);
    EXPECT_STREQ(error.what(), "text") << "and not the text of the code after it";
  }
  EXPECT_STREQ(headrace::category().name(), "headrace");
  const std::error_code unknown(77, headrace::category());
  EXPECT_EQ(unknown.message(), "unknown error");
  EXPECT_EQ(unknown.default_error_condition(), std::error_condition(77, headrace::category()));
  EXPECT_EQ(std::error_code(-1, headrace::category()).message(), "unknown error");
}

// EINVAL, ERANGE and ENOMSG of the system are not what is wrong with a token.
TEST(Errors, TheSystemsCodesAreNeverTheInputs) {
  for (const reason& each : reasons) {
    const input_error error("text", each.standard);
    EXPECT_EQ(error.code(), each.standard);
    EXPECT_NE(error.code(), each.code);
    EXPECT_EQ(error.code().category(), std::generic_category());
    EXPECT_FALSE(error.at_end());
  }
  const output_error full("text", std::errc::no_space_on_device, 7);
  EXPECT_EQ(full.code().value(), ENOSPC);
  EXPECT_EQ(full.code(), std::errc::no_space_on_device);
  EXPECT_EQ(full.arrived(), 7u);
}

TEST(Errors, AReaderSaysWhichOfThem) {
  headrace::reader from = headrace::reader::from("12a 300\n");
  const input_error malformed = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(malformed.code(), errc::malformed);
  EXPECT_EQ(malformed.token(), "12a");
  EXPECT_STREQ(malformed.what(), "<memory>:1:1: expected an integer, found \"12a\"");
  from.skip();
  const input_error out_of_range = error_of([&] { (void)from.read<std::uint8_t>(); });
  EXPECT_EQ(out_of_range.code(), errc::out_of_range);
  EXPECT_EQ(out_of_range.column(), 5u);
  EXPECT_STREQ(out_of_range.what(), "<memory>:1:5: expected an integer from 0 to 255, found \"300\"");
  from.skip();
  const input_error at_end = error_of([&] { (void)from.read<std::int64_t>(); });
  EXPECT_EQ(at_end.code(), errc::end_of_input);
  EXPECT_TRUE(at_end.at_end());
  EXPECT_TRUE(at_end.token().empty());
  EXPECT_STREQ(at_end.what(), "<memory>:2:1: expected an integer, found the end of input");

  const input_error missing = error_of([] { headrace::reader("no such file"); });
  EXPECT_EQ(missing.code(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(missing.code().value(), ENOENT);
  EXPECT_EQ(missing.line(), 0u);
  EXPECT_STREQ(missing.what(), "no such file: cannot open: No such file or directory");
  EXPECT_STREQ(error_of([] { headrace::reader(""); }).what(), "\"\": cannot open: No such file or directory");
}

TEST(Errors, AreCaughtAsTheStandardsOwn) {
  try {
    (void)headrace::reader::from("x").read<int>();
    FAIL() << "no error";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), errc::malformed);
    EXPECT_STREQ(error.what(), "<memory>:1:1: expected an integer, found \"x\"");
  }
  try {
    throw output_error("full", std::errc::no_space_on_device, 3);
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "full");
  }
}

TEST(Errors, KeepTheFirst64BytesOfAToken) {
  const std::string token = std::string("\0\xff", 2) + std::string(100, '1');
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 102u}) {
    const std::string text = token.substr(0, size);
    EXPECT_EQ(input_error("text", errc::malformed, {}, text).token(), text.substr(0, 64));
  }
}

TEST(Errors, KeepTokensOfAnyLength) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
  for (std::size_t size = 1; size <= letters.size(); ++size) {
    const std::string token = letters.substr(letters.size() - size);
    auto from = headrace::reader::from(token);
    int x;
    const auto result = from.parse(x);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error->token(), token);
  }
}

// One after the other, near and far: the place is counted on from the last one.
TEST(Errors, KnowTheirPlaceAtAnyDistance) {
  std::uint32_t seed = 1;
  const auto below = [&seed](std::uint32_t limit) { return ((seed = seed * 1664525 + 1013904223) >> 8) % limit; };
  for (const std::uint32_t breaks : {1u, 3u, 40u}) {
    std::string text;
    std::vector<headrace::position> places;
    headrace::position here;
    const auto add = [&](const std::string& token) {
      const bool breaks_line = below(breaks) == 0;
      text += token + (breaks_line ? '\n' : ' ');
      here.offset += token.size() + 1;
      here.line += breaks_line;
      here.column = breaks_line ? 1 : here.column + token.size() + 1;
    };
    while (text.size() < 600000) {
      const std::uint32_t distance = below(8) == 0 ? 4000 : below(3) == 0 ? 300 : 30;
      for (std::uint32_t i = below(distance); i > 0; --i) add(std::string(1 + below(9), '7'));
      places.push_back(here);
      add("x" + std::string(below(12), '1'));
    }
    std::size_t given = 0;
    auto in_pieces = [&](char* to, std::size_t size) {
      const std::size_t count = std::min({size, text.size() - given, std::size_t{1 + below(70000)}});
      std::memcpy(to, text.data() + given, count);
      given += count;
      return count;
    };
    headrace::reader readers[] = {headrace::reader::from(text), headrace::reader::from(in_pieces)};
    for (headrace::reader& from : readers) {
      for (const headrace::position& place : places) {
        long x;
        headrace::read_result result;
        while ((result = from.parse(x))) {}
        ASSERT_EQ(result.error->offset(), place.offset);
        ASSERT_EQ(result.error->line(), place.line);
        ASSERT_EQ(result.error->column(), place.column);
        ASSERT_TRUE(from.skip());
      }
    }
  }
}

TEST(Errors, ACopyOutlivesItsOriginalAndSharesItsText) {
  const auto made = [] { return input_error(std::string(1000, 'x'), errc::malformed, {5, 6, 7}, "token"); };
  input_error kept = made();
  {
    const input_error original = made();
    const input_error copy = original;  // NOLINT: what is tested
    EXPECT_EQ(copy.what(), original.what()) << "the same address";
    kept = copy;
  }
  EXPECT_EQ(kept.what(), std::string(1000, 'x'));
  EXPECT_EQ(kept.token(), "token");
  EXPECT_EQ(kept.offset() + kept.line() + kept.column(), 5u + 6 + 7);
  input_error& self = kept;
  kept = self;
  EXPECT_EQ(kept.what(), std::string(1000, 'x'));
}

TEST(Errors, MayBeCopiedByManyThreads) {
  const input_error error("one text for all", errc::malformed, {}, "token");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&error] {
      for (int round = 0; round < 2000; ++round) {
        const input_error copy = error;  // NOLINT: what is tested
        if (copy.token() != "token") std::terminate();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_STREQ(error.what(), "one text for all");
}

// ---- errors whose line is composed when somebody asks ----

int allocations = 0;

TEST(LateErrors, SayWhatWasThereWhenTheyWereMade) {
  char name[] = "<numbers>";
  std::string text = "12a 300 ";
  const auto error_in = [&name](std::string_view input) {
    source_of_text given{input};
    headrace::reader from = headrace::reader::from(given, name);
    return from.parse(*std::make_unique<std::uint8_t>()).error;
  };
  const headrace::possible_error malformed = error_in(text), out_of_range = error_in(text.substr(4));
  const input_error copy = *malformed;  // NOLINT: what is tested
  std::memset(name, '?', sizeof name);
  std::fill(text.begin(), text.end(), '?');
  EXPECT_STREQ(malformed->what(), "<numbers>:1:1: expected an integer, found \"12a\"");
  EXPECT_EQ(malformed->what(), malformed->what()) << "composed once";
  EXPECT_STREQ(copy.what(), malformed->what());
  EXPECT_STREQ(out_of_range->what(), "<numbers>:1:1: expected an integer from 0 to 255, found \"300\"");
  const input_error late = *malformed;  // NOLINT: what is tested
  EXPECT_EQ(late.what(), malformed->what()) << "the same address";
}

TEST(LateErrors, KeepNamesOfAnyLength) {
  for (const std::size_t size : {1u, 3u, 4u, 7u, 8u, 16u, 17u, 32u, 33u, 53u, 54u, 55u, 5000u}) {
    const std::string name(size, 'n');
    source_of_text given{"x"};
    headrace::reader from = headrace::reader::from(given, name.c_str());
    const headrace::read_result result = from.parse(*std::make_unique<int>());
    EXPECT_EQ(result.error->what(), name + ":1:1: expected an integer, found \"x\"");
  }
}

TEST(LateErrors, MayBeAskedByManyThreads) {
  const input_error error("<here>", {"an integer", 32, true}, errc::out_of_range, {0, 1, 2}, "99999999999");
  const std::string line = "<here>:1:2: expected an integer from -2147483648 to 2147483647, found \"99999999999\"";
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const input_error copy = error;  // NOLINT: what is tested
      if (error.what() != line || copy.what() != line) std::terminate();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(LateErrors, AllocateNothingUntilTheyAreAsked) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "bad 7 ";
  headrace::reader from = headrace::reader::from(text);
  int value = 0, sum = 0, bad = 0;
  EXPECT_FALSE(from.parse(value)) << "the first one makes what all share";
  const int before = allocations;
  for (;;) {
    const headrace::read_result result = from.parse(value);
    if (!result && result.error->at_end()) break;
    if (result) sum += value;
    if (!result) bad += result.error->code() == errc::malformed && from.skip();
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(sum, 7000);
  EXPECT_EQ(bad, 1000);
}

TEST(LateErrors, AreCopiedAssignedAndTakenAway) {
  headrace::reader from = headrace::reader::from("x");
  headrace::read_result result = from.parse(*std::make_unique<int>());
  headrace::possible_error kept, none;
  EXPECT_FALSE(kept);
  kept = result.error;
  result = {};
  EXPECT_TRUE(result);
  ASSERT_TRUE(kept);
  const headrace::possible_error& self = kept;
  kept = self;
  EXPECT_EQ(kept->token(), "x");
  EXPECT_STREQ((*kept).what(), "<memory>:1:1: expected an integer, found \"x\"");
  kept = none;
  EXPECT_FALSE(kept);
}

// ---- how a message is composed ----

TEST(Messages, ArePutTogetherOfTextNumbersAndQuotes) {
  const std::string text(300, 'x');
  const std::string_view part = std::string_view(text).substr(0, 2);
  EXPECT_STREQ(message({}).c_str(), "");
  EXPECT_STREQ((message{"a", "", std::string_view(), part, digits_of(0), "b"}.c_str()), "axx0b");
  EXPECT_STREQ((message{digits_of(UINT64_MAX), " ", digits_of(10)}.c_str()), "18446744073709551615 10");
  EXPECT_EQ((message{std::string_view(text), quoted("y")}.c_str()), text + "\"y\"");
  const message inner{"inner"};
  EXPECT_STREQ((message{"<", inner, ">", quoted(inner)}.c_str()), "<inner>\"inner\"");
}

std::string in_quotes(std::string_view text) { return message{quoted(text)}.c_str(); }

TEST(Messages, QuoteWhatAPersonCanSee) {
  EXPECT_EQ(in_quotes(""), "\"\"");
  EXPECT_EQ(in_quotes(std::string_view()), "\"\"");
  EXPECT_EQ(in_quotes("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(in_quotes(std::string_view("\0\t\x1f\x7f ~", 6)), "\"\\x00\\x09\\x1f\\x7f ~\"");
  EXPECT_EQ(in_quotes("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
  EXPECT_EQ(in_quotes("\xef\xbb\xbfx"), "\"\\xef\\xbb\\xbfx\"") << "a byte order mark";
  EXPECT_EQ(in_quotes("\xc2\x80\xc2\x9f\xc2\xa0"), "\"\\xc2\\x80\\xc2\\x9f\xc2\xa0\"") << "controls end below U+00A0";
  EXPECT_EQ(in_quotes("\xed\xa0\x80\xc0\xaf\xe2\x82"), "\"\\xed\\xa0\\x80\\xc0\\xaf\\xe2\\x82\"") << "malformed";
}

// Cut after the letter with the 40th byte, never within one.
TEST(Messages, CutLongText) {
  const std::string forty(40, '7');
  EXPECT_EQ(in_quotes(forty), "\"" + forty + "\"");
  EXPECT_EQ(in_quotes(forty + "8"), "\"" + forty + "\"...");
  const std::string letter = "\xf0\x9f\x98\x80", start(39, '7');
  EXPECT_EQ(in_quotes(start + letter), "\"" + start + letter + "\"");
  EXPECT_EQ(in_quotes(start + letter + "8"), "\"" + start + letter + "\"...");
  std::string longest;
  for (int i = 0; i < 39; ++i) longest += "\\xff";
  EXPECT_EQ(in_quotes(std::string(39, '\xff') + letter + "8"), "\"" + longest + letter + "\"...");
  EXPECT_EQ(in_quotes(std::string(100, '\xff')), "\"" + longest + "\\xff\"...");
}

TEST(Messages, NameADescriptorInOneWay) {
  using headrace::detail::descriptor_name;
  EXPECT_STREQ(descriptor_name(0).c_str(), "<stdin>");
  EXPECT_STREQ(descriptor_name(1).c_str(), "<stdout>");
  EXPECT_STREQ(descriptor_name(2).c_str(), "<stderr>");
  EXPECT_STREQ(descriptor_name(3).c_str(), "<descriptor 3>");
  EXPECT_STREQ(descriptor_name(INT32_MAX).c_str(), "<descriptor 2147483647>");
  EXPECT_STREQ(descriptor_name(-1).c_str(), "<descriptor -1>");
  EXPECT_STREQ(descriptor_name(INT32_MIN).c_str(), "<descriptor -2147483648>");
}

}  // namespace

// Counted, to see that an error needs none. (Not inlined, because g++ would then see free() where it expects delete.)
__attribute__((noinline)) void* operator new(std::size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  if (void* const made = std::malloc(size)) return made;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* made) noexcept { std::free(made); }
__attribute__((noinline)) void operator delete(void* made, std::size_t) noexcept { std::free(made); }
