// headrace/bench/measure.hpp: a suite: what it knows, one function measured for run(), and the rounds of compare(). Not
// for users.
#pragma once

#include "machine.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

inline constexpr std::size_t max_kept = 4096;                     // samples per function
inline constexpr std::size_t max_calls = std::size_t{1} << 26;    // per sample
inline constexpr std::size_t max_samples = std::size_t{1} << 24;  // per run()
inline constexpr std::size_t slot_samples = 32;                   // in one round of compare(), per function
inline constexpr double clock_multiple = 1000;  // a sample lasts this many clock steps: the clock then adds 0.1 %
inline constexpr double min_time = 1e-3;        // nanoseconds; keeps every logarithm finite

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

HEADRACE_BENCH_INLINE void print(const suite_state& s, std::initializer_list<std::string_view> pieces) {
  if (s.out == nullptr) return;
  std::fputs(join(pieces).c_str(), s.out);
  std::fflush(s.out);
}

HEADRACE_BENCH_INLINE void print_warning(const suite_state& s, const std::string& text) {
  print(s, {paint(s.look.colour, "33", join({"  ! ", text})), "\n"});
}

// One line on the terminal's stderr, rewritten at most ten times a second, erased by an empty text.
HEADRACE_BENCH_INLINE void progress(suite_state& s, std::initializer_list<std::string_view> pieces) {
  if (!s.look.progress) return;
  const std::uint64_t now = steady_now();
  const bool erase = pieces.size() == 0;
  if (erase ? s.progress_at == 0 : s.progress_at != 0 && now - s.progress_at < 100000000u) return;
  s.progress_at = erase ? 0 : now;
  std::fprintf(stderr, "\r\033[K%s", join(pieces).c_str());
  std::fflush(stderr);
}

// Erases the line of progress at the end of its scope, also where a function that is measured throws.
struct progress_scope {
  suite_state& suite;
  ~progress_scope() { progress(suite, {}); }
};

HEADRACE_BENCH_INLINE double elapsed(const suite_state& s, std::uint64_t since) {
  return static_cast<double>(s.now() - since);
}

// The smallest step between two readings, and what one reading costs.
HEADRACE_BENCH_INLINE void measure_clock(suite_state& s) {
  constexpr std::size_t pairs = 501, patience = 1000000;
  std::vector<double> costs;
  double smallest = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint64_t first = s.now();
    std::uint64_t next = s.now();
    costs.push_back(static_cast<double>(next - first));
    for (std::size_t k = 0; next == first && k < patience / pairs; ++k) next = s.now();
    const auto step = static_cast<double>(next - first);
    if (step > 0 && (smallest <= 0 || step < smallest)) smallest = step;
  }
  if (smallest <= 0)
    give_up({"the clock of \"", s.title, "\" stands still: clock() needs one that counts nanoseconds"});
  s.resolution = smallest;
  s.overhead = median_of(costs);
}

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

// The time budget's parts: a quarter for run(), the rest for compare(). Nanoseconds.
HEADRACE_BENCH_INLINE double row_budget(const suite_state& s) { return s.seconds * 1e9 / 4; }
HEADRACE_BENCH_INLINE double slot_budget(const suite_state& s) {
  return s.seconds * 1e9 * 3 / 4 / static_cast<double>(judged_after[judgement_count - 1]);
}

HEADRACE_BENCH_INLINE double sample_of(const suite_state& s, task& t, std::size_t calls) {
  auto took = static_cast<double>(t.time(calls, s.now)) / static_cast<double>(calls);
  if (t.singly) took -= s.overhead;
  return took > min_time ? took : min_time;
}

// More calls per sample, so that it lasts at least the target; false where the limit or the budget stops it.
HEADRACE_BENCH_INLINE bool sampler::grow(double took) {
  if (calls_ >= max_calls) return false;
  const double wanted = took > 0 ? target_ * 1.2 / took : 16;
  const double factor = wanted > 16 ? 16 : wanted < 2 ? 2 : wanted;
  if (wall_ * factor > row_budget(s_) / 32) return false;
  const auto more = static_cast<std::size_t>(static_cast<double>(calls_) * factor);
  calls_ = more < max_calls ? more : max_calls;
  return true;
}

// The first call is apart: it loads pages, fills caches, and may initialise something once. A later sample that comes
// out short (a cold second call had set the number of calls) starts the samples again with more calls.
HEADRACE_BENCH_INLINE void sampler::measure() {
  t_.result.first = static_cast<double>(t_.time(1, s_.now));
  const double warm = row_budget(s_) / 8;
  for (bool sized = elapsed(s_, begin_) > row_budget(s_); !sized || elapsed(s_, begin_) < warm;) {
    const std::uint64_t begin = s_.now();
    const auto took = static_cast<double>(t_.time(calls_, s_.now));
    wall_ = elapsed(s_, begin);
    sized = took >= target_ || !grow(took);
  }
  take_samples();
  conclude();
}

HEADRACE_BENCH_INLINE void sampler::take_samples() {
  bench_result& r = t_.result;
  while (r.samples < 3 || (elapsed(s_, begin_) < row_budget(s_) && r.samples < max_samples)) {
    if (s_.look.progress) progress(s_, {r.name, ": ", whole(r.samples), " samples"});
    const std::uint64_t begin = s_.now();
    const double value = sample_of(s_, t_, calls_);
    wall_ = elapsed(s_, begin);
    const double took = value * static_cast<double>(calls_);
    if (too_short(took) && grow(took)) {
      r.samples = 0;
      r.values.clear();
      sum_ = walls_ = 0;
      continue;
    }
    walls_ += wall_;
    keep_sample(value);
  }
}

// A uniform choice of at most 4096 of all samples: algorithm R (Vitter, "Random sampling with a reservoir", 1985).
HEADRACE_BENCH_INLINE void sampler::keep_sample(double value) {
  bench_result& r = t_.result;
  ++r.samples;
  sum_ += value;
  r.min = r.samples == 1 || value < r.min ? value : r.min;
  r.max = r.samples == 1 || value > r.max ? value : r.max;
  if (r.values.size() < max_kept) {
    r.values.push_back(value);
    return;
  }
  const std::uint64_t place = s_.random.below(r.samples);
  if (place < max_kept) r.values[static_cast<std::size_t>(place)] = value;
}

HEADRACE_BENCH_INLINE void sampler::conclude() {
  bench_result& r = t_.result;
  r.calls = calls_;
  r.mean = sum_ / static_cast<double>(r.samples);
  t_.wall = walls_ / static_cast<double>(r.samples) / static_cast<double>(calls_);
  sort(r.values.data(), r.values.size());
  r.median = middle(r.values.data(), r.values.size());
  r.p75 = percentile(r.values, 0.75);
  r.p99 = percentile(r.values, 0.99);
  std::vector<double> off;
  for (const double value : r.values) off.push_back(__builtin_fabs(value - r.median) / r.median);
  r.error = median_of(off);
  const double step = s_.resolution > s_.overhead ? s_.resolution : s_.overhead;
  r.below_clock = (t_.singly ? r.median : r.median * static_cast<double>(calls_)) < 10 * step;
  if (!t_.singly) check_against_empty_loop();
  if (s_.consult && !t_.singly) r.counters = s_.counters.count(t_, calls_, s_.now, row_budget(s_) / 4);
}

// Where the function is no slower than the loop around it, there is nothing left of it to measure. The shortest sample
// of each, taken in turn: what else the machine does makes some samples longer and none shorter.
HEADRACE_BENCH_INLINE void sampler::check_against_empty_loop() {
  if (t_.result.median > 20) return;  // no empty loop takes so long, optimised or not
  const auto nothing = [this] { return static_cast<double>(t_.time_nothing(calls_, s_.now)); };
  const auto function = [this] { return static_cast<double>(t_.time(calls_, s_.now)); };
  double shortest = function(), shortest_empty = nothing();
  for (int i = 0; i < 11; ++i) {
    const double sample = function(), empty_sample = nothing();
    if (sample < shortest) shortest = sample;
    if (empty_sample < shortest_empty) shortest_empty = empty_sample;
  }
  t_.result.like_empty = shortest <= 1.25 * shortest_empty;
}

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

// One function's part of a round: the median of a few samples in a row, the first of them left out if they are cheap.
HEADRACE_BENCH_INLINE double time_slot(const suite_state& s, task& t) {
  const double room = slot_budget(s);
  const double wanted = room / static_cast<double>(slot_samples) / (t.wall > min_time ? t.wall : min_time);
  std::size_t calls = static_cast<std::size_t>(t.result.calls);
  if (wanted > static_cast<double>(calls)) calls = wanted < max_calls ? static_cast<std::size_t>(wanted) : max_calls;
  const double fit = room / (t.wall * static_cast<double>(calls) + min_time);
  const std::size_t count = fit >= slot_samples ? slot_samples : fit >= 2 ? static_cast<std::size_t>(fit) : 1;
  if (count >= 4) sample_of(s, t, calls);
  double values[slot_samples];
  for (std::size_t i = 0; i < count; ++i) values[i] = sample_of(s, t, calls);
  sort(values, count);
  return middle(values, count);
}

HEADRACE_BENCH_INLINE task* find_task(const suite_state& s, std::string_view name) {
  for (task* t : s.tasks)
    if (t->result.name == name) return t;
  return nullptr;
}

// Chooses who takes part, and the reference: by name, or the fastest of the first measurement, whose samples are not
// used again: choosing the fastest by the rounds themselves would favour the lucky one.
HEADRACE_BENCH_INLINE void race::enter() {
  bench_comparison& c = s_.comparison;
  c.reference.clear();
  c.pairs.clear();
  c.left_out.clear();
  for (task* t : s_.tasks) {
    if (!t->compared) continue;
    t->result.rounds.clear();
    t->spent = 0;
    if (t->result.like_empty) c.left_out.push_back(t->result.name);
    else running_.push_back(t);
  }
  if (running_.size() < 2) return running_.clear();
  if (!s_.baseline.empty()) {
    reference_ = find_task(s_, s_.baseline);
    if (reference_ == nullptr)
      give_up(
          {"the baseline \"", s_.baseline, "\" is no function of \"", s_.title, "\": run() it, or name one that was"});
  }
  std::size_t at = 0;
  for (std::size_t i = 1; i < running_.size(); ++i) {
    const bool better =
        reference_ != nullptr ? running_[i] == reference_ : running_[i]->result.median < running_[at]->result.median;
    if (better) at = i;
  }
  if (reference_ != nullptr && !reference_->compared)
    give_up({"the baseline \"", s_.baseline, "\" is of scale(), which is not compared: name a function of run()"});
  if (reference_ != nullptr && running_[at] != reference_)
    give_up({"the baseline \"", s_.baseline, "\" has nothing to measure: choose another, or keep() its work"});
  std::swap(running_[0], running_[at]);
  reference_ = running_[0];
  c.reference = reference_->result.name;
}

HEADRACE_BENCH_INLINE void race::run_round() {
  std::vector<task*> order{nullptr};  // the twin
  for (task* t : running_) order.push_back(t);
  s_.random.shuffle(order.data(), order.size());
  for (task* t : order) {
    progress(s_, {"compare: round ", whole(done_ + 1), " of at most ", whole(judged_after[judgement_count - 1]), ", ",
                  whole(running_.size() - 1), " pairs open"});
    const std::uint64_t begin = s_.now();
    const double value = time_slot(s_, t == nullptr ? *reference_ : *t);
    if (t != nullptr) t->spent += elapsed(s_, begin);
    (t == nullptr ? twin_ : t->result).rounds.push_back(value);
  }
  ++done_;
}

HEADRACE_BENCH_INLINE void race::judge_twin() {
  bench_comparison& c = s_.comparison;
  c.twin = paired(twin_, reference_->result.rounds);
  c.margin = margin_of(c.twin);
  c.twin.name = reference_->result.name;
  c.twin.verdict = judge(c.twin, c.margin);
}

HEADRACE_BENCH_INLINE bench_pair race::judge_pair(const task& t) {
  bench_comparison& c = s_.comparison;
  bench_pair pair = paired(t.result, reference_->result.rounds);
  pair.verdict = judge(pair, c.margin);
  for (bench_pair& old : c.pairs)
    if (old.name == pair.name) return old = pair;
  c.pairs.push_back(pair);
  return pair;
}

HEADRACE_BENCH_INLINE bool race::judge_all() {
  judge_twin();
  std::vector<task*> open{reference_};
  for (std::size_t i = 1; i < running_.size(); ++i)
    if (!is_known(judge_pair(*running_[i]), s_.comparison.margin)) open.push_back(running_[i]);
  running_.swap(open);
  return running_.size() == 1;
}

// Another round would go beyond the function's time budget. It gets the rounds that an interval needs even so, unless
// a single call takes longer than the whole budget.
HEADRACE_BENCH_INLINE bool race::is_late(const task& t) const {
  const double allowed = slot_budget(s_) * static_cast<double>(judged_after[judgement_count - 1]);
  const bool over = t.spent * static_cast<double>(done_ + 1) > allowed * static_cast<double>(done_);
  return over && (done_ >= min_rounds || t.wall > s_.seconds * 1e9);
}

// A late function is judged by what it has, and leaves; without the reference there is nothing left to compare with.
HEADRACE_BENCH_INLINE bool race::drop_late() {
  if (is_late(*reference_)) {
    judge_all();
    return true;
  }
  std::vector<task*> open{reference_};
  for (std::size_t i = 1; i < running_.size(); ++i) {
    if (!is_late(*running_[i])) {
      open.push_back(running_[i]);
      continue;
    }
    judge_twin();
    judge_pair(*running_[i]);
  }
  running_.swap(open);
  return running_.size() == 1;
}

// From fast to slow; pairs are few.
HEADRACE_BENCH_INLINE void sort_by_ratio(std::vector<bench_pair>& pairs) {
  for (std::size_t i = 1; i < pairs.size(); ++i)
    for (std::size_t j = i; j > 0 && pairs[j].ratio < pairs[j - 1].ratio; --j) std::swap(pairs[j], pairs[j - 1]);
}

HEADRACE_BENCH_INLINE void race::run() {
  enter();
  if (running_.empty()) return;
  go();
  sort_by_ratio(s_.comparison.pairs);
}

HEADRACE_BENCH_INLINE void race::go() {
  for (const std::size_t look : judged_after) {
    while (done_ < look) {
      run_round();
      if (done_ < look && drop_late()) return;
    }
    if (judge_all()) return;
  }
}

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
