// Linux as the launcher needs it: errors as sentences, time, processors, and what /proc tells of tasks.
#pragma once
#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace launch {

[[noreturn]] inline void stop(const std::string& what) {
  std::fprintf(stderr, "launch: %s\n", what.c_str());
  std::exit(2);
}

[[noreturn]] inline void stop_with_errno(const std::string& what) { stop(what + ": " + std::strerror(errno)); }

inline int checked(int result, const std::string& what) {
  if (result < 0) stop_with_errno(what);
  return result;
}

inline double clock_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

inline double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Sends SIGALRM after some seconds, 0: never, and then each `period` seconds.
inline void set_timer(double seconds, double period = 0) {
  const auto split = [](double time) {
    const auto whole = static_cast<time_t>(time);
    return timeval{whole, static_cast<suseconds_t>((time - static_cast<double>(whole)) * 1e6)};
  };
  const itimerval timer{split(period), split(seconds)};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

inline bool stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

// Returns where a link leads; "" for one that cannot be read.
inline std::string link_of(const std::string& path) {
  char to[PATH_MAX];
  const ssize_t size = readlink(path.c_str(), to, sizeof to);
  return std::string(to, size > 0 ? static_cast<std::size_t>(size) : 0);
}

// The fields of /proc/TASK/stat after the name, which may hold anything; none where there is no such task.
inline std::vector<std::string> stat_of(const std::string& task) {
  std::ifstream file("/proc/" + task + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream words(line.substr(name_end + 1));
  return {std::istream_iterator<std::string>(words), {}};
}
constexpr std::size_t state_field = 0, parent_field = 1, faults_field = 7, processor_field = 36;

// Seconds on a processor, and seconds of waiting for one; `known` is false where the system does not say.
struct turns {
  double ran = 0;
  double waited = 0;
  bool known = false;
};

// Reads /proc/TASK/schedstat (Linux, Documentation/scheduler/sched-stats.rst): of the main thread of a process, also
// of one that has ended and was not waited for, or of "thread-self".
inline turns turns_of(const std::string& task) {
  turns found;
  std::FILE* const file = std::fopen(("/proc/" + task + "/schedstat").c_str(), "re");
  if (file == nullptr) return found;
  unsigned long long ran = 0;
  unsigned long long waited = 0;
  // A kernel that does not count says zeros.
  found.known = std::fscanf(file, "%llu %llu", &ran, &waited) == 2 && ran > 0;
  std::fclose(file);
  found.ran = static_cast<double>(ran) * 1e-9;
  found.waited = static_cast<double>(waited) * 1e-9;
  return found;
}

// Returns what others' turns added to the wall time of a program that ran alone, as one thread; 0 where that cannot be
// told, as the program had more threads or processes than one: `used`, its processor time, is then more than its main
// thread's.
inline double waited_for_others(const turns& program, double used, double launcher_waited) {
  if (!program.known || used > program.ran * 1.01 + 0.0005) return 0;
  return program.waited + launcher_waited;
}

// The processes whose parent is this one. Those that come and go meanwhile may be missing.
inline std::vector<pid_t> children() {
  std::vector<pid_t> found;
  DIR* const all = opendir("/proc");
  if (all == nullptr) return found;
  const std::string own = std::to_string(getpid());
  while (const dirent* const each = readdir(all)) {
    const std::vector<std::string> fields = stat_of(each->d_name);
    if (fields.size() > parent_field && fields[parent_field] == own) found.push_back(std::atoi(each->d_name));
  }
  closedir(all);
  return found;
}

}  // namespace launch
