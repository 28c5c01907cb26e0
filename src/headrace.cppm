// import headrace; -- what the headers named below declare, without their macros, for C++20 and newer.
//
// Names are the headers' own: a program may import the module in one file and include headers in another. A file
// that needs HEADRACE_ASSERT or HEADRACE_VERSION, replace_iostream.hpp, replace_stdio.hpp, replace_sstream.hpp or
// bench.hpp includes them.
module;
#include <headrace/arrow.hpp>
#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>
#include <headrace/iostreams.hpp>
#include <headrace/split.hpp>
#include <headrace/time.hpp>
export module headrace;

export namespace headrace {

// reader.hpp
using headrace::getline;
using headrace::in;
using headrace::interrupt_policy;
using headrace::possible_error;
using headrace::read_result;
using headrace::read_value;
using headrace::reader;

// writer.hpp
using headrace::at_exit_failure;
using headrace::exit_policy;
using headrace::flush_out_at_quick_exit;
using headrace::flush_policy;
using headrace::open_mode;
using headrace::out;
using headrace::writer;

// copy.hpp
using headrace::copy;
using headrace::copy_options;
using headrace::copy_sink;
using headrace::copy_source;

// error.hpp
using headrace::category;
using headrace::errc;
using headrace::input_error;
using headrace::make_error_code;
using headrace::output_error;
using headrace::position;

// types.hpp
using headrace::io;
#if defined(__SIZEOF_INT128__)
using headrace::int128;
using headrace::uint128;
#endif

// parse.hpp
using headrace::parse;
using headrace::parse_result;

// format.hpp
using headrace::as_word;
using headrace::base;
using headrace::based_integer;
using headrace::fixed;
using headrace::float_style;
using headrace::format;
using headrace::format_result;
using headrace::scientific;
using headrace::styled_float;
using headrace::word_bool;

// utf.hpp
using headrace::splits_a_pair;
using headrace::to_utf16;
using headrace::to_utf8;
using headrace::utf16_result;
using headrace::utf8_per_unit;

// iostreams.hpp
using headrace::istream_source;
using headrace::ostream_sink;

// columns.hpp, column.hpp
using headrace::column;
using headrace::csv;
using headrace::delimited;
using headrace::matrix;
using headrace::named_columns;
using headrace::read_all;
using headrace::read_columns;
using headrace::read_matrix;
using headrace::record;
using headrace::record_sequence;
using headrace::rejected_row;
using headrace::rejects;
using headrace::row_sequence;
using headrace::skip;
using headrace::text;
using headrace::text_column;
using headrace::tsv;
using headrace::write_columns;
using headrace::write_matrix;
using headrace::write_rejects;

// split.hpp
using headrace::at;
using headrace::available_threads;
using headrace::for_each_line;
using headrace::for_each_part;
using headrace::for_each_row;
using headrace::split;
using headrace::split_text;
using headrace::threads;
using headrace::write_all;

// time.hpp
using headrace::days;
using headrace::sys_days;
using headrace::sys_time;

// arrow.hpp
using headrace::arrow_field;
using headrace::arrow_kind;
using headrace::arrow_table;
using headrace::read_arrow;

}  // namespace headrace

export using ::ArrowArray;
export using ::ArrowArrayStream;
export using ::ArrowSchema;
