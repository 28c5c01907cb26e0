extern "C" long long work(long long) { return undeclared; }
