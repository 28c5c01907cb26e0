// Compiled three times, as ROOM: with this version's headers, with those of another one, and without exceptions.
#include <headrace/headrace.hpp>

#include <vector>

#include "room.hpp"

#define QUOTED_(text) #text
#define QUOTED(text) QUOTED_(text)

std::string ROOM::version() { return QUOTED(HEADRACE_ABI); }

const void* ROOM::out_at() { return &headrace::out; }

void ROOM::print(const std::string& text) {
  headrace::out << text << ' ' << text.size() << ' ';
  headrace::out.flush();
}

long ROOM::sum(const std::string& text) {
  long sum = 0;
  headrace::reader from = headrace::reader::from(text);
  for (const long value : from.values<long>()) sum += value;
  return sum;
}

void ROOM::read_badly() {
#if defined(__cpp_exceptions)
  (void)headrace::reader::from("12a").read<int>();
#endif
}

bool ROOM::catches([[maybe_unused]] void (*thrower)()) {
#if defined(__cpp_exceptions)
  try {
    thrower();
  } catch (const headrace::input_error&) {
    return true;
  } catch (const std::exception&) {}
#endif
  return false;
}
