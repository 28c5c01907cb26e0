// Adds up the integers of a gzip file, or of a plain one, which zlib reads alike.
//
//     g++ -std=c++17 -O2 -I include examples/gzip_sum.cpp -o gzip_sum -lz && ./gzip_sum numbers.gz
#include <headrace/headrace.hpp>

#include <cerrno>
#include <cstdio>
#include <zlib.h>

class gzip_source {
 public:
  explicit gzip_source(const char* path) : file_(gzopen(path, "rb")), error_(file_ == nullptr ? errno : 0) {}
  ~gzip_source() { gzclose(file_); }
  gzip_source(const gzip_source&) = delete;
  gzip_source& operator=(const gzip_source&) = delete;

  // What reader::from() asks for: how many bytes were given, 0 at the end, a negative number after a failure.
  int read(char* to, std::size_t size) {
    if (file_ == nullptr) {
      errno = error_;
      return -1;
    }
    const int got = gzread(file_, to, static_cast<unsigned>(size));
    int error = Z_OK;
    gzerror(file_, &error);
    if (error == Z_OK) return got;
    if (error != Z_ERRNO) errno = EBADMSG;  // damaged, or cut off
    return -1;
  }

 private:
  gzFile file_;
  int error_;  // of gzopen
};

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: gzip_sum FILE\n", stderr);
    return 2;
  }
  try {
    gzip_source source(arguments[1]);
    headrace::reader from = headrace::reader::from(source, arguments[1]);
    long long sum = 0;
    for (const long long value : from.values<long long>()) sum += value;
    headrace::out << sum << '\n';
  } catch (const headrace::input_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
