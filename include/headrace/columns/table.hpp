// headrace/columns/table.hpp: delimited text ahead of the user. Not for users.
//
//   text    12,"a,b",0.5\n7,c,1e3\n
//   ends      3     9   13 15 17 21       field i is [ends[i - 1], ends[i] - 1)
//
// A kernel finds the ends of all fields of a window; then the fields are converted a column at a time, many at once.
// That takes rows which are as they should be; those with a number that is refused are noted, and wait for the user.
// A row of another width is told from the index where nothing is quoted, trimmed or a comment. Every other row that is
// not as it should be, or longer than the window, or not whole after one more read, is taken alone, a byte at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../columns.hpp"
#include "../detail/simd/index_fields.hpp"
#include "fields.hpp"
#include "row_errors.hpp"
#include "row_splitter.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

inline constexpr std::size_t table_window = 16 * 1024;  // bytes that are indexed at once
inline constexpr std::size_t max_batch = 512;  // rows that are converted at once: their values stay in the first cache

// Bytes of a row that is taken alone, after which a kernel helps: fewer after a row that was longer than a window.
inline constexpr std::size_t bytes_alone = 1024, bytes_alone_of_long = 64;

// A field that was asked for.
struct table_slot {
  const field_type* type = nullptr;
  std::uint16_t number = 0;          // among the slots
  std::size_t column = 0;            // in the file
  char* values = nullptr;            // of the rows that wait, each type->size bytes
  unsigned char* present = nullptr;  // of an optional: 1 where there is a value
};

// How rows are read. The types, one of each slot, outlive the table; of a matrix all fields go to one slot. Records
// have no slots: their fields are converted when somebody asks.
struct table_layout {
  delimited format;
  const field_type* const* types;
  std::size_t slots;
  const std::string_view* names = nullptr;  // as many, which the table copies, or none
  bool is_matrix = false;
};

// The fields of a row that was taken, until the next one is.
struct record_place {
  const char* row() const noexcept { return ends == nullptr ? text : text + ends[-1]; }

  const char* text = nullptr;             // from which places count
  const std::uint16_t* ends = nullptr;    // of its fields, as the index has them; nullptr: it was taken alone,
  const std::size_t* far_ends = nullptr;  // and these are they
  std::size_t fields = 0;
  bool is_plain = false;      // a field is all that is between two ends,
  bool is_far_plain = false;  // or between two of the others
};

class table {
 public:
  // Rows that cannot be read are set aside, where there is a place for them.
  table(reader& from, const table_layout& layout, rejects* aside = nullptr);
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table() { std::free(block_); }

  // Rows that wait: those of one batch, of which `taken()` have been handed out. False: look_ahead() is needed.
  HEADRACE_INLINE bool has_row() const noexcept { return taken_ != ready_ && is_unmoved(); }
  std::size_t ready() const noexcept { return ready_; }
  std::size_t taken() const noexcept { return taken_; }
  const table_slot& slot(std::size_t i) const noexcept { return slots_[i]; }
  HEADRACE_INLINE void take_row() noexcept {
    ++taken_;
    source_.position = next_ = taken_from_ + *taken_end_;
    taken_end_ += taken_step_;
  }
  void take_all() noexcept {
    if (taken_ == ready_) return;
    taken_end_ += (ready_ - taken_) * taken_step_;
    taken_ = ready_;
    source_.position = next_ = end_of_row(ready_ - 1);
  }

  // Converts the next rows, at most max_batch; status::end after the last one, status::malformed where the next row
  // cannot be read: see make_error(). One that is to be set aside is passed over and status::ok, though perhaps no row
  // waits; and status::end where no more may be.
  status look_ahead();
  // Whether values of the last batch still wait, or will after a row that is to be set aside.
  bool is_within_batch() const noexcept { return taken_ != batch_; }
  std::uint64_t rows_passed() const noexcept { return passed_rows_ + taken_; }
  // Where the values of a slot go: room for values_in_batch().
  void set_values(std::size_t slot, void* values) noexcept { slots_[slot].values = static_cast<char*>(values); }

  // Finds out how many fields a row has, which a matrix needs: all of them go to slot 0, one after the other.
  status find_width();
  std::size_t width() const noexcept { return width_; }
  // Of a slot, in a row; and for which look_ahead() needs room.
  std::size_t values_in_row() const noexcept { return is_matrix_ ? width_ : 1; }
  std::size_t values_in_batch() const noexcept {
    return !is_matrix_ ? max_batch : width_ > table_window ? width_ : table_window;
  }

  // For a table of a part of the file whose header `other` has read: finds the same columns.
  void take_layout_of(const table& other);
  // The reader has been aimed at other text. Rows that go on past an offset are taken alone, those before it together.
  void start_over(std::uint64_t bulk_end) noexcept;
  // Notes what is wrong with so many rows, which are set aside when their places are known.
  void note_failures(std::size_t limit) noexcept {
    log_.is_on = true;
    log_.limit = limit;
    log_.waiting.clear();
  }
  std::vector<row_failure>& failures() noexcept { return log_.waiting; }
  // For rows that are set aside.
  const std::shared_ptr<const table_names>& names();

  // Records: whether all rows have the width of the first one, which find_width() has to find first. The fields of the
  // next row that waits, and of a row that was taken, one by one: convert_field() to a slot that is not the table's.
  bool has_one_width() const noexcept { return !format_.is_ragged; }
  // Whether fields are as tokens are: the byte after one ends any number, and none has a decimal comma.
  bool has_tokens() const noexcept { return in_bulk_ && !format_.has_decimal_comma; }
  HEADRACE_INLINE void take_record() noexcept;
  const record_place& record() const noexcept { return record_; }
  std::string_view text_of(std::size_t i);
  std::errc get_field(std::size_t i, const table_slot& to) noexcept;
  [[noreturn]] void fail_field(std::size_t i, const field_type& type, std::errc what);
  [[noreturn]] void fail_missing(std::size_t i);
  struct position where() noexcept { return source_.where(record_.row()); }
  const std::vector<std::string>& header() const noexcept { return header_; }

  // Passes over a row, whatever is in it. A row that is malformed ends with the line where it becomes so. The header is
  // read first; one that was refused is a row to be passed over.
  status skip_row();

  input_error make_error(status why);
  input_error make_error(const position& where) const;
  [[noreturn]] void fail(status why) { raise_input_error(make_error(why)); }

 private:
  struct workspace;

  status start(bool wants_header);
  status convert_next();
  status find_first_width();
  bool is_set_aside(status got) const noexcept { return got == status::malformed && log_.is_on && header_is_read_; }
  status set_aside();
  // Whether nobody else has used the reader since.
  HEADRACE_INLINE bool is_unmoved() const noexcept {
    return source_.position == next_ && source_.offset_of(anchor_) == anchor_offset_;
  }
  // Where the row after row i of those that wait begins.
  HEADRACE_INLINE char* end_of_row(std::size_t i) const noexcept {
    return single_end_ != nullptr ? single_end_ : base_ + row_ends_[(first_ready_ + i) * row_step_];
  }

  bool is_prepared() const noexcept { return work_ != nullptr && window_.found() == window::state::none; }
  status prepare() noexcept;
  status skip_mark() noexcept;
  status read_on() noexcept;
  status split(bool& is_fault) noexcept;
  bool index_long_row(std::size_t unread) noexcept;
  status split_sound() noexcept;
  status read_header();
  status take_header();
  status find_columns() noexcept;
  void stay_here() noexcept;
  bool index_window() noexcept;
  bool make_index() noexcept;
  bool return_to_index() noexcept;
  void drop_taken_rows() noexcept;
  std::size_t fields_in_line() const noexcept;
  bool is_plain_window() const noexcept;
  status refuse_other_width() noexcept;
  bool is_cut_off() const noexcept;
  bool has_other_newlines(std::size_t rows) noexcept;
  bool starts_with_short_row() const noexcept;
  std::size_t count_sound_rows() noexcept;
  std::size_t count_ragged_rows() noexcept;
  bool is_ordinary_line(const char* row) const noexcept;
  void swap_points(const char* from, char* to, std::size_t size) const noexcept;
  const char* base_of(const field_type& type) const noexcept;
  std::size_t convert_rows(std::size_t rows) noexcept;
  void convert_slot(const table_slot& to, std::size_t field, std::size_t stride, std::size_t count) noexcept;
  void convert_edges(const table_slot& to, std::size_t first, std::size_t count, bool none_empty) noexcept;
  std::size_t convert_numbers(const table_slot& to, std::size_t count) noexcept;
  void convert_noting(const table_slot& to, std::size_t first, std::size_t count) noexcept;
  bool fill_edges(const table_slot& to, std::size_t first, std::size_t count) noexcept;
  void convert_each(const table_slot& to, std::size_t field, std::size_t stride, std::size_t count) noexcept;
  void convert_texts(const table_slot& to, std::size_t rows) noexcept;
  void convert_matrix(std::size_t rows) noexcept;
  template <bool IsLast, bool IsQuoted>
  bool find_edges(const std::uint16_t* end, std::size_t stride, std::size_t count) noexcept;
  bool find_edges_of(std::size_t field, std::size_t stride, std::size_t count, bool may_be_last) noexcept;
  void convert_column(const table_slot& to, std::size_t field, std::size_t stride, std::size_t count) noexcept;
  field_place place_of(std::size_t row, std::size_t column) const noexcept;
  field_place place_of_value(const table_slot& to, std::size_t i) const noexcept {
    return is_matrix_ ? place_of(i / width_, i % width_) : place_of(i, to.column);
  }
  field_place place_at(const std::uint16_t* end, bool is_last) const noexcept;
  bool has_doubled(std::size_t begin, std::size_t end) const noexcept;
  field_place record_field(std::size_t i) const noexcept;
  bool make_unescape_room(const field_place& field) noexcept;
  // A field of a row that is taken alone, and which value of a slot it becomes.
  struct wanted_field {
    const table_slot& to;
    std::size_t value;
    field_place field;
    std::size_t column;
  };
  wanted_field wanted(const char* row, std::size_t i) const noexcept;
  status take_single_row() noexcept;
  status convert_single(const char* row) noexcept;
  void note_refused(const table_slot& to, std::size_t first, std::size_t i) noexcept;
  void note_code(const table_slot& to, std::size_t i, std::errc code) noexcept;
  void note_field(const table_slot& to, std::size_t i) noexcept;
  std::size_t column_of(std::size_t noted) const noexcept { return is_matrix_ ? noted : slots_[noted].column; }
  std::size_t next_refused(std::size_t row) const noexcept;
  HEADRACE_INLINE bool is_before_refused() const noexcept {
    return taken_ == ready_ && ready_ != batch_ && single_end_ == nullptr && is_unmoved();
  }
  status judge_refused() noexcept;
  std::errc convert_field(const table_slot& to, std::size_t i, const char* text, const field_place& field) noexcept;
  std::errc parse(const field_type& type, std::string_view field, char* out) noexcept;
  std::string_view unescape(std::string_view field) noexcept;
  status fault(row_fault what, const char* at, std::size_t column, std::string_view token = {}) noexcept;
  status wrong_width(const char* row, std::size_t fields, std::size_t expected) noexcept;
  status wrong_header(row_fault what, const char* at, std::size_t column, std::string_view name) noexcept;
  status bad_value(const field_type& type, const char* text, const field_place& field, std::size_t column,
                   std::errc what) noexcept;
  struct position place_of_fault(const char* row) noexcept;

  reader& reader_;
  source& source_;
  window& window_;
  delimited format_;
  row_splitter splitter_;
  std::vector<std::string> names_;  // of the slots; or none
  std::vector<table_slot> slots_;
  std::vector<std::string> header_;

  std::size_t width_;  // fields in a row; 0: not known yet
  bool is_matrix_;
  bool in_bulk_;  // nothing is trimmed, the separator can be no part of a number, and no number begins with a quote
  bool header_is_read_;
  std::uint64_t refused_header_ = ~std::uint64_t(0);  // its offset
  bool is_started_ = false;

  // The window: its rows from next_row_ on are indexed and sound, and not yet converted.
  char* base_ = nullptr;
  field_index index_{};                      // its fields from ends_ on, and what is in it
  std::uint64_t index_offset_ = 0;           // of base_
  const std::uint16_t* ends_ = nullptr;      // of the fields of the rows
  const std::uint16_t* row_ends_ = nullptr;  // of the first row of the window; row_step_ further for each row
  std::size_t row_step_ = 0;
  growing_array<std::uint16_t> ragged_;          // of ragged rows: where each ends,
  const std::uint16_t* first_fields_ = nullptr;  // and the number of its first field in the index
  std::size_t rows_ = 0;
  std::size_t next_row_ = 0;
  std::size_t whole_rows_ = 0;               // that are being converted, before one whose texts have no room
  std::size_t window_limit_ = table_window;  // less after a row that was taken alone, but room for some as long
  std::size_t bytes_alone_ = bytes_alone;    // of such a row, without a kernel
  std::uint64_t bulk_end_ = ~std::uint64_t(0);
  line_count counted_;  // the last one of the window

  // Rows that were converted together, of which those from taken_ to ready_ wait. After them is one with a field that
  // was refused, or the end of the batch.
  std::size_t first_ready_ = 0;  // in the window
  std::size_t batch_ = 0;
  std::size_t ready_ = 0;
  std::size_t taken_ = 0;
  bool has_refused_ = false;
  char* taken_from_ = nullptr;                // the next row to be taken ends so many bytes after it
  const std::uint16_t* taken_end_ = nullptr;  // as this says, and the row after that
  std::size_t taken_step_ = 0;                // so many further
  std::uint64_t passed_rows_ = 0;             // before the batch, those that were skipped included
  std::uint64_t noted_row_ = 0;               // the last one that went to the log; 0 for none
  reject_log log_;
  char* single_end_ = nullptr;    // of a row that was taken alone
  char* next_ = nullptr;          // the source's position, unless somebody else moved it
  const char* anchor_ = nullptr;  // a byte of the buffer, and where in the source it was when the rows were found
  std::uint64_t anchor_offset_ = 0;

  workspace* work_ = nullptr;
  void* block_ = nullptr;
  growing_array<char> single_text_;  // of a row that was taken alone: what was unescaped
  char* unescaped_ = nullptr;        // where the next such text goes,
  char* unescaped_end_ = nullptr;    // and the end of the room for them
  record_place record_;              // that was taken last,
  char* unescaped_of_ = nullptr;     // and its room for such texts, once it needs some
  growing_array<char> point_text_;   // a field with its decimal comma as a point

  row_failure fault_;  // the last one,
  const char* fault_at_ = nullptr;
  std::string_view fault_name_;     // and the column that the header lacks or has twice,
  std::size_t bad_row_length_ = 0;  // or how long a row of another width is
  std::shared_ptr<const table_names> shared_names_;
};

// ---- what is wrong with a row ----

// Not cold, and no whole object: where compilers save space they copy by `rep`, which here took 50 ns.
__attribute__((noinline)) inline status table::fault(row_fault what, const char* at, std::size_t column,
                                                     std::string_view token) noexcept {
  fault_.fault = what;
  fault_.is_header = !header_is_read_;
  fault_.has_name = column < header_.size();
  fault_.is_range = false;
  fault_.column = static_cast<std::uint32_t>(column);
  fault_.offset = source_.offset_of(at);
  fault_.set_token(token);
  fault_at_ = at;
  return status::malformed;
}

HEADRACE_COLD inline status table::wrong_width(const char* row, std::size_t fields, std::size_t expected) noexcept {
  fault_.width = static_cast<std::uint32_t>(expected);
  fault_.fields = static_cast<std::uint32_t>(fields);
  return fault(fields < expected ? row_fault::too_few : row_fault::too_many, row, 0);
}

HEADRACE_COLD inline status table::wrong_header(row_fault what, const char* at, std::size_t column,
                                                std::string_view name) noexcept {
  fault_name_ = name;
  return fault(what, at, column);
}

HEADRACE_COLD inline status table::bad_value(const field_type& type, const char* text, const field_place& field,
                                             std::size_t column, std::errc what) noexcept {
  const std::string_view token(text + field.begin, field.end - field.begin);
  const status result = fault(row_fault::bad_value, text + field.begin - field.is_quoted, column, token);
  fault_.wanted = type.wanted;
  fault_.is_range = what == std::errc::result_out_of_range;
  return result;
}

// Counted on from where the row begins, which is where the reader stays: what a pipe gave is counted once.
inline position table::place_of_fault(const char* row) noexcept {
  if (source_.offset_of(row) == counted_.end) source_.take_count(counted_);
  position where = source_.where(row);
  const auto distance = static_cast<std::size_t>(fault_at_ - row);
  where.offset += distance;
  where.column += distance;
  if (distance == 0 || std::memchr(row, '\n', distance) == nullptr) return where;
  const newline_count lines = count_newlines(row, fault_at_);
  where.column = static_cast<std::uint64_t>(fault_at_ - lines.after_last) + 1;
  where.line += where.line == 0 ? 0 : lines.count;
  return where;
}

inline input_error table::make_error(const position& where) const {
  const bool is_of_header = fault_.fault == row_fault::no_such_column || fault_.fault == row_fault::column_twice;
  const std::string_view name = is_of_header      ? fault_name_
                                : fault_.has_name ? std::string_view(header_[fault_.column])
                                                  : std::string_view();
  return {with_place(source_.name(), where, words_of(fault_, name)), code_of(fault_), where, fault_.bad_value()};
}

__attribute__((noinline)) inline input_error table::make_error(status why) {
  if (why != status::malformed) return reader_access::make_error(reader_, why, {"a row", 0, false});
  return make_error(place_of_fault(source_.position));
}

// ---- how rows are found and converted ----

// Allocated at the first use, with the values of the slots after it.
struct table::workspace {
  std::uint16_t before_first[32];  // the last one is 0: field 0 begins there
  std::uint16_t ends[places_of(table_window)];
  std::uint64_t doubled[words_of(table_window)];       // as index_fields() notes it
  std::uint16_t edges[2 * max_batch + 32];             // of the fields of one column, as of tokens
  std::uint16_t noted[max_batch + refusals::padding];  // by a converter
  std::uint16_t refused_fields[max_batch];             // of each row that has one the slot, of a matrix the column;
  std::uint64_t refused_rows[max_batch / 64];          // and a bit for it
  char unescaped[table_window];                        // texts of one batch that had doubled quotes
  char before_points[64];
  char points[table_window + 128];  // the window with its decimal commas as points
};

// Bytes that a number parser may take for a part of the number before them.
constexpr bool is_part_of_number(char byte) noexcept {
  return (byte >= '0' && byte <= '9') || byte == '+' || byte == '-' || byte == '.' || byte == ',' || byte == 'e' ||
         byte == 'E';
}

// Or that a number could begin with, as `nan` does: in quotes of n it is the text a.
constexpr bool is_begin_of_number(char byte) noexcept {
  return is_part_of_number(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

inline table::table(reader& from, const table_layout& layout, rejects* aside)
    : reader_(from),
      source_(reader_access::source_of(from)),
      window_(reader_access::window_of(from)),
      format_(layout.format),
      splitter_(format_),
      slots_(layout.slots),
      width_(layout.is_matrix ? 0 : layout.slots),
      is_matrix_(layout.is_matrix),
      in_bulk_(!format_.trims && !is_begin_of_number(format_.quote) &&
               (!is_part_of_number(format_.separator) || (format_.separator == ',' && !format_.has_decimal_comma))),
      header_is_read_(!format_.has_header) {
  const char* const fault = format_.is_ragged && layout.slots != 0
                                ? "only records() takes rows that are not all of one width"
                                : fault_of(format_);
  if (fault != nullptr) {
    raise_input_error(message{from.name(), ": cannot read rows: ", fault}, std::errc::invalid_argument, {});
  }
  log_.is_on = aside != nullptr;
  log_.to = aside;
  if (layout.names != nullptr) names_.assign(layout.names, layout.names + layout.slots);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].type = layout.types[i];
    slots_[i].number = static_cast<std::uint16_t>(i);
    slots_[i].column = i;
  }
}

HEADRACE_COLD inline status table::prepare() noexcept {
  if (window_.found() != window::state::none) window_.sync_position(source_);
  if (work_ != nullptr) return status::ok;
  std::size_t size = sizeof(workspace);
  for (const table_slot& each : slots_) size += max_batch * (each.type->size + std::size_t(each.type->is_optional));
  block_ = std::malloc(size);
  if (block_ == nullptr) return system_status(ENOMEM);
  work_ = static_cast<workspace*>(block_);
  std::memset(work_->before_first, 0, sizeof work_->before_first);
  char* next = reinterpret_cast<char*>(work_ + 1);
  for (table_slot& each : slots_) {
    if (each.values == nullptr) each.values = next;
    next += max_batch * each.type->size;
  }
  for (table_slot& each : slots_) {
    if (!each.type->is_optional) continue;
    each.present = reinterpret_cast<unsigned char*>(next);
    next += max_batch;
  }
  return status::ok;
}

// Leaves one of two quotes. Returns where the text ends; `to` may be where it is already.
inline char* halve_quotes(std::string_view field, char quote, char* to) noexcept {
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char byte = field[i];
    *to++ = byte;
    i += byte == quote;
  }
  return to;
}

// ---- row by row ----

// A byte order mark at the start of the input is no part of its first field.
inline status table::skip_mark() noexcept {
  is_started_ = true;
  for (;;) {
    const auto unread = static_cast<std::size_t>(source_.end - source_.position);
    if (unread != 0) {
      const std::size_t compared = unread < 3 ? unread : 3;
      if (source_.offset_of(source_.position) != 0) return status::ok;
      if (std::memcmp(source_.position, "\xef\xbb\xbf", compared) != 0) return status::ok;
      if (compared == 3) {
        source_.position += 3;
        return status::ok;
      }
    }
    const status result = source_.refill();
    if (result == status::end) return status::ok;
    is_started_ = result == status::ok;
    if (result != status::ok) return result;
  }
}

// Reads on after the unread bytes; status::end only where there are neither more bytes nor unread ones.
inline status table::read_on() noexcept {
  const status got = source_.refill();
  return got == status::end && source_.position != source_.end ? status::ok : got;
}

// Splits the next row, past lines that are none. It is not consumed: splitter_.length() bytes are its.
inline status table::split(bool& is_fault) noexcept {
  using result = row_splitter::result;
  const bool has_width = header_is_read_ && width_ != 0 && has_one_width();
  const std::size_t kept = has_width ? width_ : ~std::size_t(0);
  splitter_.start(kept);
  for (;;) {
    const auto unread = static_cast<std::size_t>(source_.end - source_.position);
    const bool is_long = splitter_.length() >= bytes_alone_;
    if (is_long && !index_long_row(unread)) return system_status(ENOMEM);
    const std::size_t size = is_long || unread < bytes_alone_ ? unread : bytes_alone_;
    switch (splitter_.go_on(source_.position, size, size == unread && source_.has_ended())) {
      case result::row:
        is_fault = false;
        return status::ok;
      case result::fault:
        is_fault = true;
        return status::ok;
      case result::no_memory:
        return system_status(ENOMEM);
      case result::passed:
        source_.position += splitter_.length();
        splitter_.start(kept);
        break;
      case result::more: {
        if (size != unread) break;
        const status got = read_on();
        if (got != status::ok) return got;
      }
    }
  }
}

// Takes the fields of a long row from an index, as far as they are sound and whole. False: out of memory.
inline bool table::index_long_row(std::size_t unread) noexcept {
  while (splitter_.return_to_field() && splitter_.length() < unread) {
    const std::size_t before = splitter_.length(), rest = unread - before;
    const std::size_t size = rest < table_window ? rest : table_window;
    field_index found;
    index_.fields = rows_ = next_row_ = 0;
    index_fields(source_.position + before, size, {format_.separator, format_.quote}, work_->ends, work_->doubled,
                 found);
    while (found.fields != 0 && work_->ends[found.fields - 1] > found.sound) --found.fields;
    if (!splitter_.add_indexed(source_.position, work_->ends, found)) return false;
    if (splitter_.length() == before || found.newlines != 0) return true;
  }
  return true;
}

// Splits a row that is well formed; else notes its fault.
inline status table::split_sound() noexcept {
  bool is_fault = false;
  const status got = split(is_fault);
  if (!is_fault) return got;
  const char* const at = source_.position + splitter_.fault_at();
  const bool is_seen = splitter_.fault() == row_fault::after_quote;
  const status result = fault(splitter_.fault(), at, splitter_.field_count(), {at, static_cast<std::size_t>(is_seen)});
  const char* const begin = source_.position + splitter_.field_begin();
  fault_.lines_quoted = is_seen ? static_cast<std::uint32_t>(count_newlines(begin, at).count) : 0;
  return result;
}

// From here on, rows are known to follow the source's position.
inline void table::stay_here() noexcept {
  anchor_ = next_ = source_.position;
  anchor_offset_ = source_.offset_of(anchor_);
}

inline status table::read_header() {
  const status got = take_header();
  if (got == status::malformed) refused_header_ = source_.offset_of(source_.position);
  return got;
}

inline status table::take_header() {
  const status got = split_sound();
  if (got == status::end) return fault(row_fault::no_header, source_.position, 0);
  if (got != status::ok) return got;
  char* const row = source_.position;
  header_.clear();
  for (std::size_t i = 0; i < splitter_.field_count(); ++i) {
    const field_place field = splitter_.field(row, i);
    std::string name(row + field.begin, field.end - field.begin);
    if (field.is_doubled) name.erase(static_cast<std::size_t>(halve_quotes(name, format_.quote, &name[0]) - &name[0]));
    header_.push_back(static_cast<std::string&&>(name));
  }
  if (names_.empty() && width_ != 0 && header_.size() != width_) return wrong_width(row, header_.size(), width_);
  if (!names_.empty()) {
    const status found = find_columns();
    if (found != status::ok) return found;
  }
  width_ = header_.size();
  source_.position += splitter_.length();
  header_is_read_ = true;
  return status::ok;
}

inline status table::find_columns() noexcept {
  char* const row = source_.position;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    std::size_t found = 0;
    for (std::size_t column = 0; column < header_.size(); ++column) {
      if (header_[column] != names_[i]) continue;
      slots_[i].column = column;
      if (found++ == 0) continue;
      return wrong_header(row_fault::column_twice, row + splitter_.field(row, column).begin, column, names_[i]);
    }
    if (found == 0) return wrong_header(row_fault::no_such_column, row, 0, names_[i]);
  }
  return status::ok;
}

// What comes before the first row.
inline status table::start(bool wants_header) {
  // Not a call for every window: a compiler takes what always calls a cold function for cold itself.
  status got = likely(is_prepared()) ? status::ok : prepare();
  if (got == status::ok && !is_started_) got = skip_mark();
  return got == status::ok && wants_header ? read_header() : got;
}

inline status table::find_first_width() {
  status got = start(!header_is_read_);
  if (got != status::ok || width_ != 0) return got;
  got = split_sound();
  if (got == status::ok) width_ = splitter_.field_count();
  return got;
}

inline status table::find_width() {
  status got = find_first_width();
  while (is_set_aside(got)) {
    got = set_aside();
    if (got == status::ok) got = find_first_width();
  }
  return got;
}

// A matrix wants all fields of a row, for its one slot.
inline table::wanted_field table::wanted(const char* row, std::size_t i) const noexcept {
  const table_slot& to = slots_[is_matrix_ ? 0 : i];
  const std::size_t column = is_matrix_ ? i : to.column;
  return {to, is_matrix_ ? i : 0, splitter_.field(row, column), column};
}

inline status table::take_single_row() noexcept {
  const status got = split_sound();
  if (got != status::ok) return got;
  char* const row = source_.position;
  const std::size_t fields = splitter_.field_count();
  if (fields != width_ && has_one_width()) {
    bad_row_length_ = splitter_.length();
    return wrong_width(row, fields, width_);
  }
  const status converted = convert_single(row);
  if (converted != status::ok) return converted;
  const std::size_t length = splitter_.length();
  single_end_ = row + length;
  bytes_alone_ = length > table_window ? bytes_alone_of_long : bytes_alone;
  if (length <= table_window && window_limit_ < 4 * length) window_limit_ = std::min(4 * length, table_window);
  batch_ = ready_ = 1;
  taken_from_ = single_end_;
  taken_end_ = work_->before_first;  // 0
  stay_here();
  record_ = {row, nullptr, splitter_.ends(), fields, false, splitter_.is_plain()};
  return status::ok;
}

// The error is that of the first field in the file, which need not be the one of the first slot.
inline status table::convert_single(const char* row) noexcept {
  const std::size_t count = is_matrix_ ? width_ : slots_.size();
  std::size_t room = 16;  // to be read after a text
  for (std::size_t i = 0; i < count; ++i) {
    const field_place field = wanted(row, i).field;
    if (field.is_doubled) room += field.end - field.begin;
  }
  unescaped_ = single_text_.get_room(room);
  if (unescaped_ == nullptr) return system_status(ENOMEM);
  unescaped_end_ = unescaped_ + room;
  std::size_t first_bad = width_;
  status result = status::ok;
  for (std::size_t i = 0; i < count; ++i) {
    const wanted_field next = wanted(row, i);
    if (next.column >= first_bad) continue;
    const std::errc code = convert_field(next.to, next.value, row, next.field);
    if (code == std::errc{}) continue;
    if (code == std::errc::not_enough_memory) return system_status(ENOMEM);
    first_bad = next.column;
    result = bad_value(*next.to.type, row, next.field, first_bad, code);
  }
  return result;
}

inline status table::skip_row() {
  if (has_row()) {
    take_row();
    return status::ok;
  }
  if (is_before_refused()) {
    take_row();
    ready_ = next_refused(taken_);
    return status::ok;
  }
  status got = start(!header_is_read_ && source_.offset_of(source_.position) != refused_header_);
  bool is_fault = false;
  if (got == status::ok) got = split(is_fault);
  if (got != status::ok) return got;
  std::size_t passed = is_fault ? splitter_.fault_at() : splitter_.length();
  while (is_fault) {
    const auto unread = static_cast<std::size_t>(source_.end - source_.position);
    const void* const newline = std::memchr(source_.position + passed, '\n', unread - passed);
    if (newline != nullptr) {
      passed = static_cast<std::size_t>(static_cast<const char*>(newline) + 1 - source_.position);
      break;
    }
    passed = unread;
    got = source_.refill();
    if (got == status::end) break;
    if (got != status::ok) return got;
  }
  source_.position += passed;
  passed_rows_ += header_is_read_;
  return status::ok;
}

inline const std::shared_ptr<const table_names>& table::names() {
  if (shared_names_ == nullptr) {
    shared_names_ = std::make_shared<const table_names>(table_names{std::string(source_.name()), header_});
  }
  return shared_names_;
}

HEADRACE_COLD inline status table::set_aside() {
  fault_.row = rows_passed() + 1;
  if (fault_.row != noted_row_) {  // else reading on failed when the row was to be passed
    if (log_.is_full()) return status::end;
    if (log_.to != nullptr) {
      log_.to->add(fault_, fault_.row, place_of_fault(source_.position), names());
    } else {
      log_.waiting.push_back(fault_);
    }
    noted_row_ = fault_.row;
  }
  status got = status::ok;
  if (fault_.has_wrong_width()) {  // its end is known
    source_.position += bad_row_length_;
    ++passed_rows_;
  } else {
    got = skip_row();
  }
  if (got != status::ok || !log_.is_full()) return got;
  const std::uint64_t rows = rows_passed();
  start_over(bulk_end_);
  passed_rows_ = rows;
  return status::end;
}

// ---- parts of a file ----

inline void table::take_layout_of(const table& other) {
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].column = other.slots_[i].column;
  header_ = other.header_;
  width_ = other.width_;
  header_is_read_ = is_started_ = true;
}

inline void table::start_over(std::uint64_t bulk_end) noexcept {
  next_row_ = rows_ = batch_ = ready_ = taken_ = 0;
  passed_rows_ = noted_row_ = 0;
  counted_ = {};
  single_end_ = nullptr;
  index_.fields = 0;
  window_limit_ = table_window;
  bulk_end_ = bulk_end;
}

// ---- a window of rows ----

inline status table::look_ahead() {
  if (unlikely(log_.is_on && log_.is_full())) return status::end;
  const status got = convert_next();
  return likely(!is_set_aside(got)) ? got : set_aside();
}

inline status table::convert_next() {
  const status got = start(!header_is_read_);
  if (got != status::ok) return got;
  if (has_row()) return status::ok;
  if (is_before_refused()) return judge_refused();
  const bool is_window_left = next_row_ != rows_ && single_end_ == nullptr && is_unmoved();
  passed_rows_ += taken_;
  if (!is_window_left) drop_taken_rows();
  batch_ = ready_ = taken_ = 0;
  single_end_ = nullptr;
  if (!is_window_left && refuse_other_width() != status::ok) return status::malformed;
  bool has_rows = is_window_left || index_window();
  if (!has_rows && is_cut_off()) {
    const status more = read_on();
    if (more != status::ok) return more;
    has_rows = index_window();
  }
  if (has_rows) {
    const std::size_t rows = rows_ - next_row_;
    first_ready_ = next_row_;
    has_refused_ = false;
    batch_ = convert_rows(rows < max_batch ? rows : max_batch);
    ready_ = next_refused(0);
    next_row_ += batch_;
    record_ = {base_, ends_, nullptr, width_, is_plain_window(), false};
    taken_from_ = base_;
    taken_end_ = row_ends_ + first_ready_ * row_step_;
    taken_step_ = row_step_;
    if (ready_ != 0) return status::ok;
    if (batch_ != 0) return judge_refused();
    next_row_ = rows_ = 0;
  }
  const status told = refuse_other_width();
  return told == status::ok ? take_single_row() : told;
}

// Whether the fields of the window are its bytes between separators.
inline bool table::is_plain_window() const noexcept { return !index_.quoted && !index_.returned && !format_.trims; }

// Malformed where the index tells that the next row has another width. It tells of most rows; the others are the
// splitter's.
inline status table::refuse_other_width() noexcept {
  const bool is_told = index_.fields != 0 && is_plain_window() && format_.comment == '\0' && has_one_width();
  if (!is_told || source_.offset_of(source_.position) != index_offset_ + ends_[-1]) return status::ok;
  if (source_.offset_of(base_) != index_offset_ || *source_.position == '\n') return status::ok;
  const std::size_t fields = fields_in_line();
  if (fields == 0 || fields == width_) return status::ok;
  bad_row_length_ = static_cast<std::size_t>(ends_[fields - 1] - ends_[-1]);
  return wrong_width(source_.position, fields, width_);
}

// False where the next row is not to be taken with others.
inline bool table::index_window() noexcept {
  if (!return_to_index() && !make_index()) return false;
  row_step_ = has_one_width() ? width_ : 1;
  row_ends_ = ends_ + row_step_ - 1;
  rows_ = has_one_width() ? count_sound_rows() : count_ragged_rows();
  if (rows_ == 0) {
    if (!is_cut_off() && (!has_one_width() || fields_in_line() == 0)) window_limit_ = 256;
    return false;
  }
  stay_here();
  if (format_.has_decimal_comma) {
    const std::size_t begin = ends_[-1];
    swap_points(base_ + begin, work_->points + begin, row_ends_[(rows_ - 1) * row_step_] - begin);
  }
  return true;
}

inline bool table::make_index() noexcept {
  const auto unread = static_cast<std::size_t>(source_.end - source_.position);
  std::size_t size = unread < window_limit_ ? unread : window_limit_;
  const std::uint64_t rest = bulk_end_ - source_.offset_of(source_.position);
  if (rest < size) size = static_cast<std::size_t>(rest);
  window_limit_ = std::min(2 * window_limit_, table_window);
  base_ = source_.position;
  index_offset_ = source_.offset_of(base_);
  ends_ = work_->ends;
  index_.fields = index_.sound = 0;
  if (size == 0) return false;
  index_fields(base_, size, {format_.separator, format_.quote}, work_->ends, work_->doubled, index_);
  return true;
}

// Rows of the window that were taken are no more part of its index.
inline void table::drop_taken_rows() noexcept {
  const std::size_t rows = rows_ == 0 || single_end_ != nullptr || !has_one_width() ? 0 : first_ready_ + taken_;
  ends_ += rows * width_;
  index_.fields -= rows * width_;
  index_.newlines -= rows;
  next_row_ = rows_ = 0;
}

// Drops from the index what was consumed since it was made, and tells whether a whole row of it follows. A newline that
// ends a field of the index is outside quotes: what follows is as if it were the first.
inline bool table::return_to_index() noexcept {
  if (index_.fields == 0 || !has_one_width() || source_.offset_of(base_) != index_offset_) return false;
  const std::uint64_t begin = source_.offset_of(source_.position) - index_offset_;
  while (index_.fields != 0 && ends_[-1] < begin) {
    index_.newlines -= base_[*ends_ - 1] == '\n';
    --index_.fields;
    ++ends_;
  }
  return ends_[-1] == begin && (begin == 0 || base_[begin - 1] == '\n') && fields_in_line() != 0;
}

// The number of fields of the index's first row, or 0 if that row does not end within what is sound.
inline std::size_t table::fields_in_line() const noexcept {
  for (std::size_t i = 0; i < index_.fields && ends_[i] <= index_.sound; ++i) {
    if (base_[ends_[i] - 1] == '\n') return i + 1;
  }
  return 0;
}

// Whether what is unread is only the beginning of a row, as far as the index tells.
inline bool table::is_cut_off() const noexcept { return base_ + index_.sound == source_.end && fields_in_line() == 0; }

// Whether the first `rows` rows hold newlines besides those that end them: in quotes, or after another field than the
// last one of a row.
inline bool table::has_other_newlines(std::size_t rows) noexcept {
  if (rows == 0) return false;
  const unsigned begin = ends_[-1], end = row_ends_[(rows - 1) * width_];
  const std::uint64_t lines = count_newlines(base_ + begin, base_ + end).count;
  counted_ = {index_offset_ + begin, index_offset_ + end, lines};
  return lines != rows;
}

// Whether the first row has fewer fields than the width. There are as many fields as that.
inline bool table::starts_with_short_row() const noexcept {
  std::size_t field = 0;
  while (field + 1 < width_ && base_[ends_[field] - 1] != '\n') ++field;
  return field + 1 < width_;
}

// How many rows from the first on have the width, and nothing that is left to the splitter.
inline std::size_t table::count_sound_rows() noexcept {
  const field_index& found = index_;
  const std::size_t wide = found.fields / width_, most = wide < found.newlines ? wide : found.newlines;
  // Many short rows in turn cost one look each.
  if (wide != 0 && wide < found.newlines && starts_with_short_row()) return 0;
  std::size_t rows = 0;
  const std::uint16_t* end = row_ends_;
  for (; rows < most && base_[*end - 1] == '\n' && *end <= found.sound; end += width_) ++rows;
  if (rows != found.newlines && has_other_newlines(rows)) {
    std::size_t field = 0;
    while (field != rows * width_ && (base_[ends_[field] - 1] == '\n') == (field % width_ == width_ - 1)) ++field;
    rows = field / width_;
  }
  if (width_ != 1 && format_.comment == '\0') return rows;
  std::size_t ordinary = 0;
  const char* row = base_ + ends_[-1];
  for (; ordinary < rows && is_ordinary_line(row); ++ordinary) row = base_ + row_ends_[ordinary * width_];
  return ordinary;
}

// Rows of any width.
inline std::size_t table::count_ragged_rows() noexcept {
  const field_index& found = index_;
  std::uint16_t* const row_ends = ragged_.get_room(2 * found.newlines + 1);
  if (row_ends == nullptr) return 0;
  std::uint16_t* const first_fields = row_ends + found.newlines;
  first_fields[0] = 0;
  const char* row = base_;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < found.fields && ends_[i] <= found.sound; ++i) {
    if (base_[ends_[i] - 1] != '\n') continue;
    if (!is_ordinary_line(row)) break;
    row_ends[rows] = ends_[i];
    first_fields[++rows] = static_cast<std::uint16_t>(i + 1);
    row = base_ + ends_[i];
  }
  row_ends_ = row_ends;
  first_fields_ = first_fields;
  return rows;
}

// Neither a comment nor a line that may be empty.
inline bool table::is_ordinary_line(const char* row) const noexcept {
  if (format_.comment != '\0' && *row == format_.comment) return false;
  if ((width_ != 1 && has_one_width()) || format_.keeps_empty_lines) return true;
  return *row != '\n' && *row != '\r' && !is_padding(format_, *row);
}

inline void table::swap_points(const char* from, char* to, std::size_t size) const noexcept {
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i] == ',' ? '.' : from[i] == '.' ? ',' : from[i];
}

// Returns how many rows were converted: fewer only before texts that have no room. Rows with a field that is no value
// are noted.
inline std::size_t table::convert_rows(std::size_t rows) noexcept {
  unescaped_ = work_->unescaped;
  unescaped_end_ = unescaped_ + sizeof work_->unescaped;
  whole_rows_ = rows;
  if (is_matrix_) {
    convert_matrix(rows);
  } else {
    for (const table_slot& each : slots_) convert_slot(each, each.column, width_, whole_rows_);
  }
  return whole_rows_;
}

// Every stride-th field from `field` on of the rows that are being converted, of which the first is one of the first
// row.
inline void table::convert_slot(const table_slot& to, std::size_t field, std::size_t stride,
                                std::size_t count) noexcept {
  if (to.type->how == field_class::skipped || count == 0) return;
  if (to.type->how == field_class::text && !format_.trims) return convert_texts(to, count);
  if (to.type->how == field_class::text || !in_bulk_) return convert_each(to, field, stride, count);
  convert_column(to, field, stride, count);
}

// ---- numbers, many at a time ----

// Writes the edges of fields, without the quotes around them and the \r after a row. False: one of them is empty.
template <bool IsLast, bool IsQuoted>
bool table::find_edges(const std::uint16_t* end, std::size_t stride, std::size_t count) noexcept {
  std::uint16_t* edges = work_->edges;
  const char* const base = base_;
  unsigned empty = 0;
  for (std::size_t i = 0; i < count; ++i, end += stride, edges += 2) {
    unsigned begin = end[-1], stop = end[0] - 1u;
    if constexpr (IsLast) stop -= base[stop] == '\n' && stop != begin && base[stop - 1] == '\r';
    if constexpr (IsQuoted) {
      const bool quoted = stop - begin >= 2 && base[begin] == format_.quote && format_.quote != '\0';
      begin += quoted;
      stop -= quoted;
    }
    empty |= stop - begin - 1;  // the top bit
    edges[0] = static_cast<std::uint16_t>(begin);
    edges[1] = static_cast<std::uint16_t>(stop);
  }
  return empty >> 31 == 0;
}

// Finds the edges of every stride-th field, from one of the first row on.
inline bool table::find_edges_of(std::size_t field, std::size_t stride, std::size_t count, bool may_be_last) noexcept {
  const std::uint16_t* const end = ends_ + first_ready_ * width_ + field;
  if (index_.quoted) {
    return may_be_last ? find_edges<true, true>(end, stride, count) : find_edges<false, true>(end, stride, count);
  }
  return may_be_last ? find_edges<true, false>(end, stride, count) : find_edges<false, false>(end, stride, count);
}

// Where no field has a \r after it, its edges are those of the index; a number in quotes then looks like none, and is
// looked at again.
inline void table::convert_column(const table_slot& to, std::size_t field, std::size_t stride,
                                  std::size_t count) noexcept {
  const bool may_be_last = stride == 1 || field + 1 == width_, is_returned = index_.returned && may_be_last;
  if (!is_returned) copy_edges(ends_ + first_ready_ * width_ + field, stride, count, work_->edges);
  const std::size_t first = is_matrix_ ? field : 0;
  if (!is_returned && !index_.quoted) return convert_edges(to, first, count, !index_.empty);
  const std::size_t done = is_returned || index_.empty ? 0 : convert_numbers(to, count);
  if (done == count) return;
  table_slot rest = to;
  rest.values += done * to.type->size;
  if (to.present != nullptr) rest.present += done;
  const bool none_empty = find_edges_of(field + done * stride, stride, count - done, may_be_last);
  convert_edges(rest, first + done, count - done, none_empty);
}

inline void table::convert_edges(const table_slot& to, std::size_t first, std::size_t count, bool none_empty) noexcept {
  if (none_empty && to.present != nullptr) std::memset(to.present, 1, count);
  if (none_empty || fill_edges(to, first, count)) convert_noting(to, first, count);
}

// The window, or its copy with points for a type that they concern.
inline const char* table::base_of(const field_type& type) const noexcept {
  return type.has_point && format_.has_decimal_comma ? work_->points : base_;
}

// The fields whose edges were found, before the first one that is no value.
inline std::size_t table::convert_numbers(const table_slot& to, std::size_t count) noexcept {
  const number_type& type = *to.type->number;
  const std::size_t done = type.convert(type, base_of(*to.type), work_->edges, count, to.values, nullptr);
  if (to.present != nullptr) std::memset(to.present, 1, done);
  return done;
}

// All of them: value `first` of the batch and those after it.
inline void table::convert_noting(const table_slot& to, std::size_t first, std::size_t count) noexcept {
  const number_type& type = *to.type->number;
  refusals refused{work_->noted, work_->noted};
  (void)type.convert(type, base_of(*to.type), work_->edges, count, to.values, &refused);
  for (const std::uint16_t* next = refused.first; next != refused.next; ++next) {
    note_refused(to, first, refusals::place_of(*next));
  }
}

// What a converter refuses may be a value without its doubled quotes, as the character `"` is.
inline void table::note_refused(const table_slot& to, std::size_t first, std::size_t i) noexcept {
  if (to.present != nullptr && to.present[i] == 0) return;
  std::errc code = std::errc::invalid_argument;
  if (index_.quoted) code = convert_field(to, i, base_, place_of_value(to, first + i));
  note_code(to, first + i, code);
}

// Whether one of eight fields is empty, of which these are the edges: where it begins is where it ends.
inline bool has_empty_of_eight(const std::uint16_t* edges) noexcept {
  constexpr std::uint64_t each = 0x00000001'00000001;  // of two fields
  std::uint64_t below_zero = 0;
  for (unsigned i = 0; i < 16; i += 4) {
    std::uint64_t two;
    std::memcpy(&two, edges + i, sizeof two);
    below_zero |= ((two >> 16 ^ two) & each * 0xffff) - each;
  }
  return (below_zero & each << 31) != 0;
}

// In place of an empty field the one before it is converted, or the first one after it, and the value is not used: a
// kernel wants edges in their order. False: all are empty.
inline bool table::fill_edges(const table_slot& to, std::size_t first, std::size_t count) noexcept {
  std::uint16_t* const edges = work_->edges;
  const auto is_empty = [edges](std::size_t i) noexcept { return edges[2 * i] == edges[2 * i + 1]; };
  std::size_t filled = 0;
  while (filled != count && is_empty(filled)) ++filled;
  std::uint16_t last[2] = {};
  if (filled != count) std::memcpy(last, edges + 2 * filled, sizeof last);
  for (std::size_t i = 0; i != count;) {
    const std::size_t end = std::min(i + 8, count);
    if (end - i == 8 && !has_empty_of_eight(edges + 2 * i)) {
      if (to.present != nullptr) std::memset(to.present + i, 1, 8);
      i = end;
      std::memcpy(last, edges + 2 * i - 2, sizeof last);
      continue;
    }
    for (; i != end; ++i) {
      const bool is_none = is_empty(i);
      if (!is_none) std::memcpy(last, edges + 2 * i, sizeof last);
      std::memcpy(edges + 2 * i, last, sizeof last);
      if (to.present != nullptr) {
        to.present[i] = !is_none;
      } else if (is_none) {
        note_field(to, first + i);
      }
    }
  }
  return filled != count;
}

// ---- rows with a field that was refused, among others ----

// Notes what became of value i of the batch.
inline void table::note_code(const table_slot& to, std::size_t i, std::errc code) noexcept {
  if (code == std::errc::not_enough_memory) {
    whole_rows_ = std::min(whole_rows_, is_matrix_ ? i / width_ : i);
  } else if (code != std::errc{}) {
    note_field(to, i);
  }
}

// Notes the row of value i of the batch, which was refused. Where it has several, the first one in the file counts.
inline void table::note_field(const table_slot& to, std::size_t i) noexcept {
  if (!has_refused_) std::memset(work_->refused_rows, 0, sizeof work_->refused_rows);
  has_refused_ = true;
  const std::size_t row = is_matrix_ ? i / width_ : i, field = is_matrix_ ? i % width_ : to.number;
  std::uint64_t& rows = work_->refused_rows[row / 64];
  std::uint16_t& noted = work_->refused_fields[row];
  const bool is_first = (rows >> row % 64 & 1) == 0 || column_of(field) < column_of(noted);
  if (is_first) noted = static_cast<std::uint16_t>(field);
  rows |= std::uint64_t(1) << row % 64;
}

// From a row of the batch on; its end where there is none.
inline std::size_t table::next_refused(std::size_t row) const noexcept {
  if (!has_refused_) return batch_;
  for (; row < batch_; row = (row | 63) + 1) {
    const std::uint64_t rows = work_->refused_rows[row / 64] >> row % 64;
    if (rows == 0) continue;
    row += static_cast<unsigned>(__builtin_ctzll(rows));
    return row < batch_ ? row : batch_;
  }
  return batch_;
}

// Says what is wrong with the next row of the batch, of which one field was refused.
inline status table::judge_refused() noexcept {
  const std::size_t noted = work_->refused_fields[taken_], column = column_of(noted);
  const table_slot& of = slots_[is_matrix_ ? 0 : noted];
  const field_place field = place_of(taken_, column);
  const std::size_t value = is_matrix_ ? taken_ * width_ + column : taken_;
  return bad_value(*of.type, base_, field, column, convert_field(of, value, base_, field));
}

inline void table::convert_matrix(std::size_t rows) noexcept {
  const std::size_t fields = rows * width_;
  table_slot part = slots_[0];
  for (std::size_t done = 0; done != fields;) {
    const std::size_t count = fields - done < max_batch ? fields - done : max_batch;
    convert_slot(part, done, 1, count);
    part.values += count * part.type->size;
    done += count;
  }
}

// ---- fields one by one ----

// Row and column count from the first of the rows that are being converted; the place is one in the window.
inline field_place table::place_of(std::size_t row, std::size_t column) const noexcept {
  return place_at(ends_ + (first_ready_ + row) * width_ + column, column + 1 == width_);
}
HEADRACE_INLINE field_place table::place_at(const std::uint16_t* end, bool is_last) const noexcept {
  return place_field(format_, base_, end[-1], end[0] - 1u, is_last, index_.quoted,
                     [this](const field_place& field) { return has_doubled(field.begin, field.end); });
}
// Whether a field of the index holds quotes, each of them twice.
HEADRACE_INLINE bool table::has_doubled(std::size_t begin, std::size_t end) const noexcept {
  const auto bits_from = [words = work_->doubled](std::size_t place) {
    const std::uint64_t* const word = words + place / 64;
    return word[0] >> place % 64 | word[1] << 1 << (63 - place % 64);
  };
  for (; end - begin >= 64; begin += 64) {
    if (bits_from(begin) != 0) return true;
  }
  return (bits_from(begin) & ((std::uint64_t(1) << (end - begin)) - 1)) != 0;
}

inline void table::convert_each(const table_slot& to, std::size_t field, std::size_t stride,
                                std::size_t count) noexcept {
  const std::uint16_t* end = ends_ + first_ready_ * width_ + field;
  const std::size_t first = is_matrix_ ? field : 0;
  std::size_t column = field % width_;
  for (std::size_t i = 0; i < count; ++i, end += stride) {
    note_code(to, first + i, convert_field(to, i, base_, place_at(end, column + 1 == width_)));
    column += stride;
    if (column >= width_) column -= width_;
  }
}

// Texts without padding are what the index says, but for those in quotes.
inline void table::convert_texts(const table_slot& to, std::size_t rows) noexcept {
  // Copies: what is written to the slot could be any of the members, as a compiler sees it.
  const char* const base = base_;
  const std::size_t stride = width_;
  const char quote = format_.quote;
  unsigned char* const present = to.present;
  const bool may_be_quoted = index_.quoted, may_be_returned = index_.returned && to.column + 1 == stride;
  const std::uint16_t* end = ends_ + first_ready_ * stride + to.column;
  char* out = to.values;
  if (!may_be_quoted && !may_be_returned && present == nullptr) {  // as most are: 12 instructions a field, not 20
    for (const char* const last = out + rows * sizeof(std::string_view); out != last; end += stride) {
      const std::string_view text(base + end[-1], end[0] - 1u - end[-1]);
      std::memcpy(out, &text, sizeof text);
      out += sizeof text;
    }
    return;
  }
  for (std::size_t row = 0; row < rows; ++row, end += stride, out += sizeof(std::string_view)) {
    const std::size_t begin = end[-1], stop = end[0] - 1u;
    const char* const first = base + begin;
    std::size_t size = stop - begin;
    if (unlikely(may_be_returned) && size != 0 && first[size - 1] == '\r') --size;
    if (unlikely(may_be_quoted) && size >= 2 && *first == quote) {
      note_code(to, row, convert_field(to, row, base, place_of(row, to.column)));
      continue;
    }
    const std::string_view text(first, size);
    std::memcpy(out, &text, sizeof text);
    if (present != nullptr) present[row] = size != 0;
  }
}

// To value i of a slot. Texts that had doubled quotes may be too much for where they go: a column can be asked for more
// than once.
inline std::errc table::convert_field(const table_slot& to, std::size_t i, const char* text,
                                      const field_place& field) noexcept {
  const field_type& type = *to.type;
  if (type.how == field_class::skipped) return std::errc{};
  std::string_view found(text + field.begin, field.end - field.begin);
  char* const out = to.values + i * type.size;
  const bool is_none = found.empty() && !(type.how == field_class::text && field.is_quoted);
  if (to.present != nullptr) to.present[i] = !is_none;
  if (field.is_doubled) {
    if (static_cast<std::size_t>(unescaped_end_ - unescaped_) < found.size()) return std::errc::not_enough_memory;
    found = unescape(found);
  }
  if (type.how == field_class::text) {
    std::memcpy(out, &found, sizeof found);
    return std::errc{};
  }
  if (is_none) return to.present != nullptr ? std::errc{} : std::errc::invalid_argument;
  return parse(type, found, out);
}

inline std::errc table::parse(const field_type& type, std::string_view field, char* out) noexcept {
  if (type.has_point && format_.has_decimal_comma) {
    char* const copy = point_text_.get_room(field.size());
    if (copy == nullptr) return std::errc::not_enough_memory;
    swap_points(field.data(), copy, field.size());
    field = {copy, field.size()};
  }
  return type.parse(field.data(), field.data() + field.size(), out);
}

inline std::string_view table::unescape(std::string_view field) noexcept {
  char* const first = unescaped_;
  unescaped_ = halve_quotes(field, format_.quote, first);
  return {first, static_cast<std::size_t>(unescaped_ - first)};
}

// ---- records ----

HEADRACE_INLINE void table::take_record() noexcept {
  if (likely(single_end_ == nullptr)) {
    const std::size_t row = first_ready_ + taken_;
    if (likely(has_one_width())) {
      record_.ends = ends_ + row * width_;
    } else {
      record_.ends = ends_ + first_fields_[row];
      record_.fields = static_cast<std::size_t>(first_fields_[row + 1] - first_fields_[row]);
    }
  }
  unescaped_of_ = nullptr;
  take_row();
}

// A field without its doubled quotes goes to where it is in the row: so it may be asked for as often as one likes.
inline bool table::make_unescape_room(const field_place& field) noexcept {
  const std::size_t begin = static_cast<std::size_t>(record_.row() - record_.text);
  const std::size_t size = (record_.ends == nullptr ? splitter_.length() : record_.ends[record_.fields - 1]) - begin;
  if (unescaped_of_ == nullptr) unescaped_of_ = single_text_.get_room(size);
  if (unescaped_of_ == nullptr) return false;
  unescaped_ = unescaped_of_ + (field.begin - begin);
  unescaped_end_ = unescaped_of_ + size;
  return true;
}

HEADRACE_INLINE field_place table::record_field(std::size_t i) const noexcept {
  return record_.ends == nullptr ? splitter_.field(record_.text, i)
                                 : place_at(record_.ends + i, i + 1 == record_.fields);
}

HEADRACE_INLINE std::string_view table::text_of(std::size_t i) {
  const field_place field = record_field(i);
  const std::string_view text(record_.text + field.begin, field.end - field.begin);
  if (likely(!field.is_doubled)) return text;
  if (!make_unescape_room(field)) fail(system_status(ENOMEM));
  return unescape(text);
}

inline std::errc table::get_field(std::size_t i, const table_slot& to) noexcept {
  const field_place field = record_field(i);
  if (field.is_doubled && !make_unescape_room(field)) return std::errc::not_enough_memory;
  return convert_field(to, 0, record_.text, field);
}

HEADRACE_COLD inline void table::fail_field(std::size_t i, const field_type& type, std::errc what) {
  if (what == std::errc::not_enough_memory) fail(system_status(ENOMEM));
  (void)bad_value(type, record_.text, record_field(i), i, what);
  raise_input_error(make_error(place_of_fault(record_.row())));
}

HEADRACE_COLD inline void table::fail_missing(std::size_t i) {
  (void)wrong_width(record_.row(), record_.fields, i + 1);
  raise_input_error(make_error(place_of_fault(record_.row())));
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
