// One copy of headrace in a process, behind C names: SUM, PRINT and LINE say which.
#include <headrace/headrace.hpp>

extern "C" {
long SUM(int count) {
  long sum = 0;
  for (int value; count != 0 && headrace::in.try_read(value); --count) sum += value;
  return sum;
}
void PRINT(long value) { headrace::out << value << ' '; }
long LINE() { return static_cast<long>(headrace::in.where().line); }
}
