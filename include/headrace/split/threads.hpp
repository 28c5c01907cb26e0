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
    const parse_result found = parse(text.data(), text.data() + text.size(), value);
    return found && found.ptr == text.data() + text.size() ? value : 0;
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

// How many threads a wish comes to for so many pieces of work, of which fewer than `least` are worth no second thread.
inline unsigned threads_for(threads wish, std::uint64_t pieces, std::uint64_t least = 2) noexcept {
  if (!HEADRACE_THREADS || pieces < least) return 1;
  const unsigned count = wish.count == 0 ? available_threads() : wish.count;
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

// ---- work in pieces ----

// Leaves the processor to its other thread for a moment, some forty cycles or up to 140.
inline void pause_spinning() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Which pieces are taken, whose turn it is, and the first piece that failed: no piece after that one counts.
class turns {
 public:
  // From piece `first` on.
  explicit turns(std::size_t pieces, std::size_t first = 0) noexcept : next_(first), turn_(first), failed_(pieces) {}

  // The next piece that nobody has; false: there is none that counts.
  bool take(std::size_t& piece) noexcept {
    piece = __atomic_fetch_add(&next_, std::size_t(1), __ATOMIC_RELAXED);
    return piece < __atomic_load_n(&failed_, __ATOMIC_RELAXED);
  }
  // Whether a piece before this one has failed.
  bool is_over(std::size_t piece) const noexcept { return __atomic_load_n(&failed_, __ATOMIC_RELAXED) < piece; }
  // Throws what the first piece that failed threw.
  void rethrow() const { first_.rethrow(); }

  // Waits until all pieces before this one have had their turn; false: it does not count.
  bool wait_for(std::size_t piece) {
#if HEADRACE_THREADS
    for (int spins = 0; spins < 100; ++spins) {  // a few microseconds: usually the turn is here already, or soon
      if (__atomic_load_n(&turn_, __ATOMIC_ACQUIRE) == piece) return true;
      pause_spinning();
    }
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return turn_ == piece || failed_ < piece; });
#endif
    return turn_ == piece;
  }
  void pass_on() {
    change([&] { __atomic_store_n(&turn_, turn_ + 1, __ATOMIC_RELEASE); });
  }
  void fail(std::size_t piece, const caught& problem) {
    change([&] {
      if (piece >= failed_) return;
      __atomic_store_n(&failed_, piece, __ATOMIC_RELAXED);
      first_ = problem;
    });
  }

 private:
  template <class Action>
  void change(Action action) {
#if HEADRACE_THREADS
    {
      const std::lock_guard<std::mutex> hold(lock_);
      action();
    }
    changed_.notify_all();
#else
    action();
#endif
  }

  std::size_t next_;
  std::size_t turn_;
  std::size_t failed_;  // their number: none has
  caught first_;
#if HEADRACE_THREADS
  std::mutex lock_;  // of who changes turn_, failed_ and first_
  std::condition_variable changed_;
#endif
};

// Runs work(i), which throws nothing, for i = 0 here and for 1 to count - 1 on other threads, and waits for all. Those
// that the system does not start are left out: the work has to be such that one thread is enough.
template <class Work>
void run_on_threads([[maybe_unused]] unsigned count, const Work& work) {
#if HEADRACE_THREADS
  std::vector<std::thread> others;
  const auto start = [&] {
    others.reserve(count - 1);
    for (unsigned i = 1; i < count; ++i) others.emplace_back([&work, i] { work(i); });
  };
  caught refused;
  if (count > 1) refused.by(start);
  work(0u);
  for (std::thread& other : others) other.join();
#else
  work(0u);
#endif
}

// Does work in pieces. Each thread has a Worker, made of the arguments, whose prepare(piece) runs on several threads at
// once. Where the results come in order whoever does which, Worker::takes_turns:
//
//   thread 0   | prepare 0 |claim|place| prepare 2 |claim|place| ...
//   thread 1   | prepare 1 |....wait...|claim|place| prepare 3 |claim|place| ...
//
// claim() runs on one thread at a time, in the order of the pieces, and place() at any time after it. order.rethrow()
// then throws what prepare() or claim() of the first piece threw; all pieces before it were claimed and placed, and
// none after it was claimed.
template <class Worker, class... Arguments>
void work_in_pieces(turns& order, unsigned count, Arguments&&... arguments) {
  std::deque<Worker> workers;
  for (unsigned i = 0; i < count; ++i) workers.emplace_back(arguments...);
  run_on_threads(count, [&](unsigned i) {
    Worker& worker = workers[i];
    for (std::size_t piece; order.take(piece);) {
      caught problem;
      problem.by([&] { worker.prepare(piece); });
      if constexpr (Worker::takes_turns) {
        if (!problem && !order.wait_for(piece)) return;
        if (!problem) problem.by([&] { worker.claim(); });
      }
      if (problem) return order.fail(piece, problem);
      if constexpr (Worker::takes_turns) {
        order.pass_on();
        worker.place();
      }
    }
  });
}
template <class Worker, class... Arguments>
void in_turns(std::size_t pieces, unsigned count, Arguments&&... arguments) {
  turns order(pieces);
  work_in_pieces<Worker>(order, count, arguments...);
  order.rethrow();
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
