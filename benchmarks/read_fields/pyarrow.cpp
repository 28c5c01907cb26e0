#include <string>

#include <unistd.h>

// Python becomes this program. THREADS = 0: it starts, and imports.
static const char program[] = R"python(
import csv, os, sys
import pyarrow
from pyarrow import compute, string
from pyarrow.csv import ConvertOptions, ReadOptions, read_csv
threads = int(sys.argv[1])
if threads == 0:
    sys.exit()
pyarrow.set_cpu_count(threads)
path = os.path.realpath("/dev/stdin")
with open(path) as file:
    names = [str(number) for number in range(len(next(csv.reader(file))))]
reading = ReadOptions(column_names=names, use_threads=threads > 1)
table = read_csv(path, reading, convert_options=ConvertOptions(column_types=dict.fromkeys(names, string())))
sizes = [compute.sum(compute.binary_length(column)).as_py() for column in table.columns]
print(table.num_rows * len(names), sum(size or 0 for size in sizes))
)python";

int main() { return execl(PYTHON, PYTHON, "-c", program, std::to_string(THREADS).c_str(), nullptr); }
