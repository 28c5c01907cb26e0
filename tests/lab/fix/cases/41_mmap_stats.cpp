#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <functional>
#include <string>

class Mapped {
  const char* p_ = nullptr;
  size_t n_ = 0;
  std::string copy_;

 public:
  explicit Mapped(int fd) {
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
      void* m = mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (m != MAP_FAILED) {
        p_ = (const char*)m;
        n_ = st.st_size;
        return;
      }
    }
    char buf[65536];
    for (ssize_t k; (k = read(fd, buf, sizeof buf)) > 0;) copy_.append(buf, k);
    p_ = copy_.data();
    n_ = copy_.size();
  }
  template <class F>
  void each(F f) const {
    const char *p = p_, *e = p_ + n_;
    while (p < e) {
      bool neg = *p == '-';
      if (neg) ++p;
      long v = 0;
      while (p < e && *p >= '0') v = v * 10 + (*p++ - '0');
      f(neg ? -v : v);
      ++p;
    }
  }
};

int main() {
  Mapped m(0);
  long n = 0, sum = 0, mx = -2000000000;
  m.each([&](long v) {
    ++n;
    sum += v;
    if (v > mx) mx = v;
  });
  long mean = n ? sum / n : 0;
  printf("%ld numbers, mean %ld, max %ld\n", n, mean, mx);
  for (long limit = 40000000; limit <= 1000000000; limit += 40000000) {
    long inside = 0;
    m.each([&](long v) { inside += v - mean <= limit && mean - v <= limit; });
    printf("within %ld of the mean: %ld\n", limit, inside);
  }
}
