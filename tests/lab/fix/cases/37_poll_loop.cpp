#include <chrono>
#include <iostream>
#include <string>
#include <thread>

class Poller {
  int left_;

 public:
  explicit Poller(int n) : left_(n) {}
  bool ready() const { return left_ <= 0; }
  void tick() {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --left_;
  }
};

int main() {
  Poller p(60);
  int waited = 0;
  while (!p.ready()) {
    p.tick();
    std::cout << "waiting " << ++waited << std::endl;
  }
  std::cout << "ready" << std::endl;
}
