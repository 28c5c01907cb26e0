// Different objects in different threads are safe: eight threads, each with readers and writers of its own on pipes,
// files and memory, and `out`, which they share under a lock. Every byte is accounted for. Built with ThreadSanitizer
// by `make tsan-test`; HEADRACE_THREADS_SECONDS makes it longer.
#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/ends.hpp"

namespace {

constexpr unsigned thread_count = 8;
constexpr int values_per_round = 3000;  // as text less than what a pipe takes at once

std::chrono::seconds duration() {
  const char* const wish = std::getenv("HEADRACE_THREADS_SECONDS");
  return std::chrono::seconds(wish == nullptr ? 3 : std::atoi(wish));
}

// Descriptor 1 is a file while this lives.
class redirected {
 public:
  redirected() : kept_(::dup(1)) {
    std::fflush(stdout);  // GoogleTest's
    headrace::out.flush();
    if (::dup2(file_.get(), 1) < 0) test::fail("dup2");
  }
  ~redirected() { ::dup2(kept_.get(), 1); }
  std::string content() const {
    headrace::out.flush();
    ::lseek(file_.get(), 0, SEEK_SET);
    return test::read_all(file_.get());
  }

 private:
  test::temporary_file file_;
  test::descriptor kept_;
};

struct shared {
  std::mutex lock;
  std::atomic<int> failures{0};
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + duration();
};

class worker {
 public:
  worker(unsigned number, shared& all) : number_(number), all_(all) {}

  void run() {
    do {
      use_pipe();
      use_file();
      use_memory();
      print();
      ++rounds;
    } while (std::chrono::steady_clock::now() < all_.end);
  }

  int rounds = 0;

 private:
  int value(int i) const { return (i * 7919 + rounds) * (i % 2 == 0 ? 1 : -1); }

  void write(headrace::writer& to) const {
    for (int i = 0; i < values_per_round; ++i) to << value(i) << (i % 10 == 9 ? '\n' : ' ');
    to.flush();
  }
  void check(headrace::reader& from) {
    int wrong = 0;
    for (int i = 0; i < values_per_round / 2; ++i) wrong += from.read<int>() != value(i);
    std::vector<int> rest(values_per_round / 2);
    from.read(rest);
    for (int i = 0; i < values_per_round / 2; ++i) {
      wrong += rest[static_cast<std::size_t>(i)] != value(values_per_round / 2 + i);
    }
    if (!from.at_end()) ++wrong;
    all_.failures += wrong;
  }

  void use_pipe() {
    test::pipe_ends pipe = test::make_pipe();
    std::thread feeder([&] {
      headrace::writer to(pipe.write.get());
      write(to);
      pipe.write.close();
    });
    headrace::reader from(pipe.read.get());
    check(from);
    feeder.join();
  }
  void use_file() {
    const test::temporary_file file("");
    headrace::writer to(file.get());
    write(to);
    ::lseek(file.get(), 0, SEEK_SET);
    headrace::reader from(file.get());
    check(from);
  }
  void use_memory() {
    std::string text;
    headrace::writer to = headrace::writer::into(text);
    write(to);
    headrace::reader from = headrace::reader::from(text);
    check(from);
    headrace::reader bad = headrace::reader::from("1 x");
    if (bad.read<int>() != 1 || bad.parse(failed_)) ++all_.failures;
  }
  void print() {
    for (int i = 0; i < 50; ++i) {
      const std::lock_guard<std::mutex> hold(all_.lock);
      headrace::out << number_ << ' ' << rounds * 50 + i << '\n';
    }
  }

  unsigned number_;
  shared& all_;
  int failed_ = 0;
};

// Each thread's lines, all of them, in its order.
void check_lines(const std::string& text, const std::vector<worker>& workers) {
  std::vector<int> next(thread_count);
  headrace::reader from = headrace::reader::from(text);
  unsigned number;
  while (from.try_read(number)) {
    ASSERT_LT(number, thread_count);
    ASSERT_EQ(from.read<int>(), next[number]++);
  }
  for (unsigned i = 0; i < thread_count; ++i) EXPECT_EQ(next[i], 50 * workers[i].rounds);
}

TEST(threads, each_with_its_own_and_out_under_a_lock) {
  const redirected standard_output;
  shared all;
  std::vector<worker> workers;
  for (unsigned i = 0; i < thread_count; ++i) workers.emplace_back(i, all);
  std::vector<std::thread> threads;
  for (worker& each : workers) threads.emplace_back([&each] { each.run(); });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(all.failures, 0);
  check_lines(standard_output.content(), workers);
}

}  // namespace
