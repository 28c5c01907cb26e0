// Preloaded into a program that is tried with a remedy, without its source: LD_PRELOAD=shim.so HEADRACE_SHIM=words.
//
//   unsync     std::ios_base::sync_with_stdio(false)
//   untie      std::cin.tie(nullptr)
//   no-flush   std::ostream::flush(), and so endl, does nothing; the flush at exit is let through
//   no-fflush  fflush(stdout) does nothing before the exit
//   buffers    64 KiB for stdin and stdout, whatever the program asks setvbuf, setbuf or setlinebuf for
//   blocks     read(0, ...) and write(1, ...) of less than 4 KiB go through a buffer of 64 KiB; what goes past it
//              (larger ones, readv, writev, lseek) finds it empty
//
// Compiled once for each standard library: it talks to the objects of the one that the program uses.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <streambuf>

#include <dlfcn.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

bool wants(const char* word) {
  const char* const words = std::getenv("HEADRACE_SHIM");
  const char* const found = words == nullptr ? nullptr : std::strstr(words, word);
  return found != nullptr && (found == words || found[-1] == ',');
}

constexpr std::size_t room = 65536;
constexpr std::size_t small = 4096;

bool drops_flush = false;
bool drops_fflush = false;
bool keeps_buffers = false;
bool blocks = false;

char input[room];
std::size_t input_at = 0, input_end = 0;
char output[room];
std::size_t output_size = 0;

// The function that this file hides: real<read>("read")(0, to, size).
template <auto* Function>
auto* real(const char* name) {
  static auto* const hidden = reinterpret_cast<decltype(Function)>(dlsym(RTLD_NEXT, name));
  return hidden;
}

void write_out() {
  std::size_t done = 0;
  while (done < output_size) {
    const ssize_t put = real<write>("write")(1, output + done, output_size - done);
    if (put <= 0) break;
    done += static_cast<std::size_t>(put);
  }
  output_size = 0;
}

std::ios_base::Init streams;  // made first, so destroyed last: its flush comes after `at_exit`

struct at_start_and_exit {
  at_start_and_exit() {
    keeps_buffers = wants("buffers");
    if (keeps_buffers) {
      static char in[room], out[room];
      real<setvbuf>("setvbuf")(stdin, in, _IOFBF, room);
      real<setvbuf>("setvbuf")(stdout, out, _IOFBF, room);
    }
    if (wants("unsync")) std::ios_base::sync_with_stdio(false);
    if (wants("untie")) std::cin.tie(nullptr);
    drops_flush = wants("no-flush");
    drops_fflush = wants("no-fflush");
    blocks = wants("blocks");
  }
  ~at_start_and_exit() {
    drops_flush = drops_fflush = blocks = false;
    write_out();
  }
} at_exit;

}  // namespace

// std::ostream::flush(), under the name that each library gives it.
#if defined(_LIBCPP_VERSION)
std::ostream* flush_stream(std::ostream* stream) __asm__("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE5flushEv");
#else
std::ostream* flush_stream(std::ostream* stream) __asm__("_ZNSo5flushEv");
#endif
std::ostream* flush_stream(std::ostream* stream) {
  if (!drops_flush && stream->rdbuf() != nullptr && stream->rdbuf()->pubsync() == -1) {
    stream->setstate(std::ios_base::badbit);
  }
  return stream;
}

extern "C" {

int fflush(FILE* stream) { return drops_fflush && stream == stdout ? 0 : real<fflush>("fflush")(stream); }

int setvbuf(FILE* stream, char* buffer, int mode, std::size_t size) {
  return keeps_buffers ? 0 : real<setvbuf>("setvbuf")(stream, buffer, mode, size);
}
void setbuf(FILE* stream, char* buffer) { setvbuf(stream, buffer, buffer == nullptr ? _IONBF : _IOFBF, BUFSIZ); }
void setlinebuf(FILE* stream) { setvbuf(stream, nullptr, _IOLBF, 0); }

ssize_t read(int descriptor, void* to, std::size_t size) {
  if (descriptor != 0 || input_at == input_end) {
    if (!blocks || descriptor != 0 || size >= small) return real<read>("read")(descriptor, to, size);
    const ssize_t got = real<read>("read")(0, input, room);
    if (got <= 0) return got;
    input_at = 0;
    input_end = static_cast<std::size_t>(got);
  }
  const std::size_t held = input_end - input_at;
  const std::size_t given = size < held ? size : held;
  std::memcpy(to, input + input_at, given);
  input_at += given;
  return static_cast<ssize_t>(given);
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  if (!blocks || descriptor != 1 || size >= small) {
    if (descriptor == 1) write_out();
    return real<write>("write")(descriptor, from, size);
  }
  if (size > room - output_size) write_out();
  std::memcpy(output + output_size, from, size);
  output_size += size;
  return static_cast<ssize_t>(size);
}

ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (descriptor != 0 || input_at == input_end) return real<readv>("readv")(descriptor, parts, count);
  while (count > 0 && parts->iov_len == 0) ++parts, --count;
  return count > 0 ? read(0, parts->iov_base, parts->iov_len) : 0;
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (descriptor == 1) write_out();
  return real<writev>("writev")(descriptor, parts, count);
}

off_t lseek(int descriptor, off_t offset, int whence) {
  if (descriptor == 1) write_out();
  if (descriptor == 0 && input_at != input_end) {
    const off_t ahead = static_cast<off_t>(input_end - input_at);
    if (real<lseek>("lseek")(0, -ahead, SEEK_CUR) == -1) return -1;
    input_at = input_end;
  }
  return real<lseek>("lseek")(descriptor, offset, whence);
}
off_t lseek64(int descriptor, off_t offset, int whence) __attribute__((alias("lseek")));  // libstdc++ calls this one
}
