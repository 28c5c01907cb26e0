// headrace/detail/window.hpp: the part of a reader's buffer that has been looked at ahead of the user: its tokens, the
// values that some of them were converted to, or its lines. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "number_types.hpp"
#include "source.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

class window {
 public:
  // The kind of what has been found and not been handed out.
  enum class state : unsigned char {
    none,     // nothing: the source's position is where the user is
    tokens,   // tokens: the source's position is after the last one of the index
    values,   // the same, and some tokens were converted to values of one type
    newlines  // the source's position is at the next one; the index has the newlines
  };
  state found() const noexcept {
    if (value_slot_ != no_slot) return state::values;
    if (!tokens_.is_empty()) return state::tokens;
    return newlines_.is_empty() ? state::none : state::newlines;
  }

  constexpr window() noexcept = default;
  window(const window&) = delete;
  window& operator=(const window&) = delete;
  ~window() { std::free(tables_); }

  // ---- what is handed out without a call ----

  // A value that waits; false: none of this type does.
  template <class T>
  HEADRACE_INLINE bool take_value(T& value) noexcept {
    run& ready = by_register(ready_[find_slot<T>()]);
    if (unlikely(ready.next == ready.end)) return false;
    ahead_t<T> waiting;
    std::memcpy(&waiting, ready.next, sizeof waiting);
    ready.next += sizeof waiting;
    value = static_cast<T>(waiting);
    return true;
  }

  // The next token where types take turns, after a few of each; false: it is left to fetch().
  template <class T>
  HEADRACE_INLINE bool take_turn(T& value) noexcept {
    constexpr signed char slot = find_slot<T>();
    const unsigned length = length_with(slot);
    if (unlikely(tokens_.is_empty()) || unlikely(length > max_turn_)) return false;
    const token next = token_at(tokens_.next, 0);
    if (unlikely(!parse_token_in_turn(base_ + next.begin, base_ + next.end, value))) return false;
    last_slot_ = slot;
    run_length_ = length;
    tokens_.next += 2;
    return true;
  }

  HEADRACE_INLINE bool take_word(std::string_view& word) noexcept {
    if (unlikely(tokens_.is_empty())) return false;
    last_slot_ = no_slot;
    word = first_token();
    tokens_.next += 2;
    return true;
  }

  // Without its end, "\n" or "\r\n".
  HEADRACE_INLINE bool take_line(source& from, std::string_view& line) noexcept {
    if (unlikely(newlines_.is_empty())) return false;
    cut_line(from, line, base_ + *newlines_.next++);
    return true;
  }

  // ---- what may have to wait for input ----

  // The next number, as type.size bytes at `value`.
  status fetch(source& from, const number_type& type, char* value) noexcept;
  // `count` numbers; `done` counts those that were read.
  status fetch_many(source& from, const number_type& type, char* values, std::size_t count, std::size_t& done) noexcept;
  status fetch_word(source& from, std::string_view& word) noexcept;
  status fetch_line(source& from, std::string_view& line) noexcept;
  // The next byte that is no whitespace: the rest of its token is left.
  status fetch_char(source& from, char& value) noexcept;

  // The bounds of the next token, which ends before whitespace or the end of input. It is not consumed.
  status next_token(source& from, std::string_view& word) noexcept;
  // Passes over what next_token() gave.
  void pass_token(source& from, std::string_view word) noexcept;

  // status::end when nothing but whitespace is left, status::ok when a token is. Needs no more of it than one byte.
  status find_token(source& from) noexcept;

  // The user is now before the token that next_token() gave, past the whitespace before it. The index stays: an error
  // costs no second one.
  HEADRACE_INLINE void stop_before(source& from, std::string_view word) noexcept {
    stopped_at_ = tokens_.next;
    if (tokens_.is_empty()) from.position += word.data() - from.position;
  }
  // Passes over that token, after which numbers of the same type are converted ahead as before. False: nothing of the
  // index was stopped at.
  bool pass_stopped() noexcept {
    if (tokens_.is_empty() || tokens_.next != stopped_at_) return false;
    tokens_.next += 2;
    if (last_slot_ == batch_slot_ && is_in_batch()) (void)resume();
    return true;
  }

  // Moves the source's position back to where the user is, and forgets what was found.
  void sync_position(source& from) noexcept;
  // Something other than a number was asked for: the next number begins no run.
  void end_run() noexcept { last_slot_ = no_slot; }

 private:
  struct run {
    const char* next = nullptr;
    const char* end = nullptr;
  };
  // A part of the index that was not handed out.
  struct cursor {
    const std::uint16_t* next = nullptr;
    const std::uint16_t* end = nullptr;
    HEADRACE_INLINE bool is_empty() const noexcept { return next == end; }
  };
  struct tables {
    std::uint16_t edges[window_edges];
    alignas(8) char values[window_size / 2 * 8];
    std::uint16_t refused[window_size / 2 + refusals::padding];
  };
  static constexpr signed char no_slot = -1;
  static constexpr std::size_t min_limit = 64;
  static constexpr std::size_t longest_turn = 32;

  // How many of this type there are in a row with the next one.
  HEADRACE_INLINE unsigned length_with(signed char slot) const noexcept {
    return (last_slot_ == slot ? run_length_ : 0) + 1;
  }
  HEADRACE_INLINE std::string_view first_token() const noexcept {
    const token next = token_at(tokens_.next, 0);
    return {base_ + next.begin, static_cast<std::size_t>(next.end) - next.begin};
  }
  static HEADRACE_INLINE void cut_line(source& from, std::string_view& line, const char* stop) noexcept {
    const char* const begin = from.position;
    from.position += stop + 1 - begin;
    line = std::string_view(begin, static_cast<std::size_t>(stop - begin) - (stop != begin && stop[-1] == '\r'));
  }

  status make_tables() noexcept;
  status index(source& from, std::string_view& word) noexcept;
  bool convert_ahead(source& from, const number_type& type) noexcept;
  void forget_batch() noexcept { batch_slot_ = no_slot; }
  // Whether the next token is.
  bool is_in_batch() const noexcept {
    return batch_slot_ != no_slot && !tokens_.is_empty() && place_in_batch() < batch_size_;
  }
  std::size_t place_in_batch() const noexcept { return static_cast<std::size_t>(tokens_.next - batch_) / 2; }
  bool resume() noexcept;
  HEADRACE_INLINE bool take_long_integer(const number_type& type, char* value) noexcept;
  std::size_t convert(const number_type& type, char* values, std::size_t room) noexcept;
  bool scan(source& from, const number_type& type, char* values, std::size_t room, std::size_t& done) noexcept;
  status fetch_one(source& from, const number_type& type, char* value) noexcept;
  void leave_values(bool ends_run = true) noexcept {
    if (value_slot_ != no_slot) return_values(ends_run);
  }
  void return_values(bool ends_run) noexcept;
  HEADRACE_INLINE std::size_t count_values(const run& of) const noexcept {
    return static_cast<std::size_t>(of.end - of.next) >> (value_size_ == 8 ? 3 : 2);
  }
  std::size_t next_size(std::size_t unread) noexcept;

  cursor tokens_;                                // edges of tokens; empty while values wait
  cursor newlines_;                              // one of the two is empty
  const char* base_ = nullptr;                   // of the window: from which the index counts
  const std::uint16_t* stopped_at_ = nullptr;    // of the index: the user is before this token
  const std::uint16_t* batch_ = nullptr;         // of the index: from here on tokens were converted together,
  std::size_t batch_size_ = 0;                   // so many,
  signed char batch_slot_ = no_slot;             // to this type; none: nothing is known of any
  const std::uint16_t* next_refused_ = nullptr;  // of those that are no values; batch_size_ is after the last
  const std::uint16_t* first_ahead_ = nullptr;   // of the index: where those of this run that are converted ahead begin
  cursor after_values_;                          // the tokens after those that wait as values
  signed char value_slot_ = no_slot;             // where values wait
  unsigned char value_size_ = 0;
  signed char last_slot_ = no_slot;  // the type that was asked for last, and how often in a row
  unsigned run_length_ = 0;
  unsigned max_turn_ = 3;  // so many in a row are taken one at a time, and those after them are converted ahead
  tables* tables_ = nullptr;
  run ready_[slot_count];                 // per type; not empty in state::values, and for one type only
  std::size_t size_limit_ = window_size;  // of the next index: less while tokens and lines take turns
  std::size_t ahead_limit_ = 0;           // values at once: few at first
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#if !HEADRACE_COMPILED
#include "window_impl.hpp"
#endif
