// Descriptors that close themselves, and files that go away.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace test {

#if defined(_WIN32)
inline int new_pipe(int (&ends)[2]) { return ::_pipe(ends, 65536, _O_BINARY); }
inline int new_file(char* path) {  // fills in the XXXXXX
  return ::_mktemp(path) == nullptr ? -1 : ::_open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY, 0600);
}
#else
inline int new_pipe(int (&ends)[2]) { return ::pipe2(ends, O_CLOEXEC); }
inline int new_file(char* path) { return ::mkstemp(path); }
#endif

[[noreturn]] inline void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {
    if (number_ < 0) fail("no descriptor");
  }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const { return number_; }

 private:
  int number_ = -1;
};

struct pipe_ends {
  descriptor read;
  descriptor write;
};

inline pipe_ends make_pipe() {
  int ends[2];
  if (new_pipe(ends) != 0) fail("pipe");
  return {descriptor(ends[0]), descriptor(ends[1])};
}

inline void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const auto put = ::write(to, text.data(), static_cast<unsigned>(text.size()));
    if (put < 0 && errno != EINTR) fail("write");
    if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
  }
}

// Reads until `size` bytes are there, or the end comes first.
inline std::string read_all(int from, std::size_t size = static_cast<std::size_t>(-1)) {
  std::string text;
  char block[4096];
  while (text.size() < size) {
    const std::size_t rest = size - text.size();
    const auto got = ::read(from, block, static_cast<unsigned>(rest < sizeof block ? rest : sizeof block));
    if (got <= 0) break;
    text.append(block, static_cast<std::size_t>(got));
  }
  return text;
}

// A file that holds `text`, open for reading and writing at its start, removed with the object.
class temporary_file {
 public:
  explicit temporary_file(std::string_view text = {}) {
    path_ = (std::filesystem::temp_directory_path() / "headrace_test_XXXXXX").string();
#if defined(O_LARGEFILE)
    file_ = descriptor(::mkostemp(path_.data(), O_LARGEFILE));  // beyond 2 GiB in a program of 32 bits
#else
    file_ = descriptor(new_file(path_.data()));
#endif
    write_all(file_.get(), text);
    ::lseek(file_.get(), 0, SEEK_SET);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    file_.close();  // Windows keeps what is open
    ::unlink(path_.c_str());
  }

  const std::string& path() const { return path_; }
  int get() const { return file_.get(); }

 private:
  std::string path_;
  descriptor file_;
};

}  // namespace test
