#include <fstream>
#include <iostream>
#include <string>

enum class Level { Debug, Info, Warn };

class Logger {
  std::ofstream out_;
  unsigned long seq_ = 0;

  void eol() { out_ << std::endl; }

  static const char* name(Level l) {
    switch (l) {
      case Level::Debug:
        return "DEBUG";
      case Level::Info:
        return "INFO ";
      default:
        return "WARN ";
    }
  }

 public:
  explicit Logger(const std::string& path) : out_(path) {}

  void log(Level level, const std::string& msg) {
    out_ << ++seq_ << " [" << name(level) << "] " << msg;
    eol();
  }
  unsigned long written() const { return seq_; }
};

class Worker {
  Logger& log_;
  unsigned state_ = 17;

 public:
  explicit Worker(Logger& l) : log_(l) {}
  void step() {
    state_ = state_ * 1103515245u + 12345u;
    unsigned load = (state_ >> 16) % 100;
    if (load > 95) log_.log(Level::Warn, "queue nearly full: " + std::to_string(load));
    else if (load > 50) log_.log(Level::Info, "load " + std::to_string(load));
    else log_.log(Level::Debug, "tick");
  }
};

int main() {
  Logger logger("service.log");
  Worker w(logger);
  for (int i = 0; i < 250000; ++i) w.step();
  std::cout << logger.written() << " messages\n";
}
