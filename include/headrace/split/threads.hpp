// headrace/split/threads.hpp: how many threads there may be, and running work on them. Not for users.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

#include "../split.hpp"
#include "../detail/file.hpp"

#if HEADRACE_THREADS
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_HAS_GTHREADS)
#error "this C++ library has no std::thread: compile with -DHEADRACE_THREADS=0"
#endif
#endif
#if defined(__cpp_exceptions)
#include <exception>
#endif
#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// ---- how many ----

// The start of a small file of the system's; empty where it cannot be read.
inline std::string read_small_file(const std::string& path) {
  char text[4096];
  const int descriptor = open_file(path.c_str(), open_mode::read);
  if (descriptor < 0) return {};
  const transfer got = read_some(descriptor, text, sizeof text);
  close_file(descriptor);
  return std::string(text, got.size);
}

// Processors that a quota allows, rounded up; 0: no limit. "200000 100000", "max 100000", or quota and period of their
// own files, of which the quota is -1 where there is none.
inline unsigned processors_of(std::string_view quota, std::string_view period) noexcept {
  const auto number = [](std::string_view text) {
    std::uint64_t value = 0;
    for (const char byte : text) {
      if (byte < '0' || byte > '9' || value > ~std::uint64_t(0) / 100) return std::uint64_t(0);
      value = value * 10 + static_cast<std::uint64_t>(byte - '0');
    }
    return value;
  };
  const std::uint64_t time = number(quota), each = number(period);
  if (time == 0 || each == 0) return 0;
  return static_cast<unsigned>((time + each - 1) / each);
}

// The least quota of a control group and of those that it is in. `groups` is what /proc/self/cgroup says, "0::/a/b"
// (one hierarchy) or "4:cpu,cpuacct:/a/b" lines; `root` is where the file system of the groups is. In a container the
// path may be one that is outside: then only the root is there. 0: no limit.
inline unsigned find_quota(std::string_view groups, const std::string& root) {
  const auto line_of = [](const std::string& path) {
    const std::string text = read_small_file(path);
    return text.substr(0, text.find('\n'));
  };
  const auto look_into = [&](const std::string& folder) {
    const std::string both = line_of(folder + "/cpu.max");
    const std::size_t space = both.find(' ');
    if (space != both.npos) return processors_of(both.substr(0, space), both.substr(space + 1));
    return processors_of(line_of(folder + "/cpu.cfs_quota_us"), line_of(folder + "/cpu.cfs_period_us"));
  };
  unsigned least = 0;
  while (!groups.empty()) {
    const std::string_view line = groups.substr(0, groups.find('\n'));
    groups.remove_prefix(line.size() == groups.size() ? line.size() : line.size() + 1);
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool has_cpu = (',' + std::string(controllers) + ',').find(",cpu,") != std::string::npos;
    if (!controllers.empty() && !has_cpu) continue;
    const std::string top = controllers.empty() ? root : root + '/' + std::string(controllers);
    for (std::string path(line.substr(second + 1));; path.erase(path.rfind('/'))) {
      const unsigned found = look_into(top + path);
      if (found != 0 && (least == 0 || found < least)) least = found;
      if (path.find('/') == path.npos) break;
    }
  }
  return least;
}

// The processors of this process's affinity; where the system does not tell them, those that are on line.
inline unsigned count_processors() noexcept {
#if !HEADRACE_THREADS
  return 1;
#else
#if defined(__linux__)
  cpu_set_t sets[8];  // of 1024 processors each
  if (::sched_getaffinity(0, sizeof sets, sets) == 0) return static_cast<unsigned>(CPU_COUNT_S(sizeof sets, sets));
  const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
#else
  const unsigned count = std::thread::hardware_concurrency();
#endif
  return count <= 0 ? 1 : static_cast<unsigned>(count);
#endif
}

// Threads for so many pieces of work.
inline unsigned threads_for(threads wish, std::uint64_t pieces) noexcept {
  if (pieces <= 1) return 1;
#if HEADRACE_THREADS
  const unsigned count = wish.count == 0 ? available_threads() : wish.count;
#else
  const unsigned count = wish.count == 0 ? 1 : 1;
#endif
  return pieces < count ? static_cast<unsigned>(pieces) : count;
}

// ---- what a thread threw ----

#if defined(__cpp_exceptions)
class caught {
 public:
  // Runs an action; what it throws is kept.
  template <class Action>
  void by(Action action) noexcept {
    try {
      action();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
  explicit operator bool() const noexcept { return thrown_ != nullptr; }
  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  std::exception_ptr thrown_;
};
#else
class caught {  // an error has printed its line and aborted
 public:
  template <class Action>
  void by(Action action) noexcept {
    action();
  }
  explicit operator bool() const noexcept { return false; }
  void rethrow() const noexcept {}
};
#endif

// ---- threads and their turns ----

#if HEADRACE_THREADS

// Leaves the processor to its other thread for a moment, some forty cycles or up to 140.
inline void pause_spinning() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Runs work(i), which throws nothing, for i = 0 here and for 1 to count - 1 on other threads, and waits for all. Those
// that the system does not start are left out: the work has to be such that one thread is enough.
template <class Work>
void run_on_threads(unsigned count, const Work& work) {
  std::vector<std::thread> others;
  const auto start = [&] {
    others.reserve(count - 1);
    for (unsigned i = 1; i < count; ++i) others.emplace_back([&work, i] { work(i); });
  };
  caught refused;
  if (count > 1) refused.by(start);
  work(0u);
  for (std::thread& other : others) other.join();
}

// Pieces of work, which threads take one after the other. What each did counts in that order.
class turns {
 public:
  explicit turns(std::size_t pieces) noexcept : pieces_(pieces) {}

  // The next piece that nobody has; false: there is none, or the work is over.
  bool take(std::size_t& piece) noexcept {
    if (stopped_.load(std::memory_order_relaxed)) return false;
    piece = next_.fetch_add(1, std::memory_order_relaxed);
    return piece < pieces_;
  }
  // Until all pieces before this one have had their turn; false: the work is over.
  bool wait_for(std::size_t piece) {
    for (int spins = 0; spins < 100; ++spins) {  // a few microseconds: usually the turn is here already, or soon
      if (turn_.load(std::memory_order_acquire) == piece) return true;
      pause_spinning();
    }
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return turn_.load(std::memory_order_relaxed) == piece || stopped_; });
    return turn_.load(std::memory_order_relaxed) == piece;
  }
  void pass_on() {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      turn_.store(turn_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    changed_.notify_all();
  }
  // By whose turn it is, which nobody has after it.
  void stop() {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      stopped_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::size_t pieces_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> turn_{0};
  std::atomic<bool> stopped_{false};
  std::mutex lock_;
  std::condition_variable changed_;
};

#else

template <class Work>
void run_on_threads(unsigned, const Work& work) {
  work(0u);
}

class turns {
 public:
  explicit turns(std::size_t pieces) noexcept : pieces_(pieces) {}
  bool take(std::size_t& piece) noexcept { return (piece = next_++) < pieces_; }
  bool wait_for(std::size_t) const noexcept { return true; }
  void pass_on() const noexcept {}
  void stop() noexcept { pieces_ = 0; }

 private:
  std::size_t pieces_;
  std::size_t next_ = 0;
};

#endif

// Work in pieces, of which the results come in order whoever does which:
//
//   thread 0   | prepare 0 |claim|place| prepare 2 |claim|place| ...
//   thread 1   | prepare 1 |....wait...|claim|place| prepare 3 |claim|place| ...
//
// Each thread has a Worker, made of the arguments. worker.prepare(piece) and place() run on several threads at once;
// claim() on one at a time, in the order of the pieces. Throws what prepare() or claim() of the earliest piece threw;
// by then all pieces before it were claimed and placed, and none after it was claimed.
template <class Worker, class... Arguments>
void in_turns(std::size_t pieces, unsigned count, Arguments&&... arguments) {
  std::deque<Worker> workers;
  for (unsigned i = 0; i < count; ++i) workers.emplace_back(arguments...);
  turns order(pieces);
  caught first;  // belongs to whose turn it is
  run_on_threads(count, [&](unsigned i) {
    Worker& worker = workers[i];
    for (std::size_t piece; order.take(piece);) {
      caught problem;
      problem.by([&] { worker.prepare(piece); });
      if (!order.wait_for(piece)) return;
      if (!problem) problem.by([&] { worker.claim(); });
      if (problem) {
        first = problem;
        order.stop();
        return;
      }
      order.pass_on();
      worker.place();
    }
  });
  first.rethrow();
}

}  // namespace detail

__attribute__((noinline)) inline unsigned available_threads() noexcept {
  const unsigned processors = detail::count_processors();
#if HEADRACE_THREADS && defined(__linux__)
  unsigned quota = 0;
  detail::caught no_memory;
  no_memory.by([&] { quota = detail::find_quota(detail::read_small_file("/proc/self/cgroup"), "/sys/fs/cgroup"); });
  if (quota != 0 && quota < processors) return quota;
#endif
  return processors == 0 ? 1 : processors;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
