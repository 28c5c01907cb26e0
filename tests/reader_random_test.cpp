// Random programs over random text: lines, words, values of every type, singly and in bulk, in any order, against the
// model; from memory, a pipe and a file, in reads of random sizes. A failure names its seed.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/reader.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/ends.hpp"
#include "support/random_program.hpp"
#include "support/share.hpp"
#include "support/soak.hpp"

namespace {

class seeded : public test::choices {
 public:
  explicit seeded(std::uint64_t seed) : generator_(seed) {}
  std::uint32_t next() override { return static_cast<std::uint32_t>(generator_() >> 16); }

 private:
  std::mt19937_64 generator_;
};

std::string digits(seeded& random, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) text += static_cast<char>('0' + random.below(10));
  return text;
}

std::string token(seeded& random, std::uint32_t wildness) {
  const std::string sign = random.below(3) == 0 ? "-" : "";
  switch (random.below(wildness)) {
    default:
      return sign + digits(random, 1 + random.below(9));
    case 6:
      return sign + digits(random, 1 + random.below(20));
    case 7:
      return digits(random, 1 + random.below(2));
    case 8:
      return sign + digits(random, random.below(18)) + "." + digits(random, 1 + random.below(18));
    case 9: {
      constexpr const char* edges[] = {"127",
                                       "128",
                                       "-128",
                                       "-129",
                                       "255",
                                       "256",
                                       "32767",
                                       "65536",
                                       "2147483647",
                                       "2147483648",
                                       "-2147483648",
                                       "-2147483649",
                                       "4294967295",
                                       "4294967296",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "-9223372036854775808",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "0",
                                       "-0",
                                       "+7",
                                       "1e5",
                                       "nan",
                                       "-inf"};
      return edges[random.below(25)];
    }
    case 10:
      return sign + digits(random, 1 + random.below(25)) + "e" + (random.below(2) ? "-" : "") +
             digits(random, 1 + random.below(3));
    case 11:
      return std::string(1 + random.below(30), static_cast<char>(random.below(256)));
    case 12: {
      constexpr const char* bad[] = {"-", "+", "--1", "1-", "12a", "1.2.3", "e", "x", "0x10", "1_0", ".", "-.", "1e"};
      return bad[random.below(13)];
    }
    case 13:
      return digits(random, 20 + random.below(80));
  }
}

// Of a file of decimals, of which one in `bad` is damaged: cut off, with a byte that is replaced, or something else.
std::string decimal(seeded& random, std::uint32_t bad) {
  const std::string sign = random.below(3) == 0 ? "-" : "";
  std::string text = sign + digits(random, 1 + random.below(random.below(4) == 0 ? 20 : 4));
  if (random.below(4) != 0) text += '.' + digits(random, random.below(random.below(4) == 0 ? 20 : 6));
  if (random.below(6) == 0) text += (random.below(2) == 0 ? "e-" : "E") + digits(random, 1 + random.below(3));
  if (random.below(bad) != 0) return text;
  switch (random.below(4)) {
    case 0:
      return text + "x-.e+"[random.below(5)];
    case 1:
      text[random.below(static_cast<std::uint32_t>(text.size()))] = "x-.e+,in"[random.below(8)];
      return text;
    case 2:
      return text + std::string(random.below(300), "0x"[random.below(2)]);
    default:
      constexpr const char* others[] = {"+1.5", "inf", "-nan", "nil",  "1e999", "-1e-999",
                                        "N/A",  "-",   "e5",   "none", "1e"};
      return others[random.below(11)];
  }
}

std::string random_text(seeded& random) {
  constexpr std::uint32_t sizes[] = {0, 20, 200, 2000, 9000, 20000};
  const std::uint32_t size = sizes[random.below(6)];
  const std::uint32_t wildness = 6 + random.below(9);
  const bool windows_lines = random.below(4) == 0, has_decimals = random.below(3) == 0;
  constexpr std::uint32_t shares[] = {2, 5, 12, 100};
  const std::uint32_t bad = shares[random.below(4)];
  std::string text;
  while (text.size() < size) {
    text += has_decimals ? decimal(random, bad) : token(random, wildness);
    switch (random.below(12)) {
      case 0:
      case 1:
        text += windows_lines ? "\r\n" : "\n";
        break;
      case 2:
        text += "\t\v\f\r "[random.below(5)];
        break;
      case 3:
        text += std::string(random.below(20), " \n"[random.below(2)]);
        text += ' ';
        break;
      default:
        text += ' ';
    }
    if (random.below(3000) == 0) text += std::string(random.below(30000), "x 1\n"[random.below(4)]) + ' ';
  }
  if (random.below(2) == 0 && !text.empty()) text.pop_back();
  return text;
}

// Reads of one size mostly, so that borders fall everywhere.
test::scripted_read::sizes random_sizes(seeded& random) {
  constexpr std::uint32_t limits[] = {1, 3, 10, 100, 5000, 200000};
  const std::uint32_t most = limits[random.below(6)];
  return [&random, most](std::size_t) { return std::size_t(random.below(20) == 0 ? 0 : 1 + random.below(most)); };
}

enum class origin { memory, pipe, file };

void run_programs(origin from, std::uint64_t first_seed, int count) {
  count = test::share_of(count);
  const test::pipe_ends pipe = test::make_pipe();
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(count); ++seed) {
    seeded random(seed);
    const std::string text = random_text(random);
    try {
      if (from == origin::memory) {
        headrace::reader reader = headrace::reader::from(text);
        test::random_program(reader, text, random).run(3000);
      } else {
        const test::temporary_file file(from == origin::file ? text : std::string());
        const int descriptor = from == origin::file ? file.get() : pipe.read.get();
        test::scripted_read script(descriptor, text, random_sizes(random));
        headrace::reader reader(descriptor);
        test::random_program(reader, text, random).run(3000);
      }
    } catch (const std::exception& error) {
      FAIL() << "seed " << seed << ": " << error.what();
    }
  }
}

TEST(random_programs, from_memory) { run_programs(origin::memory, 1, 500); }
TEST(random_programs, through_a_pipe) { run_programs(origin::pipe, 100000, 700); }
TEST(random_programs, from_a_file) { run_programs(origin::file, 200000, 400); }
TEST(random_programs, soak) {
  test::soak soak("random programs");
  const std::size_t parts = test::share();
  for (std::uint64_t seed = soak.seed(); soak.goes_on() && !HasFailure(); ++seed) {
    run_programs(static_cast<origin>(seed % 3), seed, static_cast<int>(parts));
  }
}

}  // namespace
