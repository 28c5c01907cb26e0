#include <string>

#include <unistd.h>

// Python becomes this program. THREADS = 0: it starts, and imports.
static const char program[] = R"python(
import os, sys
import pyarrow
from pyarrow import compute, csv, float64, int8, int64
threads = int(sys.argv[1])
if threads == 0:
    sys.exit()
pyarrow.set_cpu_count(threads)
names = ["id", "name", "price", "quantity", "flag"]
types = {"id": int64(), "price": float64(), "quantity": int64(), "flag": int8()}
reading = csv.ReadOptions(column_names=names, use_threads=threads > 1)
converting = csv.ConvertOptions(include_columns=list(types), column_types=types)
table = csv.read_csv(os.path.realpath("/dev/stdin"), reading, convert_options=converting)
print(sum(compute.sum(column).as_py() for column in table.columns))
)python";

int main() { return execl(PYTHON, PYTHON, "-c", program, std::to_string(THREADS).c_str(), nullptr); }
