// headrace/columns/table.hpp: delimited text ahead of the user. Not for users.
//
//   text    12,"a,b",0.5\n7,c,1e3\n
//   ends      3     9   13 15 17 21       field i is [ends[i - 1], ends[i] - 1)
//
// A kernel finds the ends of all fields of a window; then the fields are converted a column at a time, many at once.
// That takes rows which are as they should be; those with a number that is refused are noted, and wait for the user.
// The next row that is not as it should be (too short, longer than the window, cut off by the end of the buffer, a
// comment) is taken alone, a byte at a time, by what is also the judge of such errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../columns.hpp"
#include "../detail/simd/index_fields.hpp"
#include "field_type.hpp"
#include "split_row.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

constexpr std::size_t table_window = 16 * 1024;  // bytes that are indexed at once
constexpr std::size_t max_batch = 512;  // rows that are converted at once: their values stay in the first cache

// A field that was asked for.
struct table_slot {
  const field_type* type = nullptr;
  std::uint16_t number = 0;          // among the slots
  std::size_t column = 0;            // in the file
  char* values = nullptr;            // of the rows that wait, each type->size bytes
  unsigned char* present = nullptr;  // of an optional: 1 where there is a value
};

// What is wrong with a row; table_errors.hpp puts it into words.
struct row_facts {
  std::uint32_t column;
  std::uint32_t width;   // fields that are expected
  std::uint32_t fields;  // that are there
  unsigned char fault;
  bool is_header;
  bool has_name;  // the column

  row_facts(std::size_t in_column, std::size_t expected, std::size_t present, row_fault what, bool in_header,
            bool is_named) noexcept
      : column(static_cast<std::uint32_t>(in_column)),
        width(static_cast<std::uint32_t>(expected)),
        fields(static_cast<std::uint32_t>(present)),
        fault(static_cast<unsigned char>(what)),
        is_header(in_header),
        has_name(is_named) {}
  explicit row_facts(const error_facts& kept) noexcept
      : column(kept.numbers[0]),
        width(kept.numbers[1]),
        fields(kept.numbers[2]),
        fault(kept.kind),
        is_header(kept.flags[0]),
        has_name(kept.flags[1]) {}
  error_facts kept() const noexcept { return {{column, width, fields}, fault, {is_header, has_name}}; }
};

// What rows are read into. The types, one of each slot, outlive the table; of a matrix all fields go to one slot.
struct table_layout {
  delimited format;
  const field_type* const* types;
  std::size_t slots;
  const std::string_view* names = nullptr;  // as many, which the table copies, or none
  bool is_matrix = false;
};

class table {
 public:
  table(reader& from, const table_layout& layout);
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
    taken_ = ready_;
    source_.position = next_ = end_of_row(ready_ - 1);
  }

  // Converts the next rows, at most max_batch; status::end after the last one, status::malformed where the next row
  // cannot be read: see make_error().
  status look_ahead();
  // Where the values of a slot go: room for max_batch of them.
  void set_values(std::size_t slot, void* values) noexcept { slots_[slot].values = static_cast<char*>(values); }

  // The same for a matrix: all fields of a row go to slot 0, one after the other. Finds out how many there are;
  // look_ahead() then needs room for matrix_room() values.
  status find_width();
  std::size_t width() const noexcept { return width_; }
  std::size_t matrix_room() const noexcept { return width_ > table_window ? width_ : table_window; }

  // For a table of a part of the file whose header `other` has read: finds the same columns.
  void take_layout_of(const table& other);
  // The reader has been aimed at other text. Rows that go on past an offset are taken alone, those before it together.
  void start_over(std::uint64_t bulk_end) noexcept;

  // Passes over a row, whatever is in it. A row that is malformed ends with the line where it becomes so. The header is
  // read first; one that was refused is a row to be passed over.
  status skip_row();

  input_error make_error(status why);
  [[noreturn]] void fail(status why) { raise_input_error(make_error(why)); }

 private:
  struct workspace;

  // Whether nobody else has used the reader since.
  HEADRACE_INLINE bool is_unmoved() const noexcept {
    return source_.position == next_ && source_.offset_of(anchor_) == anchor_offset_;
  }
  // Where the row after row i of those that wait begins.
  HEADRACE_INLINE char* end_of_row(std::size_t i) const noexcept {
    return single_end_ != nullptr ? single_end_ : base_ + row_ends_[(first_ready_ + i) * width_];
  }

  bool is_prepared() const noexcept { return work_ != nullptr && window_.found() == window::state::none; }
  status prepare() noexcept;
  status skip_mark() noexcept;
  status split(bool& is_fault) noexcept;
  status split_sound() noexcept;
  status read_header();
  status take_header();
  status find_columns() noexcept;
  void stay_here() noexcept;
  bool index_window() noexcept;
  std::size_t count_sound_rows(const char* base, const field_index& found) const noexcept;
  bool is_ordinary_line(const char* row) const noexcept;
  void swap_points(const char* from, char* to, std::size_t size) const noexcept;
  const char* base_of(const field_type& type) const noexcept;
  std::size_t convert_rows(std::size_t rows) noexcept;
  std::size_t convert_slot(const table_slot& to, std::size_t rows) noexcept;
  std::size_t convert_numbers(const table_slot& to, std::size_t rows) noexcept;
  std::size_t convert_some(const table_slot& to, std::size_t rows) noexcept;
  std::size_t convert_each(const table_slot& to, std::size_t rows) noexcept;
  std::size_t convert_matrix(std::size_t rows) noexcept;
  template <bool IsLast, bool IsQuoted>
  bool find_edges(const std::uint16_t* end, std::size_t stride, std::size_t count) noexcept;
  bool find_edges_of(std::size_t field, std::size_t stride, std::size_t count, bool may_be_last) noexcept;
  std::size_t convert_column(const table_slot& to, std::size_t field, std::size_t stride, std::size_t count) noexcept;
  field_place place_of(std::size_t row, std::size_t column) const noexcept;
  status take_single_row() noexcept;
  void note_rows(const table_slot& to, const refusals& refused) noexcept;
  std::size_t next_refused(std::size_t row) const noexcept;
  HEADRACE_INLINE bool is_before_refused() const noexcept {
    return taken_ == ready_ && ready_ != batch_ && single_end_ == nullptr && is_unmoved();
  }
  status judge_refused() noexcept;
  std::errc convert_field(const table_slot& to, std::size_t i, const char* text, const field_place& field) noexcept;
  std::errc parse(const field_type& type, std::string_view field, char* out) noexcept;
  std::string_view unescape(std::string_view field) noexcept;
  status bad_value(const char* text, const field_place& field, std::size_t column, std::errc what) noexcept;
  status fault(row_fault what, const char* at, std::size_t column) noexcept;
  message describe_fault() const noexcept;
  bool name_of_fault(std::string_view& name) const noexcept;
  row_facts facts_of_fault() const noexcept;
  value_kind fault_wanted() const noexcept;
  struct position place_of_fault() noexcept;

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
  const std::uint16_t* row_ends_ = nullptr;  // of the first row of the window; width_ further for each row
  std::size_t rows_ = 0;
  std::size_t next_row_ = 0;
  std::size_t window_limit_ = table_window;  // less after a row that was taken alone
  std::uint64_t bulk_end_ = ~std::uint64_t(0);
  bool is_quoted_ = false;
  bool is_returned_ = false;
  bool has_empty_ = false;

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
  char* single_end_ = nullptr;                // of a row that was taken alone
  char* next_ = nullptr;                      // the source's position, unless somebody else moved it
  const char* anchor_ = nullptr;  // a byte of the buffer, and where in the source it was when the rows were found
  std::uint64_t anchor_offset_ = 0;

  workspace* work_ = nullptr;
  void* block_ = nullptr;
  growing_array<char> single_text_;  // of a row that was taken alone: what was unescaped
  char* unescaped_ = nullptr;        // where the next such text goes,
  char* unescaped_end_ = nullptr;    // and the end of the room for them
  growing_array<char> point_text_;   // a field with its decimal comma as a point

  // What was wrong last.
  row_fault fault_ = row_fault::none;
  bool fault_is_range_ = false;
  const char* fault_at_ = nullptr;
  std::size_t fault_column_ = 0;
  std::size_t fault_fields_ = 0;  // in a row that has too few or too many
  std::string_view fault_token_;  // a field that is no value
  std::string_view fault_name_;   // that was asked for
  const field_type* fault_type_ = nullptr;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "table_errors.hpp"
#include "table_impl.hpp"
