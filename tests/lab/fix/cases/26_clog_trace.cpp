#include <cstdint>
#include <iostream>
#include <string>

class Trace {
 public:
  explicit Trace(std::string who) : who_(std::move(who)) {}
  template <class T>
  void operator()(const char* what, const T& v) const {
    std::clog << who_ << ": " << what << " " << v << "\n";
  }

 private:
  std::string who_;
};

class Machine {
  uint64_t acc_ = 1;
  Trace trace_{"vm"};

 public:
  void run(int n) {
    for (int pc = 0; pc < n; ++pc) {
      acc_ = acc_ * 6364136223846793005ULL + 1442695040888963407ULL;
      if (acc_ >> 63) trace_("add", acc_ >> 48);
      else trace_("jump", pc);
    }
  }
  uint64_t acc() const { return acc_; }
};

int main() {
  Machine m;
  m.run(40000);
  std::cout << m.acc() << '\n';
}
