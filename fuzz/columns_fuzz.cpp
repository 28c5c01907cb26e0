// The fuzzer's bytes as a format and a text: what rows give from memory, where a kernel takes them by the window, and
// byte by byte, where each is split alone, must agree to the letter of each error; under every kernel.
#include <headrace/columns.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "../tests/support/kernels.hpp"

namespace {

using headrace::delimited;
using headrace::reader;

struct byte_by_byte {
  std::string_view left;
  long read(char* to, std::size_t) {
    if (left.empty()) return 0;
    *to = left.front();
    left.remove_prefix(1);
    return 1;
  }
};

struct record {
  std::optional<std::int64_t> number;
  std::string text;
  std::optional<double> fraction;
};

std::string show(const record& row) {
  char fraction[40] = "none";
  if (row.fraction) std::snprintf(fraction, sizeof fraction, "%a", *row.fraction);
  return (row.number ? std::to_string(*row.number) : "none") + '|' + row.text + '|' + fraction;
}
std::string show(const std::tuple<std::string, std::string>& row) { return std::get<0>(row) + '|' + std::get<1>(row); }
std::string show(const std::tuple<int>& row) { return std::to_string(std::get<0>(row)); }

// Every row or error, and where the reader is after it; of the first 2,000, as to count lines for each error takes the
// square of their number.
template <class... T>
std::string read_all_rows(reader from, const delimited& format) {
  std::string seen;
  auto rows = from.rows<T...>(format);
  typename decltype(rows)::value_type row{};
  for (int i = 0; i < 2000; ++i) {
    const headrace::read_result result = rows.parse_row(row);
    seen += std::to_string(from.where().offset) + ' ';
    if (result) {
      seen += show(row) + '\n';
      continue;
    }
    if (result.error->at_end()) return seen;
    seen += std::string(result.error->what()).substr(std::strlen(from.name())) + '\n';
    if (!rows.skip_row()) return seen + "stuck";
  }
  return seen;
}

// No kernel has a part in what is read byte by byte.
template <class... T>
void compare(const std::string& text, const delimited& format) {
  byte_by_byte source{text};
  const std::string expected = read_all_rows<T...>(reader::from(source), format);
  test::for_each_kernel([&] {
    const std::string seen = read_all_rows<T...>(reader::from(text), format);
    if (seen == expected) return;
    std::fprintf(stderr, "%s: whole\n%sbyte by byte\n%s", test::chosen_kernel_name(), seen.c_str(), expected.c_str());
    std::abort();
  });
}

delimited choose_format(std::uint8_t byte) {
  delimited format(";,\t\0-1. "[byte & 7]);
  if ((byte & 8) != 0) format = format.trimmed();
  if ((byte & 16) != 0) format = format.with_comments('#');
  if ((byte & 32) != 0) format = format.with_decimal_comma();
  if ((byte & 64) != 0) format = format.with_empty_lines();
  return (byte & 128) != 0 ? format.without_quotes() : format;
}

}  // namespace

// The first byte is the format, the second how often the text is repeated: once or twice, or so that it is longer than
// a block of a kernel, or than a window.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const delimited format = choose_format(data[0]);
  const std::string once(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t enough = data[1] == 255 ? 20000 : data[1] % 8 == 7 ? 300 : once.size() * (1 + data[1] % 2);
  std::string text = once;
  while (text.size() < enough && !once.empty()) text += once;
  compare<record>(text, format);
  compare<std::string, std::string>(text, format);
  compare<int>(text, format);
  return 0;
}
