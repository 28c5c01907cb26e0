// What Linux tells of tasks: how long one was ready to run while others had its processor, and who is below this one.
#pragma once
#include <dirent.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace launch {

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

// What others' turns added to the wall time of a program that ran alone, as one thread. 0 where that cannot be told,
// as the program had more threads or processes than one: `used`, its processor time, is then more than its main
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
  while (const dirent* const each = readdir(all)) {
    std::FILE* const file = std::fopen(("/proc/" + std::string(each->d_name) + "/stat").c_str(), "re");
    if (file == nullptr) continue;
    char line[512] = "";
    const char* const name_end = std::fgets(line, sizeof line, file) != nullptr ? std::strrchr(line, ')') : nullptr;
    int parent = 0;  // "1234 (any name) S 1 ...": state and parent
    if (name_end != nullptr && std::sscanf(name_end, ") %*c %d", &parent) == 1 && parent == getpid()) {
      found.push_back(std::atoi(each->d_name));
    }
    std::fclose(file);
  }
  closedir(all);
  return found;
}

}  // namespace launch
