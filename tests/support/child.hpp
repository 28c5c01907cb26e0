// A test that needs a program of its own, to see how it ends: run_child(body). POSIX forks; Windows starts the test
// program again for this one test, which then comes to the same call of run_child and runs its body there. So a file
// that parent and child share is a file_for_child, and what the test says before run_child is said twice.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ostream>
#include <ostream>
#include <string>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(_WIN32)
#include <io.h>
#include <process.h>
#else
#include <csignal>
#include <sys/wait.h>
#endif

#include <gtest/gtest.h>

#include "ends.hpp"

namespace test {

struct outcome {
  int status = -1;  // exit status, or 128 + signal
  std::string error_output;

  friend bool operator==(const outcome& a, const outcome& b) {
    return a.status == b.status && a.error_output == b.error_output;
  }
  friend std::ostream& operator<<(std::ostream& to, const outcome& from) {  // for GoogleTest
    return to << "status " << from.status << ", on stderr: " << from.error_output;
  }
};

// What a program said on stderr until it closed it. stdio of Windows puts "\r" before each "\n": they are left out.
inline std::string said_on(int end) {
  std::string text;
  for (const char byte : read_all(end)) {
    if (byte != '\r') text += byte;
  }
  return text;
}

#if defined(_WIN32)

inline std::string name_of_this_test() {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test->test_suite_name()) + '.' + test->name();
}

inline const char* in_child() { return std::getenv("HEADRACE_TEST_CHILD"); }

// Starts this program again, with stdout to the null device and stderr to a pipe.
inline outcome run_again(int call) {
  ::_putenv(("HEADRACE_TEST_CHILD=" + std::to_string(call)).c_str());
  pipe_ends errors = make_pipe();
  const descriptor kept_output(::_dup(1)), kept_errors(::_dup(2));
  const descriptor null(::_open("NUL", _O_WRONLY));
  ::_dup2(null.get(), 1);
  ::_dup2(errors.write.get(), 2);
  errors.write.close();
  const std::string filter = "--gtest_filter=" + name_of_this_test();
  const auto process = ::_spawnl(_P_NOWAIT, _pgmptr, "again", filter.c_str(), static_cast<const char*>(nullptr));
  ::_dup2(kept_output.get(), 1);
  ::_dup2(kept_errors.get(), 2);
  ::_putenv("HEADRACE_TEST_CHILD=");
  if (process == -1) fail("cannot start this program again");
  outcome result;
  result.error_output = said_on(errors.read.get());
  ::_cwait(&result.status, process, 0);
  return result;
}

inline outcome run_child(const std::function<void()>& body) {
  static std::string test;
  static int calls = 0;
  if (test != name_of_this_test()) calls = 0;
  test = name_of_this_test();
  ++calls;
  std::fflush(nullptr);
  if (in_child() == nullptr) return run_again(calls);
  if (std::atoi(in_child()) != calls) return {};
  body();
  std::exit(0);
}

#else

inline const char* in_child() { return nullptr; }

// Runs `body` in a child that then exits as a program does; its stderr is caught.
inline outcome run_child(const std::function<void()>& body) {
  pipe_ends errors = make_pipe();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(errors.write.get(), 2);
    errors.read.close();
    errors.write.close();
    ::signal(SIGPIPE, SIG_IGN);
    body();
    std::exit(0);
  }
  errors.write.close();
  outcome result;
  result.error_output = said_on(errors.read.get());
  int status = 0;
  ::waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

#endif

// An empty file that a child finds, too, by the same path.
class file_for_child {
 public:
  file_for_child() {
    if (in_child() != nullptr) {
      path_ = std::getenv("HEADRACE_TEST_FILE");
      return;
    }
    file_ = std::make_unique<temporary_file>();
    path_ = file_->path();
#if defined(_WIN32)
    ::_putenv(("HEADRACE_TEST_FILE=" + path_).c_str());
#endif
  }
  const std::string& path() const { return path_; }

 private:
  std::unique_ptr<temporary_file> file_;
  std::string path_;
};

// From now on standard output goes there.
inline void redirect_stdout(const char* path) {
#if defined(_WIN32)
  const descriptor file(::_open(path, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY, 0600));
#else
  const descriptor file(::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
#endif
  ::dup2(file.get(), 1);
}

// From now on standard output is a pipe that nobody reads.
inline void break_stdout() {
  pipe_ends pipe = make_pipe();
  ::dup2(pipe.write.get(), 1);
}

}  // namespace test
