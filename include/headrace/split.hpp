// headrace/split.hpp: whole files on all cores, with the values and the errors of one reader.
//
//   auto v = headrace::read_all<int>("numbers.txt", headrace::threads{0});      // a headrace::column<int>, in order
//   for (headrace::reader& part : headrace::split("numbers.txt", 8)) ...        // one for each thread of your own
//   headrace::for_each_line("log.txt", headrace::threads{0}, [&](std::string_view line) { ... });
//   headrace::write_all("out.txt", v, headrace::threads{0});
//
// The values and the first error are those that one reader would have found from the start to the end of the file,
// whatever the number of threads; line, column and offset in an error are those of the whole file. Files of less than
// half a MiB, those that do not tell their size (/proc), and anything but a regular file, are read by one thread. If a
// thread cannot be started, the others do its work.
//
// Each thread reads by pread(2) into a buffer of its own, which stays in its core's cache; nothing is mapped. A file is
// opened once and read up to the size that it had then: what is appended later is not seen, nor is another file
// that is renamed over it, and one that has become shorter is an input_error. Of a file that is written to while it is
// read each thread sees what was there when it came: any values, or an input_error.
//
// Programs are linked with -pthread where the system asks for it (glibc before 2.34). With HEADRACE_THREADS defined as
// 0 everything here compiles without <thread>, and does the same on one.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {
template <class Path>
constexpr bool names_file = std::is_convertible_v<const Path&, const char*> ||
                            (std::is_class_v<Path> && std::is_constructible_v<reader, const Path&>);
// A path or a descriptor.
template <class File>
using if_file =
    std::enable_if_t<names_file<File> || (std::is_convertible_v<const File&, int> && !is_no_descriptor<File>)>;
template <class Path>
using if_path = std::enable_if_t<names_file<Path>>;
template <class Other>
using if_no_file = std::enable_if_t<is_no_descriptor<Other> || std::is_same_v<Other, std::string_view>>;
}  // namespace detail

// How many threads to use; 0: as many as available_threads().
struct threads {
  unsigned count = 0;
};

// How many this process may use: the processors of its affinity, and no more than the quota of its control group
// (Linux).
[[nodiscard]] unsigned available_threads() noexcept;

// Where a file may be cut: after any whitespace, or after a newline. Lines, and values of several tokens (pairs,
// tuples, a row), are whole only in parts that are cut at::line.
enum class at : unsigned char { blank, line };

// ---- parts, for threads of your own ----

// `pieces` readers over parts of a regular file that are about equally long, one after the other. Where there are fewer
// places to cut, the parts that are left over are empty. The readers can be used on different threads, one thread at
// a time each; the file is closed with the last of them. Throws input_error where the file cannot be opened, is a
// directory, a pipe or a terminal, or does not tell its size, and for 0 pieces or more than memory could list. At the
// end of its part a reader is at the end of input. `from` is a path or a descriptor, whose parts begin where it is; it
// stays there, and has to stay open.
template <class File, class = detail::if_file<File>>
[[nodiscard]] std::vector<reader> split(const File& from, std::size_t pieces, at where = at::blank);
// Parts of delimited text, cut after rows, which may have newlines in quotes: to find out, the file is read once, up to
// the last cut, on as many threads as the process may use (on one where lines can be comments); a format without quotes
// needs none of that. With a header each part begins with that of the file: so `format` is what a part is read with,
// too, with the same columns by name and the same error where a header is wrong.
template <class File, class = detail::if_file<File>>
[[nodiscard]] std::vector<reader> split(const File& from, std::size_t pieces, const delimited& format);
template <class File, std::size_t Count>
[[nodiscard]] std::vector<reader> split(const File& from, std::size_t pieces, const named_columns<Count>& format);
// For what is neither a path nor a descriptor: split(std::string(view), 8), split_text(view, 8).
template <class Other, class... Rest, class = detail::if_no_file<Other>>
std::vector<reader> split(const Other& from, const Rest&... rest) = delete;
// Parts of text in memory that outlives the readers.
[[nodiscard]] std::vector<reader> split_text(std::string_view text, std::size_t pieces, at where = at::blank);

// ---- whole files of values ----

// read_all() of <headrace/columns.hpp> on several threads: all values between blanks, in the order of the file. Of a
// pipe, a socket or a terminal one more thread reads ahead, at most 512 KiB, but of a socket with SO_RCVTIMEO. A T of
// several tokens is read by one thread. Throws what read_all<T>(path) throws. Takes the memory of the result, and less
// than 1 MiB for each thread. `from` is a path, or a descriptor, which is read from where it is; where that of a
// regular file is afterwards is unspecified.
template <class T, class File, class = detail::if_file<File>>
[[nodiscard]] column<T> read_all(const File& from, threads on);

// Whole tables: read_columns() and read_matrix() of <headrace/columns.hpp>. Here and below `path` is a const char*, a
// std::string or a std::filesystem::path. Newlines may be in quotes: a thread guesses where its rows begin, and where
// the rows before say otherwise it begins again. Of a pipe a thread reads ahead.
template <class... T, class Path, class Format>
[[nodiscard]] auto read_columns(const Path& path, const Format& format, threads on);
template <class... T, class Path, class Format>
[[nodiscard]] auto read_columns(const Path& path, const Format& format, threads on, rejects& aside);
template <class T, class Path>
[[nodiscard]] matrix<T> read_matrix(const Path& path, const delimited& format, threads on);
template <class T, class Path>
[[nodiscard]] matrix<T> read_matrix(const Path& path, const delimited& format, threads on, rejects& aside);

// ---- lines, parts and rows, folded ----

// Calls f(line) for each line, on several threads at once: lines that are far apart need not come in the order of
// the file. If f throws, for_each_line() throws what it threw for the first such line in the file.
template <class Path, class F>
void for_each_line(const Path& path, threads on, F f);

// Folds lines into a state for each part of the file, in which the lines come in order: f(state, line), then
// combine(into, std::move(next)) in the order of the file. Each state begins as a copy of `initial`, which combined
// with another has to change nothing. Parts depend on the number of threads: sums of floating point may differ in the
// last digit from one number to another.
template <class Path, class State, class F, class Combine>
[[nodiscard]] State for_each_line(const Path& path, threads on, const State& initial, F f, Combine combine);

// Folds what is no line: f(state, part) is given a reader, and reads as far as it wants.
template <class Path, class State, class F, class Combine>
[[nodiscard]] State for_each_part(const Path& path, threads on, at where, const State& initial, F f, Combine combine);

// Folds rows of delimited text: f(state, row) is given what reader::rows<T...>(format) gives. Throws what it
// throws, or f, for the first such row in the file. Only the states count: where quotes hide the end of a row, f may be
// called for what is no row, and for rows once more, but in the end the rows of each state are right.
template <class... T, class Path, class Format, class State, class F, class Combine>
[[nodiscard]] State for_each_row(const Path& path, const Format& format, threads on, const State& initial, F f,
                                 Combine combine);
template <class... T, class Path, class Format, class State, class F, class Combine>
[[nodiscard]] State for_each_row(const Path& path, const Format& format, threads on, const State& initial, F f,
                                 Combine combine, rejects& aside);

// ---- writing ----

// Writes the elements of a range as write_range() does, each followed by `after`, the last one too. Several threads
// format, each a part at a time, and write them in order: the bytes are the same whatever their number, and any sink
// will do. A range without random access is written by one thread, a view that cannot be read while it is const as a
// copy. Throws output_error.
template <class Path, class Range, class = detail::if_path<Path>>
void write_all(const Path& path, const Range& range, threads on, char after = '\n');
template <class Range>
void write_all(writer& to, const Range& range, threads on, char after = '\n');

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "split/fold.hpp"
#include "split/parts.hpp"
#include "split/read_whole.hpp"
#include "split/write_all.hpp"
