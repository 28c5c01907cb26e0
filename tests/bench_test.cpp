// bench.hpp under a simulated clock: a function takes exactly as long as the test says, so that every report, choice
// of iterations and verdict is known beforehand. The last tests use the real clock.
#include <headrace/bench.hpp>

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.hpp"

namespace {

using headrace::bench;
using headrace::bench_verdict;
using headrace::keep;
using test::message_of;
namespace timing = headrace::detail::timing;

// ---- a clock that moves only when something takes time

std::uint64_t picoseconds = 0;
std::uint64_t a_reading = 20000;  // picoseconds that one reading of the clock takes
std::uint64_t step = 1;           // nanoseconds

std::uint64_t simulated_now() {
  picoseconds += a_reading;
  return picoseconds / 1000 / step * step;
}

void take(double nanoseconds) { picoseconds += static_cast<std::uint64_t>(nanoseconds * 1000); }

class Simulated : public testing::Test {
 protected:
  void SetUp() override {
    picoseconds = 0;
    a_reading = 20000;
    step = 1;
    unsetenv("HEADRACE_BENCH_SECONDS");
  }
};

// A suite that prints into a temporary file.
class Suite {
 public:
  explicit Suite(const char* title, double seconds = 0.01, headrace::bench_look look = {false, true, false})
      : file(std::tmpfile()), suite(title) {
    suite.output(file).look(look).machine(false).clock(simulated_now).budget(seconds).seed(42);
  }
  Suite(const Suite&) = delete;
  Suite& operator=(const Suite&) = delete;
  ~Suite() { std::fclose(file); }
  std::string printed() const {
    std::string text(static_cast<std::size_t>(std::ftell(file)), 0);
    std::rewind(file);
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file), text.size());
    return text;
  }

  std::FILE* file;
  bench suite;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

#ifndef __OPTIMIZE__
// What a build without optimisation adds to every row.
std::string without(const std::string& added, const std::string& instead, std::string text) {
  for (std::size_t at = 0; (at = text.find(added, at)) != std::string::npos; at += instead.size()) {
    const std::size_t begin = instead.empty() ? text.rfind('\n', at) : at;
    text.replace(begin, instead.empty() ? text.find('\n', at) - begin : added.size(), instead);
    at = begin;
  }
  return text;
}
#endif

// Compares with the golden file; HEADRACE_GOLDEN=write renews it, for a reviewer to read the difference.
void expect_golden(const std::string& name, std::string text) {
#ifndef __OPTIMIZE__
  text =
      without(": compiled without optimisation", "", without("\"unoptimised\": true", "\"unoptimised\": false", text));
#endif
  const std::string path = std::string(HEADRACE_TEST_DATA) + "/bench/" + name;
  const char* const mode = std::getenv("HEADRACE_GOLDEN");
  if (mode != nullptr && std::string(mode) == "write") std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(contents(path), text) << "in " << path;
}

double noise(headrace::rng& random) {  // about a standard normal: the sum of 12 uniforms (Irwin & Hall)
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

// ---- golden reports

// Three functions with a fixed pattern of times, one far outlier, and one that is as quick as nothing.
void fill(bench& suite) {
  const auto pattern = [](double base, int& calls) {
    const double factors[] = {1.00, 1.01, 0.99, 1.02, 1.00, 1.00, 0.98, 1.03, 1.00, 1.40};
    take(base * factors[calls++ % 10]);
  };
  int calls[3] = {};
  suite.batch(1048576, "byte");
  suite.run("write", [&] { pattern(100e3, calls[0]); });
  suite.run("fwrite", [&] { pattern(101e3, calls[1]); });
  suite.run("ofstream, a long name, with | and \"quotes\"", [&] { pattern(150e3, calls[2]); });
  suite.batch(1, "op");
  suite.run(
      "sort a copy",
      [] {
        take(400);
        return 5;
      },
      [](int& state) { take(900 + state); });
  suite.compare();
  suite.scale("square", {10, 20, 40, 80}, [](std::size_t n) { take(1000.0 * static_cast<double>(n * n)); });
}

TEST_F(Simulated, TerminalReportIsGolden) {
  Suite s("write 100 MiB", 0.04, {true, true, false});
  fill(s.suite);
  expect_golden("terminal.txt", s.printed());
}

TEST_F(Simulated, PlainReportIsGolden) {
  Suite s("write 100 MiB", 0.04, {false, false, false});
  fill(s.suite);
  const std::string text = s.printed();
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << "not ASCII: " << int{c};
  expect_golden("plain.txt", text);
}

TEST_F(Simulated, FilesAreGolden) {
  Suite s("write 100 MiB", 0.04);
  fill(s.suite);
  expect_golden("report.json", s.suite.json());
  expect_golden("report.csv", s.suite.csv());
  expect_golden("report.md", s.suite.markdown());
}

TEST_F(Simulated, SaveWritesWhatTheEndingSays) {
  Suite s("save");
  s.suite.run("f", [] { take(5000); });
  const std::string base = testing::TempDir() + "headrace_bench_save";
  for (const char* ending : {".json", ".csv", ".md"}) {
    s.suite.save(base + ending);
    const std::string expected = ending[1] == 'j'   ? s.suite.json()
                                 : ending[1] == 'c' ? s.suite.csv()
                                                    : s.suite.markdown();
    EXPECT_EQ(contents(base + ending), expected);
    std::remove((base + ending).c_str());
  }
  EXPECT_EQ(message_of([&] { s.suite.save("report.xml"); }),
            "save(\"report.xml\"): the ending says what to write: .json, .csv or .md");
  EXPECT_EQ(message_of([&] { s.suite.save("/no/such/folder/report.md"); }),
            "cannot write \"/no/such/folder/report.md\": check that its folder exists and has room");
}

TEST_F(Simulated, JsonEscapesWhatItMust) {
  Suite s("tab\t, quote \", backslash \\, µ");
  s.suite.run("line\nbreak", [] { take(100); });
  const std::string json = s.suite.json();
  EXPECT_NE(json.find("\"tab\\u0009, quote \\\", backslash \\\\, µ\""), std::string::npos);
  EXPECT_NE(json.find("\"line\\u000abreak\""), std::string::npos);
}

TEST_F(Simulated, NumbersHaveAPointInEveryLocale) {
  bool found = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
    found = found || std::setlocale(LC_ALL, name);
  EXPECT_EQ(timing::with_point("-1,5e+03"), "-1.5e+03");
  EXPECT_EQ(timing::with_point("2\xd9\xab"), "2.");  // a decimal point of two bytes
  EXPECT_EQ(timing::number_in("0.25"), 0.25) << (found ? "with a comma locale" : "");
  EXPECT_EQ(timing::number_in("0.25 "), -1);
  EXPECT_EQ(timing::fixed(1.5, 2), "1.50") << (found ? "with a comma locale" : "");
  std::setlocale(LC_ALL, "C");
}

// ---- measuring

TEST_F(Simulated, MeasuresExactTimes) {
  Suite s("exact");
  for (const double ns : {1.0, 3.5, 40.0, 1e3, 5e4, 2e6, 1e8}) {
    const auto& r = s.suite.run(std::to_string(ns), [ns] { take(ns); });
    EXPECT_NEAR(r.median / ns, 1, 0.002) << ns;
    EXPECT_GE(r.samples, 3u);
    EXPECT_LT(r.error, 0.001);
    EXPECT_LE(r.min, r.median);
    EXPECT_LE(r.median, r.p75);
    EXPECT_LE(r.p75, r.p99);
    EXPECT_LE(r.p99, r.max);
  }
}

TEST_F(Simulated, IterationsAreSizedFromTheClock) {
  Suite fine("fine");
  const auto& short_one = fine.suite.run("10 ns", [] { take(10); });
  EXPECT_GE(static_cast<double>(short_one.calls) * 10, 0.5 * 1000 * 20);  // 1000 clock steps, half of it at the worst
  EXPECT_EQ(fine.suite.run("1 ms", [] { take(1e6); }).calls, 1u);
  step = 1000;  // a clock that moves once a microsecond
  Suite coarse("coarse", 0.1);
  const auto& r = coarse.suite.run("10 ns", [] { take(10); });
  EXPECT_GE(r.calls, 50000u);
  EXPECT_NEAR(r.median, 10, 0.05);
}

TEST_F(Simulated, SlowFirstCallsDoNotMislead) {
  for (const int slow : {1, 2, 5}) {
    Suite s("warm-up", 0.1);
    int calls = 0;
    const auto& r = s.suite.run("lazy", [&] { take(calls++ < slow ? 2e6 : 2); });
    EXPECT_NEAR(r.median, 2, 0.01) << slow;
    EXPECT_NEAR(r.first, 2e6, 100);
    EXPECT_LT(r.max, 3) << "a slow call was kept as a sample";
  }
}

TEST_F(Simulated, SetupIsOutsideTheTimingAndBeforeEachCall) {
  Suite s("setup");
  int setups = 0, calls = 0;
  const auto& r = s.suite.run("plain", [&] { take(5000), ++setups; }, [&] { take(700), ++calls; });
  EXPECT_NEAR(r.median, 700, 1);
  EXPECT_EQ(setups, calls);
  const auto& with_state = s.suite.run(
      "state", [&] { return std::make_unique<int>(7); },
      [](std::unique_ptr<int>& state) { take(*state * 100.0), *state = 9; });
  EXPECT_NEAR(with_state.median, 700, 1);
}

TEST_F(Simulated, SetupsCountAgainstTheBudget) {
  Suite s("slow setup", 1);
  const std::uint64_t begin = picoseconds;
  s.suite.run("slow setup", [] { take(1e7); }, [] { take(100); });
  EXPECT_LT(static_cast<double>(picoseconds - begin) * 1e-12, 0.5);
}

TEST_F(Simulated, WhatTheClockCannotSeeIsSaid) {
  Suite s("clock");
  EXPECT_TRUE(s.suite.run("short", [] {}, [] { take(50); }).below_clock);
  EXPECT_FALSE(s.suite.run("long", [] {}, [] { take(50000); }).below_clock);
  EXPECT_NE(s.printed().find("short: too short for this clock"), std::string::npos);
}

TEST_F(Simulated, SamplesAreBoundedAndPercentilesReal) {
  Suite s("reservoir", 40);
  headrace::rng random{3};
  const auto& r = s.suite.run("uniform 100 to 200 us", [&] { take(1e5 * (1 + random.uniform())); });
  EXPECT_GT(r.samples, 50000u);
  EXPECT_EQ(r.values.size(), 4096u);
  EXPECT_NEAR(r.p75, 175e3, 3e3);
  EXPECT_NEAR(r.p99, 199e3, 1e3);
  EXPECT_NEAR(r.error, 1.0 / 6, 0.01);  // median |x - 150| = 25, of 150
  EXPECT_NEAR(r.mean, 150e3, 1e3);
}

TEST_F(Simulated, TimeBudgetHolds) {
  for (const double seconds : {0.1, 2.0}) {
    Suite s("budget", seconds);
    s.suite.run("1 us", [] { take(1e3); });
    s.suite.run("1.001 us", [] { take(1.001e3); });
    s.suite.run("3 ms", [] { take(3e6); });
    const double runs = static_cast<double>(picoseconds) * 1e-12;
    EXPECT_LT(runs, 3 * seconds / 4 * 1.1 + 0.02);
    s.suite.compare();
    EXPECT_LT(static_cast<double>(picoseconds) * 1e-12, 4 * seconds * 1.1);
  }
}

TEST_F(Simulated, EnvironmentOverridesTheBudget) {
  setenv("HEADRACE_BENCH_SECONDS", "0.25", 1);
  Suite s("environment", 100);
  s.suite.run("f", [] { take(1e3); });
  EXPECT_NE(s.suite.json().find("\"budget_seconds\": 0.25"), std::string::npos);
  EXPECT_LT(static_cast<double>(picoseconds) * 1e-12, 0.1);
  for (const char* wrong : {"two", "0", "-1", "1s", "nan", "inf"}) {
    setenv("HEADRACE_BENCH_SECONDS", wrong, 1);
    EXPECT_EQ(message_of([] { bench("x"); }),
              "HEADRACE_BENCH_SECONDS is \"" + std::string(wrong) +
                  "\": give the seconds per function, more than 0 and less than 1000000, as in 0.5");
  }
  unsetenv("HEADRACE_BENCH_SECONDS");
}

TEST_F(Simulated, AClockThatStandsStillIsRefused) {
  a_reading = 0;
  Suite s("still");
  EXPECT_EQ(message_of([&] { s.suite.run("nothing", [] {}); }),
            "the clock of \"still\" stands still: clock() needs one that counts nanoseconds");
}

TEST_F(Simulated, NoTimeAtAllGivesNoNaN) {
  Suite s("no time");
  s.suite.batch(9.9e249, "byte");
  s.suite.run("a", [] {}, [] {});
  s.suite.run("b", [] {}, [] {});
  s.suite.compare();
  for (const std::string& text : {s.suite.json(), s.suite.csv(), s.suite.markdown(), s.printed()}) {
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
  }
}

// ---- comparing

TEST_F(Simulated, VerdictsOfKnownDifferences) {
  Suite s("verdicts", 1);
  headrace::rng random{5};
  const auto noisy = [&](double ns, double sigma) { return [=, &random] { take(ns * (1 + sigma * noise(random))); }; };
  s.suite.run("base", noisy(100e3, 0.002));
  s.suite.run("same", noisy(100e3, 0.002));
  s.suite.run("half a percent", noisy(100.5e3, 0.001));
  s.suite.run("3 % slower", noisy(103e3, 0.002));
  s.suite.run("faster", noisy(80e3, 0.002));
  const auto& c = s.suite.baseline("base").compare();
  EXPECT_EQ(c.reference, "base");
  ASSERT_EQ(c.pairs.size(), 4u);
  EXPECT_EQ(c.pairs[0].name, "faster");  // from fast to slow
  EXPECT_EQ(c.pairs[0].verdict, bench_verdict::faster);
  EXPECT_EQ(c.pairs[1].verdict, bench_verdict::same);
  EXPECT_EQ(c.pairs[2].verdict, bench_verdict::small);
  EXPECT_EQ(c.pairs[3].verdict, bench_verdict::slower);
  EXPECT_NEAR(c.pairs[0].ratio, 0.80, 0.002);
  EXPECT_NEAR(c.pairs[3].ratio, 1.03, 0.002);
  EXPECT_LE(c.pairs[0].low, c.pairs[0].ratio);
  EXPECT_GE(c.pairs[0].high, c.pairs[0].ratio);
  EXPECT_EQ(c.pairs[0].rounds, 12u);
}

TEST_F(Simulated, TheReferenceIsTheFastestUnlessNamed) {
  Suite s("reference");
  s.suite.run("slow", [] { take(2000); });
  s.suite.run("fast", [] { take(1000); });
  s.suite.run("middle", [] { take(1500); });
  EXPECT_EQ(s.suite.compare().reference, "fast");
  EXPECT_EQ(s.suite.baseline("middle").compare().reference, "middle");
  EXPECT_EQ(message_of([&] { s.suite.baseline("nobody").compare(); }),
            "the baseline \"nobody\" is no function of \"reference\": run() it, or name one that was");
  s.suite.scale("curve", {1, 2}, [](std::size_t n) { take(1000 * static_cast<double>(n)); });
  EXPECT_EQ(message_of([&] { s.suite.baseline("curve/2").compare(); }),
            "the baseline \"curve/2\" is of scale(), which is not compared: name a function of run()");
}

TEST_F(Simulated, NoiseGivesCannotTellApart) {
  Suite s("noise", 0.02);
  headrace::rng random{11};
  const auto noisy = [&] { return [&] { take(100e3 * (1 + 0.2 * std::fabs(noise(random)))); }; };
  s.suite.run("a", noisy());
  s.suite.run("b", noisy());
  const auto& c = s.suite.compare();
  EXPECT_GT(c.margin, 0.01);
  EXPECT_TRUE(c.pairs[0].verdict == bench_verdict::unclear || c.pairs[0].verdict == bench_verdict::same);
}

// Skewed, heavy-tailed and drifting noise: the two functions are the same, and no campaign may call a winner often.
TEST_F(Simulated, FalseAlarmsAreRare) {
  headrace::rng random{17};
  double drift = 1;
  const auto same = [&] {
    const double u = random.uniform();
    drift *= 1 + 1e-4 * noise(random);
    const double tail = random.below(50) == 0 ? 0.5 / (u + 0.01) : 0;
    take(100e3 * drift * (1 + 0.03 * u * u + tail));
  };
  int alarms = 0, called_faster = 0;
  constexpr int campaigns = 200;
  for (int i = 0; i < campaigns; ++i) {
    Suite s("false alarms", 0.02);
    s.suite.seed(static_cast<std::uint64_t>(i)).output(nullptr);
    s.suite.run("a", same);
    s.suite.run("b", same);
    const auto verdict = s.suite.compare().pairs[0].verdict;
    called_faster += verdict == bench_verdict::faster || verdict == bench_verdict::slower;
    alarms += verdict != bench_verdict::same && verdict != bench_verdict::unclear;
  }
  RecordProperty("called_faster", called_faster);
  RecordProperty("called_different", alarms);
  EXPECT_LE(called_faster, campaigns / 50);
  EXPECT_LE(alarms, campaigns / 20);
}

TEST_F(Simulated, ThreePercentIsFound) {
  headrace::rng random{23};
  int found = 0;
  constexpr int campaigns = 60;
  for (int i = 0; i < campaigns; ++i) {
    Suite s("power", 0.05);
    s.suite.seed(static_cast<std::uint64_t>(i)).output(nullptr);
    s.suite.run("a", [&] { take(100e3 * (1 + 0.01 * noise(random))); });
    s.suite.run("b", [&] { take(103e3 * (1 + 0.01 * noise(random))); });
    const auto& c = s.suite.baseline("a").compare();
    found += c.pairs[0].verdict == bench_verdict::slower && c.pairs[0].rounds <= 36;
  }
  RecordProperty("found", found);
  EXPECT_GE(found, campaigns * 9 / 10);
}

TEST_F(Simulated, TooFewRoundsSaySoAndWhatHelps) {
  Suite s("slow", 2);
  s.suite.run("a", [] { take(1e8); });
  s.suite.run("b", [] { take(5e9); });
  s.suite.run("c", [] { take(3e8); });
  const auto& c = s.suite.compare();
  ASSERT_EQ(c.pairs.size(), 2u);
  EXPECT_EQ(c.pairs[0].name, "c");  // slow, but it gets the rounds that it needs
  EXPECT_EQ(c.pairs[0].verdict, bench_verdict::slower);
  EXPECT_EQ(c.pairs[0].rounds, 8u);
  EXPECT_EQ(c.pairs[1].verdict, bench_verdict::unclear);
  EXPECT_FALSE(c.pairs[1].bounded);
  const std::string text = s.printed();
  EXPECT_NE(
      text.find("b: 1 of the 8 rounds that an interval needs fitted into the budget: allow about 7 s per function"),
      std::string::npos)
      << text;
  EXPECT_NE(s.suite.json().find("\"low\": null"), std::string::npos);
}

TEST_F(Simulated, ComparingOneFunctionSaysWhatIsMissing) {
  Suite s("one");
  s.suite.run("a", [] { take(1e3); });
  EXPECT_TRUE(s.suite.compare().pairs.empty());
  EXPECT_NE(s.printed().find("compare: needs two functions"), std::string::npos);
}

// ---- hardware counters, from a machine made of totals: most machines that run these tests have none

// 40 cycles, 100 instructions, 10 branches and 0.5 misses a call, 1000 of each for switching on and off. The totals
// never start again from 0, and of a measurement only `shares` (the last holds on) have counters.
class Counters {
 public:
  bool open() { return ++opened, here; }
  void enable() { at_ = calls; }
  void disable() {
    const double share = shares[turn_ < shares.size() ? turn_ : shares.size() - 1], a_call[4] = {40, 100, 10, 0.5};
    ++turn_;
    const auto part = [share](double whole) { return static_cast<std::uint64_t>(whole * share); };
    for (std::size_t k = 0; k < 4; ++k) totals_.values[k] += part(1000 + a_call[k] * static_cast<double>(calls - at_));
    totals_.enabled += 1000000;
    totals_.running += part(1000000);
  }
  bool read(timing::counter_snapshot& now) {
    now = totals_;
    return readable;
  }

  bool here = true, readable = true;
  int opened = 0;
  std::size_t calls = 0;  // that the function has had
  std::vector<double> shares{1};

 private:
  timing::counter_snapshot totals_{777, 333, {1, 22, 333, 4444}};  // whatever went before
  std::size_t at_ = 0, turn_ = 0;
};

class Counted final : public timing::task {
 public:
  Counted(Counters& counters, double nanoseconds) : counters_(counters), nanoseconds_(nanoseconds) {}
  std::uint64_t time(std::size_t calls, timing::clock_function) override {
    counters_.calls += calls;
    most = calls > most ? calls : most;
    ++times;
    take(nanoseconds_ * static_cast<double>(calls));
    return 0;
  }
  std::uint64_t time_nothing(std::size_t, timing::clock_function) override { return 0; }
  std::size_t most = 0, times = 0;

 private:
  Counters& counters_;
  double nanoseconds_;
};

headrace::bench_counters counted(Counters& counters, double nanoseconds = 10) {
  Counted function(counters, nanoseconds);
  return timing::counter_group(counters).count(function, 10000, simulated_now, 1e9);
}

TEST_F(Simulated, CountersAreACallWithoutTheirOwnCostAndScaledWhereTheyTookTurns) {
  for (const double share : {1.0, 0.75}) {
    Counters counters;
    counters.shares = {share};
    const auto found = counted(counters);
    const double exact = share == 1 ? 1e-9 : 0.01;
    EXPECT_TRUE(found.present);
    EXPECT_NEAR(found.cycles, 40, exact);
    EXPECT_NEAR(found.instructions, 100, exact);
    EXPECT_NEAR(found.branches, 10, exact);
    EXPECT_NEAR(found.branch_misses, 0.5, exact);
  }
}

// 0.3 of a measurement is too little. Two that are lost, the second one's empty loop among them, are made again.
TEST_F(Simulated, CountersThatSomebodyElseHasAreAbsentUntilTheyAreFree) {
  const std::pair<std::vector<double>, bool> cases[] = {{{0.3}, false}, {{0}, false}, {{0, 1, 0.2, 1}, true}};
  for (const auto& [shares, present] : cases) {
    Counters counters;
    counters.shares = shares;
    const auto found = counted(counters);
    EXPECT_EQ(found.present, present);
    EXPECT_DOUBLE_EQ(found.instructions, present ? 100 : 0);
  }
}

TEST_F(Simulated, CountersOfALongFunctionAreReadOnce) {
  Counters counters;
  Counted function(counters, 1e6);
  timing::counter_group group(counters);
  EXPECT_TRUE(group.count(function, 1000, simulated_now, 5e8).present);  // a second of calls, half a second of room
  EXPECT_EQ(function.times, 2u);                                         // with the calls, and with none
  EXPECT_EQ(counters.calls, 1000u);
}

TEST_F(Simulated, WithoutCountersNothingIsTriedTwice) {
  Counters none;
  none.here = false;
  Counted function(none, 10);
  timing::counter_group group(none);
  EXPECT_FALSE(group.count(function, 10, simulated_now, 1e9).present);
  EXPECT_FALSE(group.count(function, 10, simulated_now, 1e9).present);
  EXPECT_EQ(none.opened, 1);
  EXPECT_EQ(function.times, 0u);
  Counters mute;
  mute.readable = false;
  EXPECT_FALSE(counted(mute).present);
}

// `known`: more rounds could only refine it.
TEST(Statistics, VerdictFollowsFromIntervalAndMargin) {
  constexpr bool known = true, open = false;
  const struct {
    double low, high, margin;
    bench_verdict verdict;
    bool is_known;
  } cases[] = {
      {1.02, 1.04, 0.01, bench_verdict::slower, known},
      {0.96, 0.98, 0.01, bench_verdict::faster, known},
      {0.995, 1.005, 0.01, bench_verdict::same, known},
      {1.001, 1.003, 0.01, bench_verdict::small, known},
      {0.997, 0.999, 0.01, bench_verdict::small, known},
      {1.001, 1.100, 0.01, bench_verdict::small, open},  // reaches into the margin
      {0.900, 0.999, 0.01, bench_verdict::small, open},
      {0.9, 1.1, 0.01, bench_verdict::unclear, open},
      {0.9, 1.1, 0.5, bench_verdict::unclear, open},  // "same within 50 %" would mean nothing
      {0.96, 1.04, 0.5, bench_verdict::same, open},   // within 5 %, whatever the margin
      {0.94, 1.04, 0.07, bench_verdict::unclear, open},
      {1.6, 1.8, 0.5, bench_verdict::slower, known},
      {0.992, 1.009, 0.04, bench_verdict::same, known},
      {0.98, 1.02, 0.04, bench_verdict::same, open},  // within a margin that is wide so far: more rounds narrow both
      {0.90, 0.95, 0.04, bench_verdict::faster, known},
  };
  for (const auto& c : cases) {
    headrace::bench_pair pair;
    pair.low = c.low, pair.high = c.high, pair.bounded = true;
    EXPECT_EQ(timing::judge(pair, c.margin), c.verdict) << c.low << " to " << c.high << " of " << c.margin;
    EXPECT_EQ(timing::is_known(pair, c.margin), c.is_known) << c.low << " to " << c.high << " of " << c.margin;
  }
}

TEST(Statistics, APercentileIsTheNearestRank) {
  const std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::pair<double, double> ranks[] = {{0, 1}, {0.1, 1}, {0.11, 2}, {0.5, 5}, {0.75, 8}, {0.99, 10}, {1, 10}};
  for (const auto& [share, value] : ranks) EXPECT_EQ(timing::percentile(ten, share), value) << share;
  EXPECT_EQ(timing::percentile({}, 0.5), 0);
}

TEST(Statistics, OrderRankIsExact) {
  using timing::order_rank;
  EXPECT_EQ(order_rank(7, 0.0125), 0u);   // 2/2^7 = 0.0156
  EXPECT_EQ(order_rank(8, 0.0125), 1u);   // 2/2^8 = 0.0078
  EXPECT_EQ(order_rank(12, 0.0125), 2u);  // 2 (1 + 12)/2^12 = 0.0063; with 66 more 0.039
  EXPECT_EQ(order_rank(60, 0.0125), 20u);
  EXPECT_EQ(order_rank(5, 0.05), 0u);
  EXPECT_EQ(order_rank(6, 0.05), 1u);
  EXPECT_EQ(order_rank(0, 0.05), 0u);
}

TEST(Statistics, IntervalCoversTheMedian) {
  headrace::rng random{29};
  int covered = 0;
  constexpr int trials = 2000;
  for (int i = 0; i < trials; ++i) {
    headrace::bench_result r;
    std::vector<double> ones(24, 1.0);
    for (int k = 0; k < 24; ++k) {  // skewed: a median of 2, a long tail above
      const double u = random.uniform();
      r.rounds.push_back(1 + std::pow(2 * u, 3));
    }
    const auto pair = timing::paired(r, ones);
    covered += pair.low <= 2 && pair.high >= 2;
  }
  EXPECT_GE(covered, trials * 97 / 100);  // nominal for one look: at least 98.75 %
}

// ---- growth

TEST_F(Simulated, GrowthIsRecognised) {
  const struct {
    const char* model;
    double (*time)(double n);
  } cases[] = {
      {"O(1)", [](double) { return 5e4; }},
      {"O(log n)", [](double n) { return 1e4 * std::log2(n); }},
      {"O(n)", [](double n) { return 100 * n; }},
      {"O(n log n)", [](double n) { return 100 * n * std::log2(n); }},
      {"O(n^2)", [](double n) { return 10 * n * n; }},
      {"O(n^3)", [](double n) { return n * n * n; }},
  };
  for (const auto& c : cases) {
    Suite s("growth");
    headrace::rng random{31};
    const auto& g = s.suite.scale("f", {16, 64, 256, 1024}, [&](std::size_t n) {
      take(c.time(static_cast<double>(n)) * (1 + 0.02 * random.uniform()));
    });
    EXPECT_STREQ(g.fits[0].model, c.model);
    EXPECT_LT(g.fits[0].rms, 0.03);
    for (std::size_t i = 1; i < 6; ++i) EXPECT_LE(g.fits[i - 1].rms, g.fits[i].rms);
  }
}

TEST_F(Simulated, GrowthWithPreparedInput) {
  Suite s("growth");
  const auto& g = s.suite.scale(
      "f", {100, 1000, 10000},
      [](std::size_t n) {
        take(5);
        return std::vector<int>(n);
      },
      [](std::vector<int>& v) { take(10.0 * static_cast<double>(v.size())); });
  EXPECT_STREQ(g.fits[0].model, "O(n)");
  EXPECT_NEAR(g.fits[0].factor, 10, 0.1);
  EXPECT_EQ(message_of([&] { s.suite.scale("one", {5}, [](std::size_t) { take(100); }); }),
            "scale(\"one\"): needs two sizes or more, to see how the time grows");
}

// ---- wrong use

TEST_F(Simulated, WrongUseIsASentence) {
  Suite s("errors");
  s.suite.run("f", [] { take(100); });
  EXPECT_EQ(message_of([&] { s.suite.run("f", [] {}); }),
            "\"f\" is already a function of \"errors\": each needs a name of its own");
  EXPECT_EQ(message_of([&] { s.suite.run("", [] {}); }), "a function of \"errors\" has an empty name: give it one");
  EXPECT_EQ(message_of([&] { s.suite.budget(0); }),
            "budget(0): give the seconds per function, more than 0 and less than 1000000");
  EXPECT_EQ(message_of([&] { s.suite.batch(-1, "byte"); }),
            "batch(-1): give the units that one call does, more than 0 and less than 1e+250");
  EXPECT_EQ(message_of([&] { s.suite.batch(1e300, "byte"); }),
            "batch(1e+300): give the units that one call does, more than 0 and less than 1e+250");
  EXPECT_EQ(message_of([&] { s.suite.budget(HUGE_VAL); }),
            "budget(inf): give the seconds per function, more than 0 and less than 1000000");
  EXPECT_EQ(message_of([&] { s.suite.scale("f", {8, 0}, [](std::size_t) {}); }),
            "scale(\"f\"): no curve has a size of 0: measure that by run()");
  EXPECT_EQ(message_of([&] { static_cast<void>(s.suite["g"]); }), "\"g\" is no function of \"errors\"");
  EXPECT_EQ(message_of([&] { static_cast<void>(s.suite[7]); }),
            "result 7 was asked for, and there are 1, counted from 0");
  EXPECT_EQ(s.suite.size(), 1u);
  EXPECT_EQ(s.suite["f"].name, s.suite[0].name);
}

TEST_F(Simulated, WhatAFunctionThrowsPassesThrough) {
  Suite s("throws");
  int calls = 0;
  EXPECT_EQ(message_of([&] {
              s.suite.run("f", [&] {
                take(100);
                if (++calls == 1000) throw std::runtime_error("from inside");
              });
            }),
            "from inside");
  EXPECT_EQ(s.suite.size(), 0u);
  s.suite.run("f", [] { take(100); });  // the name is free again
  EXPECT_EQ(s.suite.size(), 1u);
}

// ---- keep and the random generator

struct point {
  std::string text;
  std::vector<int> numbers;
};
struct shape {
  virtual ~shape() = default;
  virtual int area() const = 0;
};
struct square final : shape {
  int area() const override { return 4; }
};
enum class colour : unsigned char { red };

TEST(Keep, TakesAnything) {
  int i = 1;
  const int ci = 2;
  double d = 3;
  long double ld = 4;
  bool flag = true;
  volatile int v = 5;
  colour c = colour::red;
  point p{"six", {7}};
  square sq;
  const shape& abstract = sq;
  int array[100] = {};
  int (shape::*member)() const = &shape::area;
  keep(i), keep(ci), keep(d), keep(ld), keep(flag), keep(v), keep(c), keep(p), keep(abstract), keep(array),
      keep(member);
  keep(&i), keep(nullptr), keep(5), keep(2.5f), keep(std::string("temporary")), keep(std::make_unique<int>(1));
  keep("literal"), keep(std::vector<bool>(3)), keep(std::puts);
  headrace::clobber();
  EXPECT_EQ(i, 1);
  EXPECT_EQ(d, 3);
  EXPECT_EQ(p.text, "six");
}

TEST(Random, IsTheNamedGenerator) {
  // xoshiro256++ with the state 1, 2, 3, 4 gives 41943041, 58720359, ...; here the state comes from splitmix64(0),
  // whose first output is 0xe220a8397b1dcdaf.
  headrace::rng random{0};
  const auto turn = [](std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); };
  const std::uint64_t s0 = 0xe220a8397b1dcdafu, s3 = 0xf88bb8a8724c81ecu;  // first and fourth of splitmix64(0)
  EXPECT_EQ(random(), turn(s0 + s3, 23) + s0);
}

TEST(Random, BelowIsInRangeAndEven) {
  headrace::rng random{1};
  int counts[10] = {};
  for (int i = 0; i < 100000; ++i) ++counts[random.below(10)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(random.below(0), 0u);
  EXPECT_EQ(random.below(1), 0u);
  for (int i = 0; i < 1000; ++i) {
    const double u = random.uniform();
    EXPECT_TRUE(u >= 0 && u < 1);
  }
}

TEST(Random, ShufflesEveryOrder) {
  headrace::rng random{2};
  std::set<std::string> seen;
  for (int i = 0; i < 500; ++i) {
    std::string text = "abcd";
    random.shuffle(&text[0], text.size());
    seen.insert(text);
  }
  EXPECT_EQ(seen.size(), 24u);
}

// ---- the real clock

bench_verdict verdict_of_three_times_the_work() {
  bench suite{"real"};
  suite.output(nullptr).budget(0.2);
  unsigned seed = 1;
  keep(seed);
  const auto spin = [&](int times) {
    unsigned x = seed;
    for (int i = 0; i < times; ++i) x = x * 1664525u + 1013904223u, keep(x);
    return x;
  };
  suite.run("100", [&] { return spin(100); });
  suite.run("300", [&] { return spin(300); });
  EXPECT_GT(suite["100"].median, 1);
  const auto& c = suite.compare();
  EXPECT_EQ(c.reference, "100");
  EXPECT_EQ(c.pairs.size(), 1u);
  return c.pairs[0].verdict;
}

// Beside other work the samples of a fifth of a second may be too few, or too different, to tell: then nothing is said.
TEST(Real, RunsAndComparesWithinItsBudget) {
  bench_verdict verdict = bench_verdict::unclear;
  for (int again = 0; again < 10 && verdict == bench_verdict::unclear; ++again) {
    verdict = verdict_of_three_times_the_work();
  }
  EXPECT_EQ(verdict, bench_verdict::slower);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHECKED_MEMORY  // each call then really writes its temporaries, and nothing is folded
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CHECKED_MEMORY
#endif
#endif

#if defined(__OPTIMIZE__) && !defined(CHECKED_MEMORY)
// What takes no time, by the suite's own samples. Beside other work on the same core a loop can take half as long again
// all the time that it is looked at.
std::vector<std::string> found_folded() {
  bench suite{"folded"};
  suite.output(nullptr).budget(0.2);
  suite.run("constant", [] { keep(6 * 7); });
  suite.run("unused", [] {
    for (unsigned sum = 0, i = 0; i < 100; ++i) sum = sum * 3 + i;
  });
  double x = 2;
  suite.run("real work", [&] { return std::sqrt(x) / (x + 1) / (x + 2); });
  EXPECT_FALSE(suite["real work"].like_empty);
  EXPECT_FALSE(suite["constant"].unoptimised);
  std::vector<std::string> left_out = suite.compare().left_out;
  EXPECT_EQ(suite["constant"].like_empty + suite["unused"].like_empty, static_cast<int>(left_out.size()));
  return left_out;
}

TEST(Real, FoldedWorkIsFlagged) {
  const std::vector<std::string> expected{"constant", "unused"};
  std::vector<std::string> found = found_folded();
  for (int again = 0; again < 4 && found != expected; ++again) found = found_folded();
  EXPECT_EQ(found, expected);
}
#elif !defined(__OPTIMIZE__)
TEST(Real, MissingOptimisationIsFlagged) {
  bench suite{"debug"};
  suite.output(nullptr).budget(0.1);
  EXPECT_TRUE(suite.run("f", [] { keep(5); }).unoptimised);
}
#endif

}  // namespace
