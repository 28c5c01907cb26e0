// What the three harnesses share: the command line, the shared objects, and a check of each before it is timed.
#pragma once

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct contender {
  using function = long long (*)(const char* path, long long size);
  std::string name;
  function write;
};

struct arguments {
  const char* file;      // what the contenders create
  long long size;        // bytes
  std::string report;    // a file for the measurements
  std::vector<contender> contenders;
};

[[noreturn]] inline void stop(const std::string& sentence, int code) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(code);
}

// Loads a shared object; its name is the file's, without folders and ending.
inline contender load(const std::string& path) {
  void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) stop("cannot load " + path + ": " + dlerror(), 2);
  const auto function = reinterpret_cast<contender::function>(dlsym(object, "contender"));
  if (function == nullptr) stop(path + " has no function contender: declare it extern \"C\"", 2);
  const std::size_t begin = path.find_last_of('/') + 1;
  return {path.substr(begin, path.find('.', begin) - begin), function};
}

// A contender that does not write what it says cannot win.
inline void check(const contender& one, const char* file, long long size) {
  std::remove(file);
  const long long said = one.write(file, size);
  struct stat found = {};
  const bool exists = stat(file, &found) == 0;
  if (!exists || said < size || found.st_size != said)
    stop(one.name + " is wrong: it returned " + std::to_string(said) + ", the file has " +
             std::to_string(exists ? static_cast<long long>(found.st_size) : -1) + " bytes, and at least " +
             std::to_string(size) + " were asked for", 1);
}

inline arguments read_arguments(int count, char** words) {
  if (count < 5) stop(std::string("usage: ") + words[0] + " FILE BYTES REPORT SHARED_OBJECT...", 2);
  arguments given{words[1], std::atoll(words[2]), words[3], {}};
  if (given.size <= 0) stop(std::string("BYTES is ") + words[2] + ": give a number above 0, as in 104857600", 2);
  for (int i = 4; i < count; ++i) given.contenders.push_back(load(words[i]));
  for (const contender& one : given.contenders) check(one, given.file, given.size);
  return given;
}

struct line {
  std::string name;
  double median;  // nanoseconds a call
};

// The part of the report that all harnesses can write: a line a contender.
inline void write_report(const std::string& path, const char* harness, const std::vector<line>& lines) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) stop("cannot write " + path, 2);
  std::fprintf(file, "{\"harness\": \"%s\", \"functions\": [", harness);
  for (const line& one : lines)
    std::fprintf(file, "%s\n  {\"name\": \"%s\", \"median\": %.9g}", &one == lines.data() ? "" : ",", one.name.c_str(),
                 one.median);
  std::fprintf(file, "]}\n");
  if (std::fclose(file) != 0) stop("cannot write " + path, 2);
}
