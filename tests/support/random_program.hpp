// A random program of reads, run on a reader and on the model side by side: values, errors and positions must agree.
// A difference throws std::logic_error, so that a fuzz target can use it as a test does.
#pragma once

#include <headrace/reader.hpp>

#include <cstdint>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model.hpp"

namespace test {

// Numbers that decide what happens next: from a generator in a test, from the input in a fuzz target.
class choices {
 public:
  virtual ~choices() = default;
  virtual std::uint32_t next() = 0;
  std::uint32_t below(std::uint32_t limit) { return next() % limit; }
};

class random_program {
 public:
  random_program(headrace::reader& reader, const std::string& text, choices& decide)
      : reader_(reader), model_(text), decide_(decide) {}

  // Runs until the end of input has been seen, or for `steps` operations.
  void run(int steps) {
    while (steps > 0 && ends_seen_ < 2) {
      if (decide_.below(16) == 0) {
        take_turns(steps);
      } else {
        const std::uint32_t operation = decide_.below(operation_count);
        const int times = run_lengths[decide_.below(6)];  // a run of one type converts ahead
        for (int i = 0; i < times && steps > 0 && ends_seen_ < 2; ++i, --steps) step(operation);
      }
    }
  }

 private:
  static constexpr std::uint32_t operation_count = 30, value_count = 13;  // those of one value come first
  static constexpr int run_lengths[] = {1, 1, 2, 4, 6, 40};
  static constexpr std::size_t bulk_sizes[] = {0, 1, 2, 9, 70, 500};

  // A few types again and again, which are converted ahead, too, after so many turns.
  void take_turns(int& steps) {
    std::uint32_t operations[4];
    const std::uint32_t count = 1 + decide_.below(4);
    for (std::uint32_t i = 0; i < count; ++i) operations[i] = decide_.below(value_count);
    for (int turn = 0; turn < 60; ++turn) {
      for (std::uint32_t i = 0; i < count && steps > 0 && ends_seen_ < 2; ++i, --steps) step(operations[i]);
    }
  }

  void step(std::uint32_t operation) {
    name_ = operation;
    switch (operation) {
      case 0:
      case 1:
        return one<std::int32_t>();
      case 2:
        return one<std::int64_t>();
      case 3:
        return one<std::uint32_t>();
      case 4:
        return one<std::uint64_t>();
      case 5:
        return one<std::int8_t>();
      case 6:
        return one<std::uint16_t>();
      case 7:
        return one<double>();
      case 8:
        return one<float>();
      case 9:
        return one<long double>();
      case 10:
        return one<bool>();
      case 11:
      case 12:
        return one<std::string>();
      case 13:
        return one<char>();
      case 14:
      case 15:
        return line();
      case 16:
        return word_view();
      case 17:
        return end();
      case 18:
        return position();
      case 19:
        return many<std::int32_t>();
      case 20:
        return many<std::uint64_t>();
      case 21:
        return many<std::int16_t>();
      case 22:
        return many<double>();
      case 23:
        return many<std::string>();
      case 24:
        return move();
      case 25:
        return take_bytes();
      case 26:
        return run_past_errors<double>();
      case 27:
        return run_past_errors<float>();
      case 28:
        return run_past_errors<std::int32_t>();
      default:
#if defined(__SIZEOF_INT128__)
        return one<headrace::int128>();
#else
        return one<unsigned char>();
#endif
    }
  }

  [[noreturn]] void differ(const std::string& what) const {
    throw std::logic_error("operation " + std::to_string(name_) + " at byte " + std::to_string(model_.offset()) +
                           " of " + std::to_string(model_.text().size()) + ": " + what);
  }
  void check(bool good, const char* what) const {
    if (!good) differ(what);
  }
  template <class T>
  static bool same(const T& a, const T& b) {
    if constexpr (headrace::detail::is_float<T>)
      return (a == b && __builtin_signbit(a) == __builtin_signbit(b)) || (a != a && b != b);
    return a == b;
  }

  void check_error(const headrace::input_error& error, std::errc code) {
    check(error.code() == code, error.what());
    check(error.offset() == model_.offset(), "offset of the error");
    check(error.line() == model_.line_of(model_.offset()), "line of the error");
    check(error.column() == model_.column_of(model_.offset()), "column of the error");
    if (code == std::errc::no_message) return saw_end();
    const std::string token(error.token());
    check(!token.empty() && model_.text().compare(model_.offset(), token.size(), token) == 0, "token of the error");
    stuck();
  }
  // Gets over a bad token at last.
  void stuck() {
    if (passes_over_) return skip();
    const std::uint32_t way = decide_.below(4);
    if (way == 0) word_view();
    if (way == 1) skip();
  }
  void saw_end() { ends_seen_ += 1; }

  template <class T>
  void one() {
    T expected = T{}, value = T{};
    const std::errc code = model_.read(expected);
    switch (decide_.below(3)) {
      case 0: {
        const headrace::read_result result = reader_.parse(value);
        check(!result == (code != std::errc{}), result ? "read what it should not" : result.error->what());
        if (!result) check_error(*result.error, code);
        break;
      }
      case 1:
        if (code == std::errc::no_message) {
          check(!reader_.try_read(value), "no end");
          saw_end();
          break;
        }
        [[fallthrough]];
      default:
        try {
          reader_ >> value;
          check(code == std::errc{}, "read what it should not");
        } catch (const headrace::input_error& error) {
          if (code == std::errc{}) differ(error.what());
          check_error(error, code);
        }
    }
    check(same(value, expected), "another value");
  }

  // As a program does that passes over what is none: values that were found past a bad token are handed out after it.
  template <class T>
  void run_past_errors() {
    passes_over_ = true;
    for (std::uint32_t left = 1 + decide_.below(100); left > 0 && ends_seen_ < 2; --left) one<T>();
    passes_over_ = false;
  }

  template <class T>
  void many() {
    const std::size_t count = bulk_sizes[decide_.below(6)];
    std::vector<T> expected(count), values(count);
    std::errc code{};
    std::size_t done = 0;
    while (done < count && (code = model_.read(expected[done])) == std::errc{}) ++done;
    try {
      if (decide_.below(2) == 0) {
        const std::size_t got = reader_.read_some(values);
        check(code == std::errc{} || code == std::errc::no_message, "read what it should not");
        check(got == done, "another count");
        if (code == std::errc::no_message) saw_end();
      } else {
        reader_.read(values);
        check(code == std::errc{}, "read what it should not");
      }
    } catch (const headrace::input_error& error) {
      if (code == std::errc{}) differ(error.what());
      check_error(error, code);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (same(values[i], expected[i])) continue;
      std::ostringstream text;
      text << std::setprecision(21) << "another value in bulk, " << i << " of " << done << ": " << values[i] << " for "
           << expected[i];
      differ(text.str());
    }
  }

  void word_view() {
    std::string expected;
    std::string_view word;
    const std::errc code = model_.read(expected);
    check(reader_.try_read(word) == (code == std::errc{}), "no end");
    check(word == expected, "another word");
    if (code != std::errc{}) saw_end();
  }

  void skip() {
    std::string passed;
    const std::errc code = model_.read(passed);
    check(reader_.skip() == (code == std::errc{}), "no end");
    if (code != std::errc{}) saw_end();
  }

  void line() {
    std::string expected;
    std::string_view line;
    const std::errc code = model_.read_line(expected);
    check(reader_.try_read_line(line) == (code == std::errc{}), "end of lines");
    check(line == expected, "another line");
    if (code != std::errc{}) saw_end();
  }

  void end() { check(reader_.at_end() == model_.at_end(), "at_end"); }

  void position() {
    const headrace::position where = reader_.where();
    check(where.offset == model_.offset(), "offset");
    check(where.line == model_.line_of(model_.offset()), "line");
    check(where.column == model_.column_of(model_.offset()), "column");
  }

  void move() {
    headrace::reader other = std::move(reader_);
    reader_ = std::move(other);
  }

  void take_bytes() {
    const std::string_view bytes = reader_.buffered();
    check(model_.text().compare(model_.offset(), bytes.size(), bytes) == 0, "buffered bytes");
    const std::size_t taken = bytes.empty() ? 0 : decide_.below(static_cast<std::uint32_t>(bytes.size() + 1)) % 100;
    reader_.consume(taken);
    model_.consume(taken);
  }

  headrace::reader& reader_;
  model model_;
  choices& decide_;
  std::uint32_t name_ = 0;
  int ends_seen_ = 0;
  bool passes_over_ = false;
};

}  // namespace test
