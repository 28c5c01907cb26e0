// What each room (a shared object with a headrace of its own) offers to the program.
#pragma once

#include <string>

#define ROOM_FUNCTIONS(room)                                                                                 \
  namespace room {                                                                                           \
  std::string version();                                                                                     \
  const void* out_at();                                                                                      \
  void print(const std::string& text); /* through `out`, flushed */                                          \
  long sum(const std::string& text);   /* by a reader */                                                     \
  void read_badly();                   /* throws this room's input_error; returns where there are none */    \
  bool catches(void (*thrower)());     /* this room's input_error; where there are none, it calls nothing */ \
  }

ROOM_FUNCTIONS(this_version)
ROOM_FUNCTIONS(other_version)
ROOM_FUNCTIONS(without_exceptions)
