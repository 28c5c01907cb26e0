// The same templates and inline functions as in smoke.cpp: both objects must link into one program.
#include <headrace/headrace.hpp>

#include <string>
#include <vector>

std::string write_elsewhere(const std::vector<int>& values) {
  std::string text;
  headrace::writer to = headrace::writer::into(text);
  to.write_range(values, ' ');
  to.flush();
  return text;
}
