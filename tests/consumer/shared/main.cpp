// The library reads and writes; what it wrote has to be there after the program's end.
void print_sum();

int main() { print_sum(); }
