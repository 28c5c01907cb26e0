// What bad tokens cost a program that passes over them by parse() and skip(), or by parse_row() and skip_row(): numbers
// of which some are damaged, from memory, from a file and through a pipe, in units of the same text without errors.
// Both take turns in one process, each kernel by itself, and the fastest of many rounds counts.
//
//     bad_tokens_bench [bytes] [bad tokens] [rounds]
#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>

#include <cmath>
#include <cstdlib>
#include <tuple>

#if !HEADRACE_WINDOWS
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "support.hpp"

namespace {

struct input {
  std::string clean;
  std::string damaged;  // has an x in some tokens
  std::size_t tokens = 0;
};

using print_function = int (*)(char* to, std::size_t size, headrace::rng& random);

input make_input(print_function print, std::size_t bytes, std::size_t bad) {
  headrace::rng random(1);
  input made;
  std::vector<std::size_t> ends;
  while (made.clean.size() < bytes) {
    char token[64];
    made.clean.append(token, static_cast<std::size_t>(print(token, sizeof token, random))) += '\n';
    ends.push_back(made.clean.size() - 1);
  }
  made.damaged = made.clean;
  made.tokens = ends.size();
  for (std::size_t i = 0; i < ends.size() && bad > 0; ++i) {  // each choice of so many is as likely
    if (random.below(ends.size() - i) >= bad) continue;
    --bad;
    made.damaged[ends[i] - 1 - random.below(3)] = 'x';
  }
  return made;
}

// ---- where the text comes from ----

struct from_memory {
  static constexpr const char* name = "memory";
  const std::string& text;
  template <class Read>
  void operator()(Read read) const {
    read(headrace::reader::from(text));
  }
};

#if !HEADRACE_WINDOWS
[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(2);
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0) give_up("bad_tokens_bench: cannot write its input");
    done += static_cast<std::size_t>(written);
  }
}

class from_file {
 public:
  static constexpr const char* name = "file";
  explicit from_file(const std::string& text) : file_(std::tmpfile()) {
    if (file_ == nullptr) give_up("bad_tokens_bench: cannot make a temporary file");
    write_all(fileno(file_), text);
  }
  from_file(const from_file&) = delete;
  from_file& operator=(const from_file&) = delete;
  ~from_file() { std::fclose(file_); }
  template <class Read>
  void operator()(Read read) const {
    lseek(fileno(file_), 0, SEEK_SET);
    read(headrace::reader(fileno(file_)));
  }

 private:
  std::FILE* file_;
};

// Another process writes: its time is not counted.
struct from_pipe {
  static constexpr const char* name = "pipe";
  const std::string& text;
  template <class Read>
  void operator()(Read read) const {
    int ends[2];
    if (pipe(ends) != 0) give_up("bad_tokens_bench: cannot make a pipe");
    const pid_t child = fork();
    if (child < 0) give_up("bad_tokens_bench: cannot start a process");
    if (child == 0) {
      close(ends[0]);
      write_all(ends[1], text);
      _exit(0);
    }
    close(ends[1]);
    read(headrace::reader(ends[0]));
    close(ends[0]);
    waitpid(child, nullptr, 0);
  }
};
#endif

// ---- the race ----

// Passes over what `parse` does not take, and checks how many there were.
template <class Parse, class Skip>
void read_past_errors(std::size_t all, std::size_t bad, Parse parse, Skip skip) {
  std::size_t good = 0, passed = 0;
  for (;;) {
    const headrace::read_result result = parse();
    if (result) {
      ++good;
    } else if (result.error->at_end()) {
      break;
    } else {
      ++passed;
      if (!skip()) break;
    }
  }
  if (good + passed == all && passed == bad) return;
  std::fprintf(stderr, "bad_tokens_bench: %zu good ones and %zu bad ones were read, where %zu and %zu are\n", good,
               passed, all - bad, bad);
  std::exit(1);
}

template <class Value>
struct values {
  void operator()(headrace::reader from, std::size_t all, std::size_t bad) const {
    Value value{};
    read_past_errors(all, bad, [&] { return from.parse(value); }, [&] { return from.skip(); });
    headrace::keep(value);
  }
};

template <class... T>
struct rows {
  void operator()(headrace::reader from, std::size_t all, std::size_t bad) const {
    auto found = from.rows<T...>(headrace::csv);
    std::tuple<T...> row;
    read_past_errors(all, bad, [&] { return found.parse_row(row); }, [&] { return found.skip_row(); });
    headrace::keep(row);
  }
};

template <class Read, class Source>
void race(const char* what, const input& text, std::size_t bad, int rounds) {
  const Source clean{text.clean}, damaged{text.damaged};
  std::vector<support::way> ways;
  for (const support::kernel kernel : support::kernels()) {
    const auto add = [&, kernel](const Source& source, std::size_t errors) {
      ways.push_back({support::name_of(kernel), [&source, &text, kernel, errors] {
                        support::use(kernel);
                        source([&](headrace::reader from) { Read{}(std::move(from), text.tokens, errors); });
                      }});
    };
    add(clean, 0);
    add(damaged, bad);
  }
  const std::vector<double> times = support::race(ways, text.tokens, rounds);
  std::printf("| %s, %s | %.1f |", what, Source::name, times[0]);
  for (std::size_t i = 0; i < times.size(); i += 2) std::printf(" %.2f |", times[i + 1] / times[i]);
  std::puts("");
}

template <class Read>
void race_all(const char* what, print_function print, std::size_t bytes, std::size_t bad, int rounds) {
  const input text = make_input(print, bytes, bad);
  if (bad > text.tokens) {
    std::fprintf(stderr, "bad_tokens_bench: %zu bytes hold %zu tokens (%s), fewer than %zu\n", bytes, text.tokens, what,
                 bad);
    std::exit(2);
  }
  race<Read, from_memory>(what, text, bad, rounds);
#if !HEADRACE_WINDOWS
  race<Read, from_file>(what, text, bad, rounds);
  race<Read, from_pipe>(what, text, bad, rounds);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000000;
  const std::size_t bad = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100000;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  if (bytes == 0 || bad == 0 || rounds <= 0) {
    std::fputs(
        "bad_tokens_bench: how many bytes, how many bad tokens, and how many rounds? For example: "
        "bad_tokens_bench 10000000 100000 20\n",
        stderr);
    return 2;
  }
  std::printf("%zu bad tokens in %zu bytes, in units of the same without:\n\n| | none, ns per token |", bad, bytes);
  for (const support::kernel kernel : support::kernels()) std::printf(" %s |", support::name_of(kernel));
  std::printf("\n|---|--:|");
  for (std::size_t i = 0; i < support::kernels().size(); ++i) std::printf("--:|");
  std::puts("");
  race_all<values<int>>(
      "integers of 6 digits",
      [](char* to, std::size_t size, headrace::rng& random) {
        return std::snprintf(to, size, "%d", 100000 + static_cast<int>(random.below(900000)));
      },
      bytes, bad, rounds);
  race_all<values<double>>(
      "doubles of 2 to 6 digits",
      [](char* to, std::size_t size, headrace::rng& random) {
        return std::snprintf(to, size, "%.*f", 1 + static_cast<int>(random.below(2)),
                             std::pow(10, 4 * random.uniform()));
      },
      bytes, bad, rounds);
  race_all<values<double>>(
      "doubles of 17 digits",
      [](char* to, std::size_t size, headrace::rng& random) {
        return std::snprintf(to, size, "%.17g", random.uniform());
      },
      bytes, bad, rounds);
  race_all<rows<int, double, int>>(
      "rows of 3 numbers",
      [](char* to, std::size_t size, headrace::rng& random) {
        return std::snprintf(to, size, "%d,%.1f,%d", 100000 + static_cast<int>(random.below(900000)),
                             10000 * random.uniform(), 100000 + static_cast<int>(random.below(900000)));
      },
      bytes, bad, rounds);
}
