#include <cctype>
#include <cstdio>
#include <cstring>

using namespace std;

// ---- characters
int main() {
  char a = '?', b = '?';
  for (int i = 0; i < 12; ++i) {
    int got = scanf("%c %c", &a, &b);
    printf("%d %c%c %d\n", got, a, b, a);
    if (got < 2) break;
  }
}

// ---- copy
int main() {
  int c;
  while ((c = getchar()) != EOF) putchar(c);
}

// ---- copy_streams
int main() {
  int c, count = 0;
  while ((c = fgetc(stdin)) != EOF) {
    fputc(c == '\n' ? '/' : c, stdout);
    putc(getc(stdin), stdout);
    ++count;
  }
  fprintf(stdout, "%d\n", count);
  fprintf(stderr, "%d pairs\n", count);
}

// ---- fields
int main() {
  const int values[] = {0, 7, -7, 12345, -12345, 2147483647, -2147483647 - 1};
  for (int x : values) {
    printf("%d|%5d|%-5d|%05d|%-05d|%+d|% d|%+5d|%3d|%20d|%.3d|%8.3d|%*d|%-*d|%i\n", x, x, x, x, x, x, x, x, x, x, x, x,
           6, x, 6, x, x);
    printf("%u|%12u|%012u|%x|%#o|%.0d|%'d\n", x, x, x, x, x, x, x);
    printf("%c|%3c|%-3c|%%|%5s|%-5s|%.2s|%10.3s|%s\n", 'x', 'y', 'z', "ab", "ab", "abc", "abcdef", "");
  }
}

// ---- letters
int main() {
  int counts[26] = {}, c;
  while ((c = getchar()) != EOF) {
    if (isalpha(c) && c < 128) ++counts[tolower(c) - 'a'];
  }
  for (int i = 0; i < 26; ++i) {
    if (counts[i]) printf("%c %*d %s\n", 'a' + i, 4, counts[i], counts[i] > 9 ? "many" : "few");
  }
}

// ---- lines
int main() {
  char line[1000];
  int number = 0;
  while (fgets(line, sizeof line, stdin) != nullptr) {
    line[strcspn(line, "\n")] = '\0';
    printf("%3d: %s (%zu)\n", ++number, line, strlen(line));
  }
  printf("%d %d\n", feof(stdin) != 0, ferror(stdin) != 0);
}

// ---- out_of_range
int main() {
  for (int i = 0; i < 12; ++i) {
    int a = 1;
    unsigned b = 2;
    long c = 3;
    short d = 4;
    int got = i % 4 == 0   ? scanf("%d", &a)
              : i % 4 == 1 ? scanf("%u", &b)
              : i % 4 == 2 ? scanf("%ld", &c)
                           : scanf("%hd", &d);
    printf("%d: %d %u %ld %d\n", got, a, b, c, d);
    if (got != 1) printf("%d\n", scanf("%*s"));
  }
}

// ---- pairs
int main() {
  int number;
  char name[100];
  while (scanf("%d %99s", &number, name) == 2) printf("%s=%d\n", name, number);
  puts(feof(stdin) ? "end" : "stopped");
}

// ---- pushed_back
int main() {
  int x = 0;
  for (int i = 0; i < 5; ++i) {
    int c = getchar();
    ungetc(c, stdin);
    if (i % 2) ungetc('7', stdin);
    int got = scanf("%d", &x);
    printf("%d %d %d\n", c, got, x);
    char line[10];
    if (i == 3 && fgets(line, 10, stdin)) printf("%s\n", line);
  }
}

// ---- rest_of_line
int main() {
  int x, c;
  char line[100];
  while (scanf("%d", &x) == 1) {
    while ((c = getchar()) != '\n' && c != EOF) putchar(c);
    if (fgets(line, sizeof line, stdin)) printf("[%s]", line);
    printf("%d\n", x);
  }
}

// ---- rows_of_numbers
int main() {
  double total = 0;
  int id, rows = 0;
  char name[40];
  double price;
  while (scanf("%d , %39[^,] , %lf", &id, name, &price) == 3) {
    printf("%-4d|%-20s|%9.2f\n", id, name, price);
    total += price;
    ++rows;
  }
  printf("%d rows, %.2f\n", rows, total);
}

// ---- sets
int main() {
  char line[300], letters[50];
  for (int i = 0; i < 10; ++i) {
    int a = scanf("%299[^\n]", line);
    int b = scanf("%*c");
    printf("%d %d <%s>\n", a, b, a == 1 ? line : "");
    int c = scanf("%49[a-zA-Z]", letters);
    int d = scanf("%49[]x-]", letters);
    int e = scanf(" %49[^, \t\n]", letters);
    printf("%d %d %d\n", c, d, e);
  }
}

// ---- sets_of_ranges
// Each byte of the input by itself, and by a set that a range goes on in, or that a minus ends or begins.
int main() {
  char byte[2];
  for (;;) {
    if (scanf("%1[1-3-5]", byte) == 1) {
      printf("1-5:%s", byte);
    } else if (scanf("%1[a-c-]", byte) == 1) {
      printf("a-c:%s", byte);
    } else if (scanf("%1[+--/-:-]", byte) == 1) {
      printf("+-:%s", byte);
    } else if (scanf("%1[^ -~-]", byte) == 1) {
      printf("other:%d", byte[0]);
    } else {
      const int rest = getchar();
      if (rest == EOF) return 0;
      printf("%c", rest);
    }
  }
}

// ---- until_the_end
int main() {
  int x = 0, count = 0;
  while (!feof(stdin) && count++ < 100) {
    if (scanf("%d\n", &x) == 0) {
      int c = getchar();
      printf("skipped %c\n", c);
    }
    printf("%d\n", x);
  }
}

// ---- widths_on_input
int main() {
  char a[10] = "", b[10] = "", c = '?';
  int x = 0, y = 0;
  for (int i = 0; i < 6; ++i) {
    int got = scanf("%3s%5[a-z]%2d%1c %4d", a, b, &x, &c, &y);
    printf("%d %s %s %d %c %d\n", got, a, b, x, c, y);
    if (got == 0) getchar();
  }
}

// ---- words
int main() {
  char word[200], longest[200] = "";
  int count = 0;
  while (scanf("%199s", word) == 1) {
    ++count;
    if (strlen(word) > strlen(longest)) strcpy(longest, word);
    printf("%s|%12s|%-12s|\n", word, word, word);
  }
  printf("%d words, longest %s\n", count, longest);
}

// ---- words_in_arrays
// Everything in an array is shown: what is after the zero stays as it was.
template <std::size_t Size>
void show(const char (&text)[Size]) {
  for (const char byte : text) putchar(byte == '\0' ? '.' : byte);
  putchar('\n');
}

int main() {
  char a[16], b[17], c[64], d[200], e[8];
  int n = 7;
  for (;;) {
    memset(a, '-', sizeof a);
    memset(b, '-', sizeof b);
    memset(c, '-', sizeof c);
    memset(d, '-', sizeof d);
    memset(e, '-', sizeof e);
    if (scanf("%15s", a) != 1) break;
    int got = scanf("%15s%63s %199s", b, c, d);
    got += scanf("%7s", e) * 10;
    show(a);
    show(b);
    show(c);
    show(d);
    show(e);
    printf("%d %d\n", got, n);
    char letters[64] = "before";
    got = scanf("%*63s%c%63s", letters, c);
    show(letters);
    show(c);
    printf("%d\n", got);
  }
}
