#include <cstdio>

int main() { std::puts("42"); }
