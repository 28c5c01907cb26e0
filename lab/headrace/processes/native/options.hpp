// The options of the launcher's command lines.
#pragma once
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "system.hpp"

namespace launch {

struct options {
  std::string source = "none";
  std::string input;
  std::string sink = "capture";
  std::string output;
  double timeout = 60;                 // seconds
  int pin = -1;                        // a processor; -1: any
  double memory = 0;                   // bytes of address space that the program may take; 0: any
  double data = 0;                     // bytes of memory of its own that each process of it may have; 0: any
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

// An option: how many words after it are its values, and what they set.
struct option {
  const char* name;
  int values;
  std::function<void(char** values)> set;
};

// Takes options up to "--". Returns the program's words, which come after it.
inline char** command_after(char** words, const std::vector<option>& known) {
  for (; *words != nullptr; ++words) {
    const std::string word = *words;
    if (word == "--" && words[1] != nullptr) return words + 1;
    if (word == "--") break;
    const auto same = [&](const option& each) { return word == each.name; };
    const auto place = std::find_if(known.begin(), known.end(), same);
    if (place == known.end()) stop("unknown option " + word);
    char** const values = words + 1;
    for (int i = 0; i < place->values; ++i) {
      if (*++words == nullptr) stop(word + " wants a value");
    }
    place->set(values);
  }
  stop("no program to start after --");
}

inline option flag(const char* name, bool& to, bool value = true) {
  return {name, 0, [&to, value](char**) { to = value; }};
}
inline option text(const char* name, std::string& to) {
  return {name, 1, [&to](char** values) { to = values[0]; }};
}
inline option amount(const char* name, double& to) {
  return {name, 1, [&to, name](char** values) { to = number(name, values[0]); }};
}

inline options parse(char** words) {
  options to;
  to.command = command_after(
      words, {flag("--cold", to.cold),
              flag("--no-check", to.check, false),
              flag("--text", to.text),
              text("--source", to.source),
              text("--input", to.input),
              text("--sink", to.sink),
              text("--output", to.output),
              amount("--timeout", to.timeout),
              amount("--memory", to.memory),
              amount("--data", to.data),
              amount("--most", to.most),
              {"--variable", 1, [&](char** values) { to.variables.emplace_back(values[0]); }},
              {"--pin", 1, [&](char** values) { to.pin = static_cast<int>(number("--pin", values[0])); }}});
  return to;
}

}  // namespace launch
