// The two stages of reading in bulk, by each kernel: the index of a window's tokens or lines, and their conversion.
// Then the reader itself, from memory.
#include <headrace/headrace.hpp>

#include "support.hpp"

namespace {

using headrace::detail::window_edges;
using headrace::detail::window_size;

// A window of text as the reader holds it: with room on both sides.
class window {
 public:
  template <class Print>
  explicit window(Print print) : bytes_(64, ' ') {
    for (std::size_t i = 0;; ++i) {
      const std::string next = print(i);
      if (bytes_.size() - 64 + next.size() >= window_size) break;
      bytes_.append(next);
    }
    size_ = bytes_.size() - 64;
    bytes_.append(128, ' ');
  }
  const char* text() const { return bytes_.data() + 64; }
  std::size_t size() const { return size_; }

 private:
  std::string bytes_;
  std::size_t size_;
};

// Runs `work` by each kernel of this machine and compares them.
template <class Work>
void race(const std::string& title, double units, const char* unit, Work work) {
  headrace::bench suite{title};
  suite.budget(support::seconds).batch(units, unit);
  for (const support::kernel kernel : support::kernels())
    suite.run(support::name_of(kernel), [work, kernel] {
      support::use(kernel);
      return work();
    });
  if (suite.size() > 1) suite.compare();
}

struct prepared {
  std::vector<std::uint16_t> edges = std::vector<std::uint16_t>(window_edges);
  std::size_t count = 0;
};

prepared indexed(const window& w) {
  prepared made;
  made.count = headrace::detail::index_tokens(w.text(), w.size(), made.edges.data()) / 2;
  return made;
}

template <class Int>
void race_integers(int digits) {
  const std::vector<long long> values = support::integers(digits, false);
  const window w([&](std::size_t i) { return std::to_string(values[i % values.size()]) + ' '; });
  prepared made = indexed(w);
  std::vector<Int> out(window_edges / 2);
  const auto& type = headrace::detail::number_type_of<Int>;
  const std::string what = std::to_string(digits) + " digits to " + std::to_string(8 * sizeof(Int)) + " bits";
  race("index 8 KiB of integers of " + std::to_string(digits) + " digits", static_cast<double>(made.count), "token",
       [&] { return headrace::detail::index_tokens(w.text(), w.size(), made.edges.data()); });
  made = indexed(w);
  race("convert integers of " + what, static_cast<double>(made.count), "token", [&] {
    return type.convert(type, w.text(), made.edges.data(), made.count, reinterpret_cast<char*>(out.data()), nullptr);
  });
}

void race_words() {
  headrace::rng random(5);
  const window w([&](std::size_t) { return std::string(1 + random.below(12), 'x') + ' '; });
  prepared made = indexed(w);
  race("index 8 KiB of words of 1 to 12 letters", static_cast<double>(made.count), "token",
       [&] { return headrace::detail::index_tokens(w.text(), w.size(), made.edges.data()); });
  const window lines([&](std::size_t) { return std::string(random.below(120), 'x') + '\n'; });
  std::vector<std::uint16_t> ends(window_size + 64);
  const std::size_t count = headrace::detail::index_newlines(lines.text(), lines.size(), ends.data());
  race("index 8 KiB of lines of 0 to 119 letters", static_cast<double>(count), "line",
       [&] { return headrace::detail::index_newlines(lines.text(), lines.size(), ends.data()); });
}

// A reader from memory to its end; making it (its tables are allocated) is part of the time, as for a user.
template <class Value>
void race_reader(const char* title, const std::vector<std::string>& parts) {
  std::string text;
  constexpr std::size_t times = 50;
  for (std::size_t i = 0; i < times; ++i) text.append(support::join(parts).all);
  std::vector<Value> values(parts.size() * times);
  race(title, static_cast<double>(values.size()), "number",
       [&] { return headrace::reader::from(text).read_some(values); });
}

template <class Value>
std::vector<std::string> printed(const std::vector<Value>& values, const char* format) {
  std::vector<std::string> parts;
  for (const Value value : values) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    parts.emplace_back(buffer);
  }
  return parts;
}

// Twice the digits: numbers of 128 bits.
std::vector<std::string> doubled(std::vector<std::string> parts) {
  for (std::string& part : parts) part += part.substr(part[0] == '-');
  return parts;
}

}  // namespace

int main() {
  support::introduce("tokens");
  race_integers<std::uint32_t>(3);
  race_integers<std::uint32_t>(6);
  race_integers<std::uint64_t>(19);
  race_words();
  race_reader<long long>("read 50 000 integers of 6 digits in bulk", printed(support::integers(6, true), "%lld"));
#if defined(__SIZEOF_INT128__)
  const std::vector<std::string> of_19_digits = printed(support::integers(19, true), "%lld");
  race_reader<long long>("read 50 000 integers of 19 digits in bulk", of_19_digits);
  race_reader<headrace::int128>("read 50 000 integers of 38 digits in bulk", doubled(of_19_digits));
#endif
  race_reader<double>("read 50 000 doubles of 17 digits in bulk", printed(support::doubles(false), "%.17g"));
}
