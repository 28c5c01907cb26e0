#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

class SafeFile {
  std::string name_, tmp_;
  std::ofstream out_;

 public:
  explicit SafeFile(std::string name) : name_(std::move(name)), tmp_(name_ + ".tmp"), out_(tmp_) {
    if (!out_) throw std::runtime_error("cannot create " + tmp_);
    out_.setf(std::ios::unitbuf);
  }
  std::ostream& stream() { return out_; }
  void commit() {
    out_.close();
    if (std::rename(tmp_.c_str(), name_.c_str()) != 0) throw std::runtime_error("rename failed");
  }
};

int main() try {
  std::vector<int> primes;
  for (int n = 2; primes.size() < 9000; ++n) {
    bool ok = true;
    for (int p : primes) {
      if (p * p > n) break;
      if (n % p == 0) {
        ok = false;
        break;
      }
    }
    if (ok) primes.push_back(n);
  }
  SafeFile f("primes.txt");
  for (int round = 0; round < 7; ++round)
    for (int p : primes) f.stream() << p + round << " " << p % 10 << '\n';
  f.commit();
  std::cout << "saved " << primes.size() << "\n";
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
