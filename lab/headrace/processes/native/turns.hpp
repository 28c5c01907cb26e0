// How long a task was ready to run while others had its processor, as Linux counts it.
#pragma once
#include <cstdio>
#include <string>

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

}  // namespace launch
