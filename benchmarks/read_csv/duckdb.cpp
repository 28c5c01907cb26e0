#include <string>

#include <unistd.h>

// Python becomes this program. THREADS = 0: it starts, and imports.
static const char program[] = R"python(
import os, sys
import duckdb
threads = int(sys.argv[1])
if threads == 0:
    sys.exit()
duckdb.execute(f"SET threads = {threads}; SET enable_progress_bar = false")
types = "{'id': 'BIGINT', 'name': 'VARCHAR', 'price': 'DOUBLE', 'quantity': 'BIGINT', 'flag': 'TINYINT'}"
table = f"read_csv(?, header = false, auto_detect = false, columns = {types})"
query = f"SELECT sum(id), sum(price), sum(quantity), sum(flag) FROM {table}"
print(float(sum(duckdb.execute(query, [os.path.realpath("/dev/stdin")]).fetchone())))
)python";

int main() { return execl(PYTHON, PYTHON, "-c", program, std::to_string(THREADS).c_str(), nullptr); }
