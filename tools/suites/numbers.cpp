// Answers questions about numbers, a line each, on standard input:
//   read TYPE TEXT              what a text is as a number: "ok BITS", or "refused" and why
//   prefix TYPE TEXT            the same of the longest number that a text begins with: "ok BITS LENGTH"
//   shortest TYPE BITS          the shortest text
//   fixed|scientific TYPE BITS PRECISION
// Words are separated by tabs, TYPE is f or d, BITS are hexadecimal. The argument is the way:
//   pure    parse() and format()
//   single  a reader's and a writer's operators, one value at a time
//   bulk    reader.read(vector) and writer.write_range(vector), of all values of a type at once
//   kernels prints the kernels of this machine
#include <headrace/headrace.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

struct question {
  std::string kind, type, text;
  int precision = 0;
};

template <class Float>
using bits_of = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

template <class Float>
std::string hexadecimal(Float value) {
  bits_of<Float> bits;
  std::memcpy(&bits, &value, sizeof bits);
  std::string text;
  for (int shift = sizeof bits * 8 - 4; shift >= 0; shift -= 4) text += "0123456789ABCDEF"[bits >> shift & 15];
  return text;
}

template <class Float>
Float value_of(const std::string& text) {
  bits_of<Float> bits = 0;
  headrace::parse(text.data(), text.data() + text.size(), bits, 16);
  Float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

headrace::float_style style_of(const question& asked) {
  return asked.kind == "fixed" ? headrace::float_style::fixed : headrace::float_style::scientific;
}

template <class Float>
std::string parsed(const question& asked) {
  const char* const last = asked.text.data() + asked.text.size();
  Float value{};
  const auto [end, error] = headrace::parse(asked.text.data(), last, value);
  const bool is_whole = end == last || asked.kind == "prefix";
  if (error == std::errc{} && is_whole) {
    std::string answer = "ok " + hexadecimal(value);
    if (asked.kind == "prefix") answer += ' ' + std::to_string(end - asked.text.data());
    return answer;
  }
  return error == std::errc::result_out_of_range && is_whole ? "refused: out of range" : "refused: malformed";
}

// By a reader, whose error has to name the place of the token.
template <class Float>
std::string read_one(const question& asked) {
  headrace::reader from = headrace::reader::from(std::string_view(asked.text));
  try {
    return "ok " + hexadecimal(from.read<Float>());
  } catch (const headrace::input_error& error) {
    if (error.line() != 1 || error.column() != 1) return std::string("refused without its place: ") + error.what();
    return error.code() == headrace::errc::out_of_range ? "refused: out of range" : "refused: malformed";
  }
}

template <class Float>
std::string formatted(const question& asked) {
  char text[2048];
  const auto value = value_of<Float>(asked.text);
  const auto done = asked.kind == "shortest"
                        ? headrace::format(text, text + sizeof text, value)
                        : headrace::format(text, text + sizeof text, value, style_of(asked), asked.precision);
  return done ? std::string(text, done.ptr) : "no room";
}

template <class Float>
std::string written(const question& asked, bool is_range) {
  std::string text;
  headrace::writer to = headrace::writer::into(text);
  const std::vector<Float> values(1, value_of<Float>(asked.text));
  if (is_range) {
    to.write_range(values, ' ', style_of(asked), asked.precision);
  } else if (asked.kind == "shortest") {
    to << values[0];
  } else {
    to << headrace::styled_float<Float>{values[0], style_of(asked), asked.precision};
  }
  to.flush();
  return text;
}

bool is_read(const question& asked) { return asked.kind == "read" || asked.kind == "prefix"; }

template <class Float>
std::string answer_one(const question& asked, bool is_pure) {
  if (asked.kind == "prefix" || (is_pure && is_read(asked))) return parsed<Float>(asked);
  if (is_read(asked)) return read_one<Float>(asked);
  return is_pure ? formatted<Float>(asked) : written<Float>(asked, false);
}

// All values that can be read, from one text by one call; all shortest texts by one call.
template <class Float>
void answer_in_bulk(const std::vector<question>& questions, char type, std::vector<std::string>& answers) {
  std::vector<std::size_t> reads, writes;
  std::vector<Float> values;
  std::string text;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const question& asked = questions[i];
    if (asked.type[0] != type) continue;
    if (asked.kind == "shortest") {
      writes.push_back(i);
      values.push_back(value_of<Float>(asked.text));
    } else if (!is_read(asked)) {
      answers[i] = written<Float>(asked, true);
    } else if (asked.kind == "prefix" || parsed<Float>(asked)[0] != 'o') {
      answers[i] = answer_one<Float>(asked, false);
    } else {
      reads.push_back(i);
      text += asked.text + (reads.size() % 8 == 0 ? '\n' : ' ');
    }
  }
  std::vector<Float> numbers(reads.size());
  headrace::reader from = headrace::reader::from(std::string_view(text));
  from.read(numbers);
  for (std::size_t i = 0; i < reads.size(); ++i) answers[reads[i]] = "ok " + hexadecimal(numbers[i]);
  text.clear();
  headrace::writer to = headrace::writer::into(text);
  to.write_range(values, '\n');
  to.flush();
  headrace::reader lines = headrace::reader::from(std::string_view(text));
  for (const std::size_t i : writes) answers[i] = lines.read_line();
}

question question_of(std::string_view line) {
  std::string words[4];
  for (std::size_t word = 0; word < 4 && !line.empty(); ++word) {
    const std::size_t size = line.find('\t');
    words[word] = line.substr(0, size);
    line.remove_prefix(size == line.npos ? line.size() : size + 1);
  }
  question asked{words[0], words[1], words[2]};
  headrace::parse(words[3].data(), words[3].data() + words[3].size(), asked.precision);
  return asked;
}

void print_kernels() {
  namespace detail = headrace::detail;
  for (unsigned kernel = 0; kernel < detail::kernel_count; ++kernel) {
    if (!detail::is_usable(kernel, detail::processor_features())) continue;
    headrace::out.println(detail::kernel_table<detail::kernel_name>[kernel]);
  }
}

}  // namespace

int main(int, char** words) {
  const std::string_view way = words[1];
  if (way == "kernels") {
    print_kernels();
    return 0;
  }
  std::vector<question> questions;
  for (const std::string_view line : headrace::in.lines()) questions.push_back(question_of(line));
  std::vector<std::string> answers(questions.size());
  if (way == "bulk") {
    answer_in_bulk<float>(questions, 'f', answers);
    answer_in_bulk<double>(questions, 'd', answers);
  } else {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const question& asked = questions[i];
      answers[i] =
          asked.type == "f" ? answer_one<float>(asked, way == "pure") : answer_one<double>(asked, way == "pure");
    }
  }
  for (const std::string& answer : answers) headrace::out.println(answer);
}
