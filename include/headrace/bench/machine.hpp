// headrace/bench/machine.hpp: what is known about the machine, and what of that disturbs times. Not for users.
#pragma once

#include "suite.hpp"

#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

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

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
