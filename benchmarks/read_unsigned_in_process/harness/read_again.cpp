// Times a program's main() in one process: REPORT SHARED_OBJECT < FILE. Before each call stdin is rewound, after each
// call what it printed is collected; neither is part of its time.
#include <headrace/bench.hpp>

#include <exception>
#include <in_process.hpp>

namespace {

struct program {
  int (*run)();
  void (*rewind)();
  void (*flush)();
};

// Stdout is a file of its own while the program runs.
class output_file {
 public:
  output_file() : file_(std::tmpfile()) {
    if (file_ == nullptr || dup2(fileno(file_), 1) < 0) in_process::stop("cannot make a temporary file for the output");
  }
  // What was printed since the last call.
  std::string take() {
    char text[4096];
    const ssize_t size = pread(1, text, sizeof text, taken_);
    if (size <= 0) return "";
    taken_ += size;
    return std::string(text, static_cast<std::size_t>(size));
  }

 private:
  std::FILE* file_;
  off_t taken_ = 0;
};

// One run's surroundings: made before it, gone after it.
struct rewound {
  const program& one;
  explicit rewound(const program& p) : one(p) { one.rewind(); }
  rewound(const rewound&) = delete;
  rewound& operator=(const rewound&) = delete;
  ~rewound() { one.flush(); }
};

std::string answer_of(const program& one, output_file& output) {
  int status;
  {
    rewound now(one);
    status = one.run();
  }
  if (status != 0) in_process::stop("main returned " + std::to_string(status));
  std::string answer = output.take();
  while (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return answer;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) in_process::stop(std::string("usage: ") + words[0] + " REPORT SHARED_OBJECT < FILE");
  const in_process::answer_channel answers;
  const in_process::shared_object object(words[2]);
  const program one{object.function<int()>("main"), object.function<void()>("contender_rewind"),
                    object.function<void()>("contender_flush")};
  output_file output;
  const std::string first = answer_of(one, output);
  const std::string second = answer_of(one, output);  // rewinding has to work before anything is timed
  answers.say(first == second ? first : first + ", and " + second + " when it read again");
  try {
    headrace::bench suite{"read again"};
    suite.output(stderr);
    in_process::usage_meter meter;
    const auto& row = suite.run(
        object.name(), [&] { return rewound(one); },
        [&](const rewound&) {
          meter.count();
          return one.run();
        });
    in_process::write_report(words[1], "bench.hpp", {{object.name(), row.median, meter.a_call()}}, suite.json());
  } catch (const std::exception& error) {
    in_process::stop(error.what());
  }
}
