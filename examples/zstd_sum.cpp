// Adds up the integers of a file that zstd has compressed.
//
//     g++ -std=c++17 -O2 -I include examples/zstd_sum.cpp -o zstd_sum -lzstd && ./zstd_sum numbers.zst
#include <headrace/headrace.hpp>

#include <cerrno>
#include <cstdio>
#include <zstd.h>

class zstd_source {
 public:
  explicit zstd_source(const char* path)
      : file_(std::fopen(path, "rb")), error_(file_ == nullptr ? errno : 0), stream_(ZSTD_createDStream()) {}
  ~zstd_source() {
    ZSTD_freeDStream(stream_);
    if (file_ != nullptr) std::fclose(file_);
  }
  zstd_source(const zstd_source&) = delete;
  zstd_source& operator=(const zstd_source&) = delete;

  // What reader::from() asks for: how many bytes were given, 0 at the end, a negative number after a failure.
  std::ptrdiff_t read(char* to, std::size_t size) {
    if (file_ == nullptr || stream_ == nullptr) return fail(file_ == nullptr ? error_ : ENOMEM);
    ZSTD_outBuffer out{to, size, 0};
    for (;;) {
      const std::size_t taken = in_.pos;
      const std::size_t wanted = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(wanted) != 0) return fail(EBADMSG);  // damaged, or not of zstd
      if (out.pos != 0 || in_.pos != taken) in_frame_ = wanted != 0;
      if (out.pos != 0) return static_cast<std::ptrdiff_t>(out.pos);
      if (in_.pos != in_.size) continue;
      in_ = {packed_, std::fread(packed_, 1, sizeof packed_, file_), 0};
      if (in_.size != 0) continue;
      if (std::ferror(file_) != 0) return -1;  // fread has set errno
      return in_frame_ ? fail(EBADMSG) : 0;    // cut off
    }
  }

 private:
  static int fail(int error) {
    errno = error;
    return -1;
  }

  std::FILE* file_;
  int error_;  // of fopen
  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_{packed_, 0, 0};
  bool in_frame_ = true;  // a file of no frames is cut off, too
  char packed_[64 * 1024];
};

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: zstd_sum FILE\n", stderr);
    return 2;
  }
  try {
    zstd_source source(arguments[1]);
    headrace::reader from = headrace::reader::from(source, arguments[1]);
    long long sum = 0;
    for (const long long value : from.values<long long>()) sum += value;
    headrace::out << sum << '\n';
  } catch (const headrace::input_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
