#include <stdio.h>
#include <unistd.h>

// The bytes of stdin, one at a time, 1 MiB a system call.
class source {
 public:
  int next() {
    if (at_ == end_) {
      const ssize_t got = read(0, buffer_, sizeof buffer_);
      if (got <= 0) return -1;
      at_ = buffer_;
      end_ = buffer_ + got;
    }
    return *at_++;
  }

  int next_int() {
    int c = next();
    while (c == ' ' || c == '\n') c = next();
    const bool negative = c == '-';
    if (negative) c = next();
    int x = 0;
    for (; c >= '0' && c <= '9'; c = next()) x = x * 10 + (c - '0');
    return negative ? -x : x;
  }

 private:
  char buffer_[1 << 20];
  const char* at_ = buffer_;
  const char* end_ = buffer_;
};

int main() {
  source in;
  const long rows = in.next_int();
  const long columns = in.next_int();
  long long sum = 0;
  for (long i = 0; i < rows * columns; ++i) sum += in.next_int();
  printf("%lld\n", sum);
}
