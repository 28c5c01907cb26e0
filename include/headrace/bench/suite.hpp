// headrace/bench/suite.hpp: what a suite consists of: constants, classes, and declarations of the functions that
// the files at its end define. Not for users.
#pragma once

#include "../bench.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

constexpr std::size_t max_kept = 4096;                     // samples per function
constexpr std::size_t max_calls = std::size_t{1} << 26;    // per sample
constexpr std::size_t max_samples = std::size_t{1} << 24;  // per run()
constexpr std::size_t slot_samples = 32;                   // in one round of compare(), per function
constexpr std::size_t judged_after[] = {12, 24, 36, 60};   // rounds after which pairs are judged
constexpr std::size_t judgement_count = sizeof judged_after / sizeof *judged_after;
constexpr double judgement_alpha = 0.05 / static_cast<double>(judgement_count);  // Bonferroni: all together share 5 %
constexpr std::size_t min_rounds = 8;                                            // fewer give no interval at this level
constexpr double min_margin = 0.01;
constexpr double max_same_margin = 0.05;  // a reference that differs more from itself cannot show that two are the same
constexpr double clock_multiple = 1000;   // a sample lasts this many clock steps: the clock then adds 0.1 %
constexpr double min_time = 1e-3;         // nanoseconds; keeps every logarithm finite

// ---- pure functions, each group in the file that it names

// errors.hpp
[[noreturn]] void give_up(std::initializer_list<std::string_view> pieces, bool misused = true);

// statistics.hpp
void sort(double* first, std::size_t count);
double middle(const double* sorted, std::size_t count);
double median_of(std::vector<double>& values);
double percentile(const std::vector<double>& sorted, double share);
std::size_t order_rank(std::size_t n, double alpha);

// verdicts.hpp
bench_pair paired(const bench_result& mine, const std::vector<double>& other);
double margin_of(const bench_pair& twin);
double same_margin(double margin);
bench_verdict judge(const bench_pair& pair, double margin);
bool is_known(const bench_pair& pair, double margin);

// growth.hpp
bench_fit fit(std::size_t which, const std::vector<double>& sizes, const std::vector<double>& times);
void fit_all(bench_growth& g, const std::vector<double>& sizes, const std::vector<double>& times);

// text.hpp
// Pieces of text in a row.
std::string join(std::initializer_list<std::string_view> pieces);
std::size_t width_of(const std::string& text);
std::string left(std::string text, std::size_t width);
std::string right(std::string text, std::size_t width);
double number_in(std::string text);
std::string fixed(double value, int decimals);
std::string digits(double value, int significant);
std::string whole(std::uint64_t value);
std::string duration(double ns, bool unicode);
std::string rate(double a_second, const std::string& unit);
std::string percent(double share);
std::string paint(bool colour, const char* code, std::string_view text);

// ---- the machine: machine.hpp, clock.hpp

struct machine_facts {
  std::string cpu, governor;
  long processors = 0;  // 0: not known
  int turbo = -1;       // -1: not known
  double load = -1;     // runnable threads, mean of the last minute; -1: not known
};

machine_facts inspect_machine();
std::vector<std::string> warnings_about(const machine_facts& facts);
std::uint64_t steady_now();  // nanoseconds of the clock that is used unless a suite gets another

// ---- hardware counters: counters.hpp

// Running totals. The kernel shares counters out in turns when too many are wanted: `running` is the part of `enabled`,
// both nanoseconds, in which these counted. Neither can be set back, so only differences of two snapshots mean
// anything.
struct counter_snapshot {
  std::uint64_t enabled = 0, running = 0, values[4] = {};  // cycles, instructions, branches, missed branches
};

// Where the totals come from: the kernel. A test has a source of its own.
class perf_events {
 public:
  perf_events() = default;
  perf_events(const perf_events&) = delete;
  perf_events& operator=(const perf_events&) = delete;
  ~perf_events() { close_all(); }
  bool open();  // false: none here
  void enable();
  void disable();
  bool read(counter_snapshot& now);

 private:
  void close_all();
#if defined(__linux__)
  int files_[4] = {-1, -1, -1, -1};
#endif
};

template <class Source>
class counter_group {
 public:
  explicit counter_group(Source& source) : source_(source) {}
  // What `calls` calls counted, per call. Absent where the machine has no counters or gave them to somebody else.
  // Measures once, and up to five times while it took less than `room` nanoseconds.
  bench_counters count(task& t, std::size_t calls, clock_function now, double room);

 private:
  bool count_once(task& t, std::size_t calls, clock_function now, double (&counts)[4]);

  Source& source_;
  bool tried_ = false, open_ = false;
};

// ---- a suite

struct growth_entry {
  bench_growth growth;
  growth_entry* next = nullptr;
};

struct suite_state {
  std::string title, unit = "op", baseline;
  double batch = 1, seconds = 2;  // seconds: per function
  bool seconds_fixed = false;     // by the environment
  bool consult = true, introduced = false;
  std::uint64_t seed = 1;
  rng random;
  std::FILE* out = stdout;
  bench_look look;
  clock_function now = steady_now;
  double resolution = 0, overhead = 0;  // of the clock, nanoseconds; 0: not measured yet
  machine_facts machine;
  std::vector<std::string> warnings;
  perf_events events;
  counter_group<perf_events> counters{events};
  std::vector<task*> tasks;
  growth_entry *growths = nullptr, **growths_end = &growths;
  bench_comparison comparison;
  std::string columns;  // the table head printed last
  std::uint64_t progress_at = 0;

  suite_state() = default;
  suite_state(const suite_state&) = delete;
  suite_state& operator=(const suite_state&) = delete;
  ~suite_state() {
    for (task* t : tasks) delete t;
    for (growth_entry* g = growths; g != nullptr;) {
      growth_entry* const next = g->next;
      delete g;
      g = next;
    }
  }
};

// Measures one function for run(): sampler.hpp.
class sampler {
 public:
  sampler(suite_state& s, task& t) : s_(s), t_(t), begin_(s.now()), target_(clock_multiple * s.resolution) {}
  void measure();

 private:
  bool too_short(double took) const { return 2 * took < target_; }
  bool grow(double took);
  void take_samples();
  void keep_sample(double value);
  void conclude();
  void check_against_empty_loop();

  suite_state& s_;
  task& t_;
  std::uint64_t begin_;
  double target_, wall_ = 0, walls_ = 0, sum_ = 0;
  std::size_t calls_ = 1;
};

// The rounds of compare(): rounds.hpp.
class race {
 public:
  explicit race(suite_state& s) : s_(s) {}
  void run();

 private:
  void enter();
  void run_round();
  void go();
  bool judge_all();  // true when every verdict is known
  void judge_twin();
  bench_pair judge_pair(const task& t);
  bool is_late(const task& t) const;
  bool drop_late();  // true when nobody is left to run

  suite_state& s_;
  task* reference_ = nullptr;
  bench_result twin_;           // the reference's second appearance in each round
  std::vector<task*> running_;  // the reference first; a decided function leaves
  std::size_t done_ = 0;
};

// ---- functions of a suite

// clock.hpp
double elapsed(const suite_state& s, std::uint64_t since);
void measure_clock(suite_state& s);

// terminal.hpp
bool is_set(const char* variable);
bench_look look_of(std::FILE* file);
void print(const suite_state& s, std::initializer_list<std::string_view> pieces);
void print_warning(const suite_state& s, const std::string& text);
void progress(suite_state& s, std::initializer_list<std::string_view> pieces);
// Erases the line of progress at the end of its scope, also where a function that is measured throws.
struct progress_scope {
  suite_state& suite;
  ~progress_scope() { progress(suite, {}); }
};

// sampler.hpp
double slot_budget(const suite_state& s);
double sample_of(const suite_state& s, task& t, std::size_t calls);

// rounds.hpp
task* find_task(const suite_state& s, std::string_view name);

// table.hpp
std::string ratio_text(const bench_pair& pair, bool inverse);
void introduce(suite_state& s);
std::vector<std::string> warnings_about(const bench_result& r);
void print_row(suite_state& s, const bench_result& r);
void print_comparison(const suite_state& s);
void print_growth(const suite_state& s, const bench_growth& g);

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace

#include "clock.hpp"
#include "counters.hpp"
#include "errors.hpp"
#include "growth.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "members.hpp"
#include "rounds.hpp"
#include "sampler.hpp"
#include "statistics.hpp"
#include "table.hpp"
#include "csv_markdown.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verdicts.hpp"
