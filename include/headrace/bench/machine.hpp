// headrace/bench/machine.hpp: the clock, the machine, what of it disturbs times, and its hardware counters: four in one
// group, read together, user mode only, of the calling thread. Not for users.
#pragma once

#include "statistics.hpp"
#include "text.hpp"

#ifdef _WIN32
#include <chrono>
#else
#include <time.h>
#endif

#if defined(__linux__) && __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

HEADRACE_BENCH_INLINE std::uint64_t steady_now() {
#ifdef _WIN32
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
#else
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
#endif
}

struct machine_facts {
  std::string cpu, governor;
  long processors = 0;  // 0: not known
  int turbo = -1;       // -1: not known
  double load = -1;     // runnable threads, mean of the last minute; -1: not known
};

// The rest of the first line of the file that begins with `key`; "" where there is none.
HEADRACE_BENCH_INLINE std::string line_of(const char* path, const char* key = "") {
  std::string found;
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return found;
  char line[512];
  const std::size_t length = strlen(key);
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (strncmp(line, key, length) != 0) continue;
    found = line + length;
    while (!found.empty() && (found.back() == '\n' || found.back() == ' ')) found.pop_back();
    break;
  }
  std::fclose(file);
  return found;
}

HEADRACE_BENCH_INLINE machine_facts inspect_machine() {
  machine_facts facts;
#ifdef __linux__
  facts.cpu = line_of("/proc/cpuinfo", "model name");
  facts.cpu.erase(0, facts.cpu.find_first_not_of("\t :"));
  facts.governor = line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const std::string no_turbo = line_of("/sys/devices/system/cpu/intel_pstate/no_turbo");
  const std::string boost = line_of("/sys/devices/system/cpu/cpufreq/boost");
  if (!no_turbo.empty()) facts.turbo = no_turbo == "0";
  if (!boost.empty()) facts.turbo = boost == "1";
  const std::string load = line_of("/proc/loadavg");
  facts.load = number_in(load.substr(0, load.find(' ')));
#endif
#ifndef _WIN32
  facts.processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
  return facts;
}

HEADRACE_BENCH_INLINE std::vector<std::string> warnings_about(const machine_facts& facts) {
  std::vector<std::string> found;
  if (!facts.governor.empty() && facts.governor != "performance")
    found.push_back(join({"the frequency governor is \"", facts.governor, "\": times move with the clock rate; ",
                          "choose \"performance\" (cpupower frequency-set -g performance)"}));
  if (facts.turbo == 1)
    found.push_back("turbo is on: times depend on heat and on the other cores; switch it off for steady ones");
  if (facts.processors > 0 && facts.load > 0.7 * static_cast<double>(facts.processors))
    found.push_back(
        join({"load average ", fixed(facts.load, 1), " on ", whole(static_cast<std::uint64_t>(facts.processors)),
              " processors: other work disturbs the times; stop it, or trust compare() rather than rows"}));
  return found;
}

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
  // Counts `calls` calls: the result is per call. Absent where the machine has no counters or gave them to somebody
  // else. Measures once, and up to five times while it took less than `room` nanoseconds.
  bench_counters count(task& t, std::size_t calls, clock_function now, double room);

 private:
  bool count_once(task& t, std::size_t calls, clock_function now, double (&counts)[4]);

  Source& source_;
  bool tried_ = false, open_ = false;
};

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
