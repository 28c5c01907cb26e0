// What a launcher is asked to do: the options of its command line, the same on every system.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace launch {

[[noreturn]] inline void stop(const std::string& what) {
  std::fprintf(stderr, "launch: %s\n", what.c_str());
  std::exit(2);
}

struct options {
  std::string source = "none";
  std::string input;
  std::string sink = "capture";
  std::string output;
  double timeout = 60;                 // seconds
  int pin = -1;                        // a processor; -1: any
  double memory = 0;                   // bytes of address space that the program may take; 0: any
  double most = 0;                     // bytes that it may write into one file; 0: any
  std::vector<std::string> variables;  // NAME=VALUE, of the program's environment alone
  bool cold = false;                   // the input is dropped from the page cache first
  bool check = true;                   // false: a file sink is not read back
  bool text = false;                   // "\r\n" in the output counts as "\n"
  char** command = nullptr;
};

inline double number(const char* name, const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= 0)) stop(std::string(name) + " wants a number, not " + text);
  return value;
}

inline options parse(int count, char** words) {
  options result;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--") {
      result.command = words + i + 1;
      break;
    }
    if (word == "--cold") result.cold = true;
    else if (word == "--no-check") result.check = false;
    else if (word == "--text") result.text = true;
    else if (i + 1 == count) stop(word + " wants a value");
    else if (word == "--source") result.source = words[++i];
    else if (word == "--input") result.input = words[++i];
    else if (word == "--sink") result.sink = words[++i];
    else if (word == "--output") result.output = words[++i];
    else if (word == "--timeout") result.timeout = number("--timeout", words[++i]);
    else if (word == "--memory") result.memory = number("--memory", words[++i]);
    else if (word == "--most") result.most = number("--most", words[++i]);
    else if (word == "--variable") result.variables.emplace_back(words[++i]);
    else if (word == "--pin") result.pin = static_cast<int>(number("--pin", words[++i]));
    else stop("unknown option " + word);
  }
  if (result.command == nullptr || *result.command == nullptr) stop("no program to start after --");
  return result;
}

}  // namespace launch
