long long work(long long size) { return size; }
