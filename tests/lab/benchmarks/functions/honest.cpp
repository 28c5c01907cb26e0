#ifndef TIMES
#define TIMES 1
#endif

extern "C" long long work(long long size) {
  long long done = 0;
  for (int i = 0; i < TIMES * 1000; ++i) {
    done = 0;
    for (long long k = 0; k < size; ++k) {
      done += 1;
      asm volatile("" : "+r"(done));
    }
  }
  return done;
}
