// headrace/bench/suite.hpp: the member functions of a suite. Not for users.
#pragma once

#include "report.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {

HEADRACE_BENCH_INLINE const char* to_string(bench_verdict verdict) noexcept {
  const char* const words[] = {"faster", "slower", "same", "detectable but small", "cannot tell apart"};
  return words[static_cast<unsigned>(verdict)];
}

HEADRACE_BENCH_INLINE bench::bench(std::string_view title) : state_(nullptr) {
  double seconds = 0;
  if (detail::timing::is_set("HEADRACE_BENCH_SECONDS")) {
    const char* const text = getenv("HEADRACE_BENCH_SECONDS");
    seconds = detail::timing::number_in(text);
    if (!(seconds > 0 && seconds < 1e6))
      detail::timing::give_up({"HEADRACE_BENCH_SECONDS is \"", text,
                               "\": give the seconds per function, more than 0 and less than 1000000, as in 0.5"});
  }
  state_ = new detail::timing::suite_state;
  state_->title = title;
  state_->look = detail::timing::look_of(state_->out);
  state_->seconds_fixed = seconds > 0;
  if (seconds > 0) state_->seconds = seconds;
}

HEADRACE_BENCH_INLINE bench::~bench() { delete state_; }

HEADRACE_BENCH_INLINE bench& bench::budget(double seconds) {
  if (!(seconds > 0 && seconds < 1e6))
    detail::timing::give_up({"budget(", detail::timing::digits(seconds, 6),
                             "): give the seconds per function, more than 0 and less than 1000000"});
  if (!state_->seconds_fixed) state_->seconds = seconds;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::batch(double units, std::string_view unit) {
  if (!(units > 0 && units < 1e250))  // units per second stay finite
    detail::timing::give_up({"batch(", detail::timing::digits(units, 6),
                             "): give the units that one call does, more than 0 and less than 1e+250"});
  state_->batch = units;
  state_->unit = unit;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::baseline(std::string_view name) {
  state_->baseline = name;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::seed(std::uint64_t value) {
  state_->seed = value;
  state_->random = rng{value};
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::output(std::FILE* file) {
  state_->out = file;
  state_->look = detail::timing::look_of(file);
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::look(bench_look how) {
  state_->look = how;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::machine(bool consult) {
  state_->consult = consult;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::clock(std::uint64_t (*now)()) {
  state_->now = now;
  state_->resolution = 0;
  return *this;
}

HEADRACE_BENCH_INLINE const bench_result& bench::measure(detail::timing::task* owned, std::string_view name,
                                                         std::uint64_t n) {
  struct holder {  // deletes the function if it throws
    detail::timing::task* held;
    ~holder() { delete held; }
  } guard{owned};
  detail::timing::suite_state& s = *state_;
  if (name.empty()) detail::timing::give_up({"a function of \"", s.title, "\" has an empty name: give it one"});
  bench_result& r = owned->result;
  r.name = name;
  if (n != 0) r.name.append("/").append(detail::timing::whole(n));
  if (detail::timing::find_task(s, r.name) != nullptr)
    detail::timing::give_up(
        {"\"", r.name, "\" is already a function of \"", s.title, "\": each needs a name of its own"});
  if (s.resolution <= 0) detail::timing::measure_clock(s);
  detail::timing::introduce(s);
  r.unit = s.unit;
  r.batch = s.batch;
  r.size = n;
  owned->compared = n == 0;
  {
    const detail::timing::progress_scope line{s};
    detail::timing::sampler(s, *owned).measure();
  }
  s.tasks.push_back(owned);
  guard.held = nullptr;
  detail::timing::print_row(s, r);
  return r;
}

HEADRACE_BENCH_INLINE void bench::check_sizes(std::string_view name, std::initializer_list<std::size_t> sizes) {
  for (const std::size_t n : sizes)
    if (n == 0) detail::timing::give_up({"scale(\"", name, "\"): no curve has a size of 0: measure that by run()"});
}

HEADRACE_BENCH_INLINE const bench_growth& bench::grow(std::string_view name) {
  using namespace detail::timing;
  std::vector<double> sizes, times;
  for (const task* t : state_->tasks) {
    const bench_result& r = t->result;
    if (r.size == 0 || r.name != join({name, "/", whole(r.size)})) continue;
    sizes.push_back(static_cast<double>(r.size));
    times.push_back(r.median);
  }
  if (sizes.size() < 2) give_up({"scale(\"", name, "\"): needs two sizes or more, to see how the time grows"});
  auto* const entry = *state_->growths_end = new growth_entry;
  state_->growths_end = &entry->next;
  entry->growth.name = name;
  fit_all(entry->growth, sizes, times);
  print_growth(*state_, entry->growth);
  return entry->growth;
}

HEADRACE_BENCH_INLINE const bench_comparison& bench::compare() {
  {
    const detail::timing::progress_scope line{*state_};
    detail::timing::race(*state_).run();
  }
  detail::timing::print_comparison(*state_);
  return state_->comparison;
}

HEADRACE_BENCH_INLINE std::size_t bench::size() const noexcept { return state_->tasks.size(); }

HEADRACE_BENCH_INLINE const bench_result& bench::operator[](std::size_t index) const {
  if (index >= size())
    detail::timing::give_up({"result ", detail::timing::whole(index), " was asked for, and there are ",
                             detail::timing::whole(size()), ", counted from 0"});
  return state_->tasks[index]->result;
}

HEADRACE_BENCH_INLINE const bench_result& bench::operator[](std::string_view name) const {
  const detail::timing::task* const found = detail::timing::find_task(*state_, name);
  if (found == nullptr) detail::timing::give_up({"\"", name, "\" is no function of \"", state_->title, "\""});
  return found->result;
}

HEADRACE_BENCH_INLINE void bench::save(const std::string& path) const {
  const auto ends = [&path](const char* with) {
    const std::size_t length = strlen(with);
    return path.size() > length && path.compare(path.size() - length, length, with) == 0;
  };
  if (!ends(".json") && !ends(".csv") && !ends(".md"))
    detail::timing::give_up({"save(\"", path, "\"): the ending says what to write: .json, .csv or .md"});
  const std::string text = ends(".json") ? json() : ends(".csv") ? csv() : markdown();
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good = file != nullptr && std::fclose(file) == 0 && good;
  if (!good) detail::timing::give_up({"cannot write \"", path, "\": check that its folder exists and has room"}, false);
}

}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
