#define CSV_IO_NO_THREAD
#include <csv.h>

#include <cstdio>

int main() {
  io::CSVReader<5, io::trim_chars<>, io::double_quote_escape<',', '"'>> file("stdin", stdin);
  long long id, quantity, flag, whole = 0;
  double price, prices = 0;
  char* name;
  while (file.read_row(id, name, price, quantity, flag)) {
    whole += id + quantity + flag;
    prices += price;
  }
  std::printf("%.17g\n", static_cast<double>(whole) + prices);
}
