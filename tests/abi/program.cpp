// One program with four copies of headrace: its own, of this version, and those of three shared objects, one of this
// version, one of another, one without exceptions. Each has to work, and only those of one version may be one.
#include <headrace/headrace.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "room.hpp"

namespace {

int failures = 0;

void check(bool good, const char* what, int line) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "program.cpp:%d: %s is false\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

void read_badly() { (void)headrace::reader::from("12a").read<int>(); }

// How an exception of a room arrives here.
std::string kind_of(void (*thrower)()) {
  try {
    thrower();
  } catch (const headrace::input_error& error) {
    return "ours " + std::to_string(error.column());
  } catch (const std::exception&) {
    return "another";
  }
  return "none";
}

void check_rooms() {
  const std::string text = "1 2\n30 -4 500000000000";
  CHECK(this_version::sum(text) == 500000000029);
  CHECK(other_version::sum(text) == 500000000029);
  CHECK(without_exceptions::sum(text) == 500000000029);

  CHECK(this_version::version() != other_version::version());
  CHECK(this_version::version() != without_exceptions::version());

  CHECK(this_version::out_at() == &headrace::out);
  CHECK(other_version::out_at() != &headrace::out);
  CHECK(without_exceptions::out_at() != &headrace::out);
  CHECK(without_exceptions::out_at() != other_version::out_at());
}

void check_exceptions() {
  CHECK(kind_of(read_badly) == "ours 1");
  CHECK(kind_of(this_version::read_badly) == "ours 1");
  CHECK(kind_of(other_version::read_badly) == "another");
  CHECK(kind_of(without_exceptions::read_badly) == "none");
  CHECK(this_version::catches(read_badly));
  CHECK(this_version::catches(this_version::read_badly));
  CHECK(!this_version::catches(other_version::read_badly));
  CHECK(other_version::catches(other_version::read_badly));
  CHECK(!other_version::catches(read_badly));
}

}  // namespace

int main() {
  check_rooms();
  check_exceptions();
  headrace::out << "program ";
  headrace::out.flush();
  for (int round = 0; round < 2; ++round) {
    this_version::print("this");
    other_version::print("other");
    without_exceptions::print("without");
  }
  headrace::out << '\n';
  return failures;
}
