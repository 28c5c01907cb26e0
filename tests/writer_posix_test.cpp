// What a writer does with what only POSIX has: full devices, limits, signals, descriptors that do not block, terminals.
#include <headrace/headrace.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/child.hpp"
#include "support/ends.hpp"
#include "support/errors.hpp"

namespace {

using headrace::writer;
using test::outcome, test::run_child;
using test::redirect_stdout;
using test::temporary_file;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WriterFailure, AFullDevice) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  {
    writer sink("/dev/full");
    sink << "x";
    EXPECT_THROW(sink.flush(), headrace::output_error);
  }
  writer sink("/dev/full");
  const auto fill = [&] {
    for (int i = 0; i < 100000; ++i) sink << "line\n";
  };
  EXPECT_THROW(fill(), headrace::output_error);  // without a flush
  test::expect_output_error([&] { sink.close(); }, std::errc::no_space_on_device, 0);
}

TEST(WriterFailure, APipeWithoutAReader) {
  const auto previous = ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  writer sink(ends[1]);
  sink << "x";
  try {
    sink.flush();
    FAIL();
  } catch (const headrace::output_error& error) {
    EXPECT_EQ(error.code(), std::errc::broken_pipe);
  }
  ::close(ends[1]);
  ::signal(SIGPIPE, previous);
}

TEST(WriterFailure, AFileSizeLimitIsReportedWithWhatArrived) {
  temporary_file file;
  EXPECT_EQ(run_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100000, 100000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              writer sink(file.path());
              try {
                for (int i = 0; i < 50000; ++i) sink << "hello! " << i << '\n';
                sink.close();
              } catch (const headrace::output_error& error) {
                std::fprintf(stderr, "%d %llu", error.code().value(), static_cast<unsigned long long>(error.arrived()));
                std::_Exit(3);
              }
            }),
            (outcome{3, std::to_string(EFBIG) + " 100000"}));
  EXPECT_EQ(content(file.path()).size(), 100000u);
}

TEST(StandardOutput, OnAFullDeviceIsALineAndAStatus) {
  EXPECT_EQ(run_child([] {
              redirect_stdout("/dev/full");
              headrace::out << "x";
            }),
            (outcome{1, "<stdout>: cannot write: No space left on device (0 bytes arrived)\n"}));
}

TEST(WriterFailure, ADestructorSaysWhatNobodyWasTold) {
  EXPECT_EQ(run_child([] { writer("/dev/full") << "x"; }),
            (outcome{0, "/dev/full: cannot write: No space left on device (0 bytes arrived)\n"}));
}

TEST(WriterFailure, ASlowNonBlockingPipeLosesNothing) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
#if defined(F_SETPIPE_SZ)
  ::fcntl(ends[1], F_SETPIPE_SZ, 4096);
#endif
  std::string received;
  std::thread reader([&] {
    char block[1000];
    for (ssize_t got; (got = ::read(ends[0], block, sizeof block)) > 0;) {
      received.append(block, static_cast<std::size_t>(got));
      if (received.size() % 7 == 0) ::usleep(50);
    }
  });
  std::string expected;
  {
    writer sink(ends[1]);
    for (int i = 0; i < 60000; ++i) {
      sink << i << '\n';
      expected += std::to_string(i) + '\n';
    }
    sink.write(expected);  // larger than the buffer: partial writes
    expected += expected;
    sink.flush();
    EXPECT_EQ(sink.arrived(), expected.size());
  }
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(received, expected);
}

TEST(StandardOutput, AChildThatLeavesByUnderscoreExitPrintsNothingTwice) {
  temporary_file file;
  run_child([&] {
    redirect_stdout(file.path().c_str());
    headrace::out << "once";
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
  });
  EXPECT_EQ(content(file.path()), "once");
}

TEST(StandardOutput, QuickExitFlushesOnRequest) {
  temporary_file file;
  run_child([&] {
    redirect_stdout(file.path().c_str());
    headrace::out << "quick";
    if (!headrace::flush_out_at_quick_exit()) std::_Exit(9);
    std::quick_exit(0);
  });
  EXPECT_EQ(content(file.path()), "quick");
  run_child([&] {
    redirect_stdout(file.path().c_str());
    headrace::out << "lost";
    std::quick_exit(0);
  });
  EXPECT_EQ(content(file.path()), "");
}

TEST(StandardOutput, AFailureAtQuickExitLetsOtherHandlersRun) {
  EXPECT_EQ(run_child([] {
              std::at_quick_exit([] { std::fputs("first handler;", stderr); });
              if (!headrace::flush_out_at_quick_exit()) std::_Exit(9);
              std::at_quick_exit([] { std::fputs("last handler;", stderr); });
              std::atexit([] { std::fputs("not at a quick exit;", stderr); });
              test::break_stdout();
              headrace::out << "x";
              std::quick_exit(0);
            }),
            (outcome{1, "last handler;<stdout>: cannot write: Broken pipe (0 bytes arrived)\nfirst handler;"}));
}

TEST(StandardOutput, ATerminalGetsEachLineUnlessItIsToWait) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) GTEST_SKIP() << "no pseudo-terminal";
  const int end = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(end, 0);
  for (const bool waits : {true, false}) {
    const auto result = run_child([&] {
      ::dup2(end, 1);
      if (waits) headrace::out.flush_when(headrace::flush_policy::when_full);
      pollfd request{terminal, POLLIN, 0};
      headrace::out << "half a";
      if (::poll(&request, 1, 50) != 0) std::_Exit(6);
      headrace::out << " line\n";
      std::_Exit(::poll(&request, 1, waits ? 50 : 20000) == 1 ? 4 : 5);
    });
    EXPECT_EQ(result.status, waits ? 5 : 4);
  }
  ::close(end);
  ::close(terminal);
}

}  // namespace
