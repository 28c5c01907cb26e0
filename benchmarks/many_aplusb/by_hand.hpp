// What the two tasks' programs that are written by hand share: the whole input in memory, eight digits to a number, and
// the texts of 0000 to 9999.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

// A file is mapped over pages of zeros, of which one follows it; a pipe is read into them.
inline const char* whole_input() {
  struct stat file;
  const bool is_file = fstat(0, &file) == 0 && S_ISREG(file.st_mode);
  const std::size_t room = is_file ? static_cast<std::size_t>(file.st_size) + 4096 : std::size_t{1} << 30;
  void* const text = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char* end = static_cast<char*>(text);
  if (is_file) mmap(text, room - 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, 0, 0);
  for (ssize_t got; !is_file && (got = read(0, end, 1 << 20)) > 0;) end += got;
  return static_cast<const char*>(text);
}

// Whether eight digits are next, and if so their number.
inline bool next_eight(const char* at, std::uint64_t& eight) {
  std::memcpy(&eight, at, 8);
  if ((eight & 0xf0f0f0f0f0f0f0f0) != 0x3030303030303030) return false;
  eight = (eight & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
  eight = (eight & 0x00ff00ff00ff00ff) * 6553601 >> 16;
  eight = (eight & 0x0000ffff0000ffff) * 42949672960001 >> 32;
  return true;
}

static char fours[40000];
inline void make_fours() {
  for (int i = 0; i < 10000; ++i) std::memcpy(fours + 4 * i, std::to_string(10000 + i).data() + 1, 4);
}
