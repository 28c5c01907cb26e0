// The fuzzer's bytes as a text and as the decisions of a program of reads on it: what is read how, and how much each
// read(2) gives; reader and model must agree.
#include <headrace/reader.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../tests/support/ends.hpp"
#include "../tests/support/kernels.hpp"
#include "../tests/support/random_program.hpp"
#include "../tests/support/scripted_read.hpp"

namespace {

// A byte a decision; when they are used up, a sequence that follows from them.
class recorded : public test::choices {
 public:
  recorded(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint32_t next() override {
    const std::uint32_t byte = at_ < size_ ? data_[at_++] : 0;
    state_ = state_ * 6364136223846793005u + 1442695040888963407u + byte;
    return at_ < size_ ? byte : static_cast<std::uint32_t>(state_ >> 40);
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::uint64_t state_ = 1;
};

constexpr int operations = 100;

void run(const std::string& text, recorded decide, int descriptor) {
  if (decide.below(4) == 0) {
    headrace::reader from = headrace::reader::from(text);
    test::random_program(from, text, decide).run(operations);
    return;
  }
  constexpr std::uint32_t limits[] = {1, 2, 7, 64, 9000, 200000};
  const std::uint32_t most = limits[decide.below(6)];
  test::scripted_read script(descriptor, text,
                             [&decide, most](std::size_t) { return std::size_t(decide.below(most + 1)); });
  headrace::reader from(descriptor);
  test::random_program(from, text, decide).run(operations);
}

}  // namespace

// Errors are thrown by the hundred: ASAN_OPTIONS=detect_stack_use_after_return=0 makes it twice as fast.
// The first byte says how often the text is repeated, the next two how long it is; what follows it decides.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::pipe_ends pipe = test::make_pipe();
  if (size < 3) return 0;
  const std::size_t wanted = data[1] + 256u * data[2], length = wanted < size - 3 ? wanted : size - 3;
  const std::string once(reinterpret_cast<const char*>(data) + 3, length);
  constexpr unsigned repeats[] = {1, 1, 1, 1, 1, 1, 2, 3, 10, 200};
  std::string text;
  for (unsigned i = repeats[data[0] % 10]; i > 0 && text.size() < 12000; --i) text += once;
  test::for_each_kernel([&] {
    try {
      run(text, recorded(data + 3 + length, size - 3 - length), pipe.read.get());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::abort();
    }
  });
  return 0;
}
