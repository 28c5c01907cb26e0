#include <unistd.h>

#include <cerrno>

// Two file systems, or a device: the call refuses before it moves anything.
static int read_and_write() {
  static char block[262144];
  ssize_t got;
  while ((got = read(0, block, sizeof block)) > 0) {
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = write(1, block + done, static_cast<size_t>(got - done));
      if (put < 0) return 1;
      done += put;
    }
  }
  return got < 0;
}

int main() {
  ssize_t done;
  while ((done = copy_file_range(0, nullptr, 1, nullptr, 1 << 30, 0)) > 0) {}
  return done < 0 && (errno == EXDEV || errno == EINVAL) ? read_and_write() : done < 0;
}
