#include <headrace/copy.hpp>

int main() { headrace::copy(0, 1); }
