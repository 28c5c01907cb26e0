// headrace/replace_sstream.hpp: the string streams of a program that stays as it is, faster. Not part of headrace.hpp.
//
//   #include <headrace/replace_sstream.hpp>          as the first include of each file that names a string stream, or
//   g++ -include headrace/replace_sstream.hpp ...    without any edit
//
// To make a string stream takes longer than to read a few numbers from it, as it looks up its locale's parts. After
// this header `stringstream`, `istringstream` and `ostringstream` name objects that take a standard stream from a small
// store of the thread and give it back when they go. What is usual is done in the stream's own buffer: plain integers,
// floats, characters, words and lines. Everything else is done by the standard stream itself, so states, values and
// text are the standard library's own.
//
// A function that takes a std::istream&, std::ostream& or std::iostream& gets the standard stream. Such a one is not
// stored again, nor is one with another locale or with exceptions. The store of a thread has at most eight streams of
// each kind, of at most 64 KiB each.
//
// Limits: a class that derives from a string stream, a pointer to one as std::istream*, dynamic_cast to one, and a
// function template that has to find the C of a std::basic_istream<C> do not compile after it; all files that hand one
// another string streams include it or none does. What is written as std::basic_stringstream<char>, and wide ones, are
// the standard library's.
#pragma once

#include <istream>
#include <ostream>
#include <sstream>
#include <string>

#include "config.hpp"

// Headers of the standard library that name string streams themselves.
#if __has_include(<stacktrace>) && __cplusplus > 202002L
#include <stacktrace>
#endif

#include "replace/string_stream.hpp"

namespace std {                      // NOLINT: where a program looks for them
inline namespace headrace_sstream {  // with getline, whose name a macro cannot change

using headrace_stringstream = ::headrace::detail::replace::string_stream<stringstream>;
using headrace_istringstream = ::headrace::detail::replace::string_stream<istringstream>;
using headrace_ostringstream = ::headrace::detail::replace::string_stream<ostringstream>;
using ::headrace::detail::replace::getline;

}  // namespace headrace_sstream
}  // namespace std

#define stringstream headrace_stringstream
#define istringstream headrace_istringstream
#define ostringstream headrace_ostringstream
