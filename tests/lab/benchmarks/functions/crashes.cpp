#include <csignal>

extern "C" long long work(long long size) {
  std::raise(SIGSEGV);
  return size;
}
