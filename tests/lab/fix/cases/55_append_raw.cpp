#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

struct Event {
  int id;
  unsigned payload;
};

static int openLog(const char* name) {
  int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0) {
    perror(name);
    _exit(2);
  }
  return fd;
}

static void put(int fd, const Event& e) {
  dprintf(fd, "%d", e.id);
  dprintf(fd, " %08x\n", e.payload);
}

int main() {
  int fd = openLog("events.log");
  unsigned s = 2463534242u;
  for (int i = 0; i < 60000; ++i) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    put(fd, Event{i, s});
  }
  close(fd);
  const char msg[] = "events written\n";
  if (write(1, msg, sizeof msg - 1) < 0) _exit(1);
  _exit(0);
}
