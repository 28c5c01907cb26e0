// headrace/bench/rounds.hpp: compare(): rounds in shuffled order, until each verdict is known or the time is
// used up. Not for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

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
