extern "C" long long work(long long size) { return size + 1; }
