#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>

class Wal {
  int fd_;
  std::string path_;

 public:
  explicit Wal(const std::string& path) : path_(path) {
    fd_ = ::open((path + ".new").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd_ < 0) {
      std::perror("open");
      std::exit(1);
    }
  }
  void append(const std::string& record) {
    std::string line = record + "\n";
    if (::write(fd_, line.data(), line.size()) < 0) std::exit(1);
    ::fdatasync(fd_);
  }
  void publish() {
    ::close(fd_);
    std::rename((path_ + ".new").c_str(), path_.c_str());
  }
};

void shutdown(Wal& w, int code) {
  w.publish();
  std::puts("bye");
  std::exit(code);
}

int main() {
  Wal wal("orders.wal");
  for (int i = 0; i < 200; ++i) wal.append("order " + std::to_string(i) + " qty " + std::to_string(i * 7 % 50));
  shutdown(wal, 0);
}
