// headrace/bench/counters.hpp: hardware counters, four in one group: read together, user mode only, of the
// calling thread. Not for users.
#pragma once

#include "suite.hpp"

#if defined(__linux__) && __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

template <class Source>
bench_counters counter_group<Source>::count(task& t, std::size_t calls, clock_function now, double room) {
  constexpr std::size_t times = 5;
  bench_counters found;
  std::vector<double> each[4];
  if (!tried_) open_ = source_.open();
  tried_ = true;
  const std::uint64_t begin = now();
  for (std::size_t i = 0; open_ && i < times && (i == 0 || static_cast<double>(now() - begin) < room); ++i) {
    double with[4], without[4];
    if (!count_once(t, calls, now, with) || !count_once(t, 0, now, without)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const double more = with[k] - without[k];
      each[k].push_back((more > 0 ? more : 0) / static_cast<double>(calls));
    }
  }
  found.present = !each[0].empty();
  found.cycles = median_of(each[0]);
  found.instructions = median_of(each[1]);
  found.branches = median_of(each[2]);
  found.branch_misses = median_of(each[3]);
  return found;
}

// Counts that ran for part of the time are scaled up to all of it; for less than half of it they are dropped.
template <class Source>
bool counter_group<Source>::count_once(task& t, std::size_t calls, clock_function now, double (&counts)[4]) {
  counter_snapshot before, after;
  if (!source_.read(before)) return false;
  source_.enable();
  t.time(calls, now);
  source_.disable();
  if (!source_.read(after)) return false;
  const auto enabled = static_cast<double>(after.enabled - before.enabled);
  const auto running = static_cast<double>(after.running - before.running);
  if (running <= 0 || 2 * running < enabled) return false;
  for (std::size_t k = 0; k < 4; ++k)
    counts[k] = static_cast<double>(after.values[k] - before.values[k]) * (enabled / running);
  return true;
}

#if defined(__linux__) && __has_include(<linux/perf_event.h>)
HEADRACE_BENCH_INLINE bool perf_events::open() {
  const std::uint64_t events[4] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                   PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES};
  for (std::size_t k = 0; k < 4; ++k) {
    perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    event.type = PERF_TYPE_HARDWARE;
    event.config = events[k];
    event.disabled = k == 0;  // the others follow the first
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    files_[k] = static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, files_[0], PERF_FLAG_FD_CLOEXEC));
    if (files_[k] < 0) {
      close_all();
      return false;
    }
  }
  return true;
}

HEADRACE_BENCH_INLINE void perf_events::close_all() {
  for (int& file : files_) {
    if (file >= 0) ::close(file);
    file = -1;
  }
}

HEADRACE_BENCH_INLINE void perf_events::enable() { ioctl(files_[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP); }
HEADRACE_BENCH_INLINE void perf_events::disable() { ioctl(files_[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP); }

HEADRACE_BENCH_INLINE bool perf_events::read(counter_snapshot& now) {
  struct {
    std::uint64_t number, enabled, running, values[4];
  } group{};
  if (::read(files_[0], &group, sizeof group) != static_cast<long>(sizeof group) || group.number != 4) return false;
  now.enabled = group.enabled;
  now.running = group.running;
  for (std::size_t k = 0; k < 4; ++k) now.values[k] = group.values[k];
  return true;
}
#else

HEADRACE_BENCH_INLINE bool perf_events::open() { return false; }
HEADRACE_BENCH_INLINE void perf_events::close_all() {}
HEADRACE_BENCH_INLINE void perf_events::enable() {}
HEADRACE_BENCH_INLINE void perf_events::disable() {}
HEADRACE_BENCH_INLINE bool perf_events::read(counter_snapshot&) { return false; }
#endif

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
