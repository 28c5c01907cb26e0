// The harness, or main program, of an in-process benchmark needs this besides a way to time: it loads shared objects,
// keeps stdout for the answer, counts processor time, and writes the report that the lab reads.
//
//   in_process::answer_channel answers;                       // first: what anybody prints goes to stderr from here on
//   const in_process::shared_object object(words[1]);
//   const auto work = object.function<long long()>("work");
//   answers.say(std::to_string(work()));                      // checked by the lab
//   in_process::usage_meter meter;
//   ... time it; call meter.count() at each call ...
//   in_process::write_report(words[2], "bench.hpp", {{object.name(), median_in_nanoseconds, meter.a_call()}});
//
// Linux and other systems with dlopen. A failure ends the program: one sentence on stderr, exit status 2.
#pragma once

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace in_process {

[[noreturn]] inline void stop(const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(2);
}

// A contender. It stays loaded until the program ends.
class shared_object {
 public:
  explicit shared_object(const std::string& path) : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) stop("cannot load " + path + ": " + dlerror());
  }

  // The function of a type as in function<int(const char*)>("work"); it has to be extern "C", or main.
  template <class Signature>
  Signature* function(const char* name) const {
    void* const found = dlsym(handle_, name);
    if (found == nullptr) stop(path_ + " has no function " + name + ": declare it extern \"C\"");
    return reinterpret_cast<Signature*>(found);
  }

  // The file's name without folders and ending.
  std::string name() const {
    const std::size_t begin = path_.find_last_of('/') + 1;
    return path_.substr(begin, path_.find('.', begin) - begin);
  }

 private:
  std::string path_;
  void* handle_;
};

// From here on descriptor 1 is what descriptor 2 is; only say() reaches the real stdout.
class answer_channel {
 public:
  answer_channel() : real_(dup(1)) {
    if (real_ < 0 || dup2(2, 1) < 0) stop("cannot set stdout aside for the answer");
  }
  answer_channel(const answer_channel&) = delete;
  answer_channel& operator=(const answer_channel&) = delete;
  ~answer_channel() { close(real_); }

  void say(const std::string& answer) const {
    const std::string line = answer + "\n";
    if (write(real_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) stop("cannot write the answer");
  }

 private:
  int real_;
};

// Seconds of processor time, and the calls that they are a mean of.
struct usage {
  long long calls;
  double user, system;
};

// Measures all that the process does from its construction on, so it costs the timed function a counter only.
class usage_meter {
 public:
  usage_meter() { getrusage(RUSAGE_SELF, &begin_); }
  void count() noexcept { ++calls_; }
  usage a_call() const {
    rusage now;
    getrusage(RUSAGE_SELF, &now);
    const double calls = calls_ > 0 ? static_cast<double>(calls_) : 1;
    return {calls_, (seconds(now.ru_utime) - seconds(begin_.ru_utime)) / calls,
            (seconds(now.ru_stime) - seconds(begin_.ru_stime)) / calls};
  }

 private:
  static double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }

  rusage begin_;
  long long calls_ = 0;
};

struct measurement {
  std::string name;
  double median;  // nanoseconds per call
  usage used;
};

// `more` is JSON: whatever else the harness knows.
inline void write_report(const std::string& path, const char* harness, const std::vector<measurement>& all,
                         const std::string& more = "null") {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) stop("cannot write the report " + path);
  std::fprintf(file, "{\"harness\": \"%s\", \"functions\": [", harness);
  for (const measurement& one : all)
    std::fprintf(file, "%s\n  {\"name\": \"%s\", \"median\": %.9g, \"calls\": %lld, \"user\": %.9g, \"system\": %.9g}",
                 &one == all.data() ? "" : ",", one.name.c_str(), one.median, one.used.calls, one.used.user,
                 one.used.system);
  std::fprintf(file, "],\n\"report\": %s}\n", more.c_str());
  if (std::fclose(file) != 0) stop("cannot write the report " + path);
}

}  // namespace in_process
