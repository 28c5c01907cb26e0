// What the three harnesses share: the command line, and a check of each contender before it is timed.
#pragma once

#include <sys/stat.h>

#include <in_process.hpp>

struct contender {
  std::string name;
  long long (*write)(const char* path, long long size);
  in_process::usage_meter meter;
};

struct arguments {
  const char* file;    // what the contenders create
  long long size;      // bytes
  std::string report;  // a file for the measurements
  std::vector<contender> contenders;

  long long call(contender& one) const {
    one.meter.count();
    return one.write(file, size);
  }
};

// The answer: how many of the bytes asked for are in the file, unless the function says otherwise.
inline std::string written_by(const contender& one, const char* file, long long size) {
  std::remove(file);
  const long long said = one.write(file, size);
  struct stat found = {};
  const long long has = stat(file, &found) == 0 ? static_cast<long long>(found.st_size) : -1;
  if (said != has)
    return "it returned " + std::to_string(said) + ", and the file has " + std::to_string(has) + " bytes";
  return std::to_string(has < size ? has : size);
}

inline arguments read_arguments(int count, char** words, const in_process::answer_channel& answers) {
  if (count < 5) in_process::stop(std::string("usage: ") + words[0] + " FILE BYTES REPORT SHARED_OBJECT...");
  arguments given{words[1], std::atoll(words[2]), words[3], {}};
  if (given.size <= 0)
    in_process::stop(std::string("BYTES is ") + words[2] + ": give a number above 0, as in 104857600");
  for (int i = 4; i < count; ++i) {
    const in_process::shared_object object(words[i]);
    given.contenders.push_back({object.name(), object.function<long long(const char*, long long)>("contender"), {}});
    answers.say(written_by(given.contenders.back(), given.file, given.size));
  }
  return given;
}
