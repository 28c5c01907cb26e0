#include <cstdio>
#include <sys/mman.h>

// every job gets a fresh zeroed scratch area
class Scratch {
  char* p_;
  size_t n_;

 public:
  explicit Scratch(size_t n) : n_(n) {
    p_ = static_cast<char*>(mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    madvise(p_, n, MADV_NOHUGEPAGE);
  }
  ~Scratch() { munmap(p_, n_); }
  char& operator[](size_t i) { return p_[i]; }
  size_t size() const { return n_; }
};

long job(int k) {
  Scratch s(16u << 20);
  for (size_t i = 0; i < s.size(); i += 4096) s[i] = static_cast<char>(k + i / 4096);
  long t = 0;
  for (size_t i = 0; i < s.size(); i += 8192) t += s[i];
  return t;
}

int main() {
  long total = 0;
  for (int k = 0; k < 40; ++k) total += job(k);
  std::printf("%ld\n", total);
}
