// Reads a file of columns by the library, and says in a line of JSON which types take the values of each column.
//
//   survey plain|gzip|zstd PATH SEPARATOR,QUOTE,COMMENT,TRIMS...  bytes as numbers, 0 for none; a line per format
//   survey gzip|zstd PATH head BYTES                              nothing of that: its first bytes, unpacked
//
// Rows are of any width; one that the library refuses (its quotes are wrong) is counted. The first row may be a header
// and is told apart. Texts in the JSON are bytes, each a character of Latin-1. Every 2^18 rows it says how many it has
// read, {"read": 262144}, and ends if its standard input has. An error is a sentence on standard error, and the status
// 2; 3: it was built without zlib, or libzstd.
#include <headrace/columns.hpp>
#include <headrace/time.hpp>
#if SURVEY_GZIP
#include <headrace/gzip.hpp>
#endif
#if SURVEY_ZSTD
#include <headrace/zstd.hpp>
#endif

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using headrace::out;
using std::string_view;

namespace {

// Types that a column may have, as bits, in the order of survey.TYPES. `comma`: a double with a decimal comma.
enum type : unsigned {
  int32 = 1,
  int64 = 2,
  uint64 = 4,
  real = 8,
  comma = 16,
  date = 32,
  seconds = 64,
  milliseconds = 128,
  microseconds = 256,
  nanoseconds = 512
};
// Why a number has no type: in the order of survey.WHY.
enum reason : unsigned { none, out_of_range, leading_zero, rounded };

struct kind {
  unsigned types = 0;
  unsigned why = none;
};

template <class T>
bool takes(string_view text) {
  T value;
  return headrace::io<T>::parse(text.data(), text.data() + text.size(), value) == std::errc{};
}

kind kind_of_time(string_view text) {
  using namespace std::chrono;
  if (text.size() == 10) return {takes<headrace::sys_days>(text) ? unsigned(date) : 0u, none};
  unsigned types = 0;
  if (takes<headrace::sys_time<std::chrono::seconds>>(text)) types |= seconds;
  if (takes<headrace::sys_time<std::chrono::milliseconds>>(text)) types |= milliseconds;
  if (takes<headrace::sys_time<std::chrono::microseconds>>(text)) types |= microseconds;
  if (takes<headrace::sys_time<std::chrono::nanoseconds>>(text)) types |= nanoseconds;
  return {types, none};
}

template <class T>
std::errc parse_all(string_view text, T& value) {
  const char* const last = text.data() + text.size();
  const headrace::parse_result got = headrace::parse(text.data(), last, value);
  return got.ec == std::errc{} && got.ptr != last ? std::errc::invalid_argument : got.ec;
}

// Doubles are told by a point or an exponent: of an integer, only what they hold exactly is one of them.
template <class Int>
unsigned doubles_of(Int value) {
  constexpr Int exact = Int(1) << 53;
  const bool is_exact = value <= exact && (value >= 0 || value >= Int(0) - exact);
  return is_exact ? unsigned(real | comma) : 0u;
}

kind kind_of_number(string_view text) {
  const string_view digits = text.substr(text[0] == '-' || text[0] == '+');
  std::int64_t whole;
  std::uint64_t positive;
  double number;
  const bool is_integer = digits.find_first_not_of("0123456789") == string_view::npos && !digits.empty();
  if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
    return {0, parse_all(text, number) == std::errc::invalid_argument ? none : leading_zero};
  }
  if (is_integer && parse_all(text, whole) == std::errc{}) {
    const bool is_int32 = whole >= INT32_MIN && whole <= INT32_MAX;
    const unsigned doubles = doubles_of(whole);
    return {(is_int32 ? int32 : 0u) | int64 | (whole >= 0 ? uint64 : 0u) | doubles, doubles != 0 ? none : rounded};
  }
  if (is_integer && parse_all(text, positive) == std::errc{}) return {uint64, rounded};
  const std::errc error = parse_all(text, number);
  if (error == std::errc::result_out_of_range) return {0, out_of_range};
  if (error != std::errc{}) return {};
  if (is_integer) return {0, rounded};
  return {text.find('.') == string_view::npos ? unsigned(real | comma) : unsigned(real), none};
}

kind kind_with_comma(string_view text, std::size_t at) {
  if (text.size() > 400 || text.find('.') != string_view::npos) return {};
  std::string with_point(text);
  with_point[at] = '.';
  return {kind_of_number(with_point).types == real ? unsigned(comma) : 0u, none};
}

kind kind_of(string_view text) {
  constexpr string_view begins = "0123456789+-.,iInN";
  if (begins.find(text[0]) == string_view::npos) return {};
  if (text.size() >= 10 && text[4] == '-') return kind_of_time(text);
  const std::size_t at = text.find(',');
  return at == string_view::npos ? kind_of_number(text) : kind_with_comma(text, at);
}

void write_text(string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out << '"';
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= ' ' && code < 0x7F && byte != '"' && byte != '\\') {
      out << byte;
    } else {
      out << "\\u00" << hex[code >> 4] << hex[code & 15];
    }
  }
  out << '"';
}

// Whether the standard input has ended, as it does when the lab ends.
bool is_left_alone() {
  pollfd input{0, POLLIN, 0};
  char byte;
  while (poll(&input, 1, 0) > 0) {
    if (::read(0, &byte, 1) <= 0) return true;
  }
  return false;
}

struct example {
  kind of;
  std::uint64_t count = 0;
  std::uint64_t line = 0;
  std::string text;  // its first 40 bytes
};

struct column {
  std::vector<example> examples;  // one of each kind: there are few
  std::uint64_t empty = 0, empty_line = 0;
  std::uint64_t repeats_line = 0;  // where the first row's text is there again

  void take(const headrace::record& row, string_view text) {
    if (text.empty()) {
      if (empty++ == 0) empty_line = row.line();
      return;
    }
    const kind of = kind_of(text);
    for (example& each : examples) {
      if (each.of.types != of.types || each.of.why != of.why) continue;
      ++each.count;
      return;
    }
    examples.push_back({of, 1, row.line(), std::string(text.substr(0, 40))});
  }

  void write() const {
    out.print("{\"empty\":", empty, ",\"empty_line\":", empty_line, ",\"repeats_line\":", repeats_line);
    const char* before = ",\"examples\":[";
    for (const example& each : examples) {
      out.print(before, '[', each.of.types, ',', each.of.why, ',', each.count, ',', each.line, ',');
      write_text(each.text);
      out << ']';
      before = ",";
    }
    out << (examples.empty() ? ",\"examples\":[]}" : "]}");
  }
};

// Rows of one width, without the first row.
struct table {
  std::uint64_t rows = 0;
  std::uint64_t first_line = 0;
  std::vector<column> columns;
};

class survey {
 public:
  // Goes on until the end, or until many rows were refused, whose errors are not kept. False at the end.
  bool read(headrace::reader& from, const headrace::delimited& format) {
    headrace::rejects refused(1000);
    for (const headrace::record row : from.records(format.with_ragged_rows(), refused)) {
      take(row);
      if ((++rows_ & 0x3FFFF) != 0) continue;
      out.println("{\"read\":", rows_, '}');
      out.flush();
      if (is_left_alone()) std::exit(1);
    }
    if (refused_ == 0 && !refused.empty()) {
      first_refused_ = refused[0].what();
      is_first_refused_ = refused[0].row() == 1;
    }
    refused_ += refused.size();
    return refused.is_full();
  }

  void write() const {
    out.print("{\"rows\":", rows_, ",\"refused\":", refused_, ",\"is_first_refused\":", int(is_first_refused_));
    out << ",\"first_refused\":";
    write_text(first_refused_);
    const char* before = ",\"widths\":{\"";
    for (const auto& [width, each] : tables_) {
      out.print(before, width, "\":[", each.rows, ',', each.first_line, ']');
      before = ",\"";
    }
    out.print(tables_.empty() ? ",\"widths\":{}" : "}", ",\"first_line\":", first_line_, ",\"first\":[");
    write_columns(first_);
    out << "],\"names\":[";
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (i != 0) out << ',';
      write_text(string_view(names_[i]).substr(0, most_of_a_name));
    }
    const auto usual = most_rows();
    const bool has_rows = usual != tables_.end();
    out.print("],\"most_lines\":[", most_lines_, ',', most_lines_begin_);
    out.print("],\"width\":", has_rows ? usual->first : names_.size(), ",\"columns\":[");
    if (has_rows) write_columns(usual->second.columns);
    out << "]}\n";
  }

 private:
  static constexpr std::size_t most_of_a_name = 1000;  // bytes, as survey.LONGEST_NAME
  static constexpr std::size_t few_lines = 20;         // texts of several lines are usual
  static constexpr std::size_t most_widths = 64;       // rows of further ones are counted, and their columns are not

  void take(const headrace::record& row) {
    if (names_.empty()) {
      take_first(row);
      return;
    }
    const std::size_t width = row.size();
    table& of = tables_[width];
    if (of.rows++ == 0) of.first_line = row.line();
    if (of.columns.empty() && tables_.size() <= most_widths) of.columns.resize(width);
    const bool is_as_first = width == names_.size();
    for (std::size_t i = 0; i < of.columns.size(); ++i) {
      const string_view text = row[i];
      column& to = of.columns[i];
      if (text.size() >= 2 * most_lines_) note_lines(row, text);
      if (is_as_first && to.repeats_line == 0 && text == names_[i]) to.repeats_line = row.line();
      to.take(row, text);
    }
  }

  void take_first(const headrace::record& row) {
    first_line_ = row.line();
    first_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      names_.emplace_back(row[i]);
      first_[i].take(row, names_.back());
    }
  }

  void note_lines(const headrace::record& row, string_view text) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines <= most_lines_) return;
    most_lines_ = lines;
    most_lines_begin_ = row.line();
  }

  static void write_columns(const std::vector<column>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i != 0) out << ',';
      columns[i].write();
    }
  }

  // The width that most rows have; of several the first row's, or else the smallest.
  std::map<std::size_t, table>::const_iterator most_rows() const {
    return std::max_element(tables_.begin(), tables_.end(), [this](const auto& a, const auto& b) {
      const bool a_first = a.first == names_.size(), b_first = b.first == names_.size();
      return a.second.rows != b.second.rows ? a.second.rows < b.second.rows : !a_first && b_first;
    });
  }

  std::uint64_t rows_ = 0, refused_ = 0;
  std::string first_refused_;
  bool is_first_refused_ = false;
  std::uint64_t first_line_ = 0;
  std::size_t most_lines_ = few_lines;  // of a field,
  std::uint64_t most_lines_begin_ = 0;  // and where its row begins; 0: none has more than few
  std::vector<std::string> names_;      // the first row
  std::vector<column> first_;
  std::map<std::size_t, table> tables_;
};

headrace::delimited format_of(const char* text) {
  int bytes[4] = {};
  for (int& byte : bytes) {
    char* end;
    byte = static_cast<int>(std::strtol(text, &end, 10));
    text = end + (*end == ',');
  }
  const auto format = headrace::delimited(static_cast<char>(bytes[0]))
                          .with_quote(static_cast<char>(bytes[1]))
                          .with_comments(static_cast<char>(bytes[2]));
  return bytes[3] != 0 ? format.trimmed() : format;
}

// Calls `action` with what a reader is made of.
template <class Action>
void with_source(string_view how, const char* path, Action action) {
#if SURVEY_GZIP
  if (how == "gzip") return action(headrace::gzip_source(path));
#endif
#if SURVEY_ZSTD
  if (how == "zstd") return action(headrace::zstd_source(path));
#endif
  if (how != "plain") std::exit(3);
  action(path);
}

// Of a file that is damaged, what comes before that.
template <class Source>
void copy_head(Source& from, std::size_t size) {
  std::vector<char> bytes(size);
  std::size_t had = 0;
  while (had != size) {
    const std::ptrdiff_t got = from.read(bytes.data() + had, size - had);
    if (got <= 0) break;
    had += static_cast<std::size_t>(got);
  }
  out.write({bytes.data(), had});
}

}  // namespace

int main(int count, char** words) {
  try {
    const bool is_head = count == 5 && string_view(words[3]) == "head";
    for (int i = 3; i < (is_head ? 4 : count); ++i) {
      with_source(words[1], words[2], [&](auto source) {
        if constexpr (std::is_class_v<decltype(source)>) {
          if (is_head) return copy_head(source, std::strtoul(words[4], nullptr, 10));
        }
        headrace::reader from{std::move(source)};
        survey of;
        while (of.read(from, format_of(words[i]))) {}
        of.write();
      });
    }
    out.flush();
  } catch (const std::exception& error) {
    out.flush();
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
