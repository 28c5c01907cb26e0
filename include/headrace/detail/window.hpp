// headrace/detail/window.hpp: the part of a reader's buffer that has been looked at ahead of the user: its tokens, the
// values that some of them were converted to, or its lines. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "number_functions.hpp"
#include "source.hpp"
#include "turns.hpp"

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

  // Where types take turns in a cycle: the next token's value, if it is one of those that were converted ahead.
  template <class T>
  HEADRACE_INLINE bool take_turn(T& value) noexcept {
    constexpr signed char slot = find_slot<T>();
    ahead_t<T> waiting;
    if (!has_turns_ || unlikely(tokens_.is_empty()) || !turns_[slot].take(tokens_.next, waiting)) return false;
    end_run();
    tokens_.next += 2;
    value = static_cast<T>(waiting);
    return true;
  }

  // The next token where types take turns, after a few of each; false: it is left to fetch().
  template <class T>
  HEADRACE_INLINE bool parse_turn(T& value) noexcept {
    constexpr signed char slot = find_slot<T>();
    const unsigned length = length_with(slot);
    if (unlikely(tokens_.is_empty()) || unlikely(length > max_turn_)) return false;
    if (unlikely(!note_turn(slot))) return false;
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
    turn_batch turn_batches[turn_slot_count];
  };
  static constexpr signed char no_slot = -1;
  static constexpr std::size_t min_limit = 64;
  static constexpr std::size_t longest_turn = 32;

  // False: fetch() has to look for a cycle.
  HEADRACE_INLINE bool note_turn(signed char slot) noexcept {
    type_turns& turn = turns_[slot];
    return likely(!turn.is_observed()) || likely(turn.note(count_passed()));
  }
  // The place of the next token among all.
  std::size_t count_passed() const noexcept { return passed_ + count_before(tokens_.next); }
  std::size_t count_before(const std::uint16_t* edge) const noexcept {
    return static_cast<std::size_t>(edge - tables_->edges) / 2;
  }
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
  // The index becomes another.
  void forget_batches() noexcept;
  // Whether the next token is in the batch.
  bool is_in_batch() const noexcept {
    return batch_slot_ != no_slot && !tokens_.is_empty() && place_in_batch() < batch_size_;
  }
  std::size_t place_in_batch() const noexcept { return static_cast<std::size_t>(tokens_.next - batch_) / 2; }
  bool resume() noexcept;
  bool convert_turns(const number_type& type, char* value) noexcept;
  HEADRACE_INLINE bool take_long_integer(const number_type& type, char* value) noexcept;
  std::size_t convert(const number_type& type, char* values, std::size_t room) noexcept;
  bool scan(source& from, const number_type& type, char* values, std::size_t room, std::size_t& done) noexcept;
  status fetch_one(source& from, const number_type& type, char* value) noexcept;
  void leave_values(bool ends_run = true) noexcept {
    if (value_slot_ != no_slot) return_values(ends_run);
  }
  void return_values(bool ends_run) noexcept;
  HEADRACE_INLINE std::size_t count_values(const run& of) const noexcept {
    return static_cast<std::size_t>(of.end - of.next) >> __builtin_ctz(value_size_);
  }
  std::size_t next_size(std::size_t unread) noexcept;
  std::size_t count_left() const noexcept { return static_cast<std::size_t>(tokens_.end - tokens_.next) / 2; }

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
  type_turns turns_[slot_count];          // per type
  bool has_turns_ = false;                // of one at least there is a batch
  std::size_t passed_ = 0;                // tokens of earlier indexes, where one followed the other
  run ready_[slot_count];                 // per type; not empty in state::values, and for one type only
  std::size_t size_limit_ = window_size;  // of the next index: less while tokens and lines take turns
  std::size_t ahead_limit_ = 0;           // values at once: few at first
};

#if HEADRACE_COMPILED != 1

// ---- how it is filled ----

// Copies four, eight or sixteen bytes.
HEADRACE_INLINE void copy_value(char* to, const char* from, unsigned size) noexcept {
  if (size == 8) {
    std::memcpy(to, from, 8);
  } else if (size == 4) {
    std::memcpy(to, from, 4);
  } else {
    std::memcpy(to, from, 16);
  }
}

HEADRACE_INLINE void window::forget_batches() noexcept {
  batch_slot_ = no_slot;
  if (tokens_.end != nullptr) passed_ += count_before(tokens_.end);
  if (unlikely(has_turns_)) {
    for (type_turns& turn : turns_) turn.forget_batch();
    has_turns_ = false;
  }
}

HEADRACE_INLINE status window::make_tables() noexcept {
  if (tables_ == nullptr) tables_ = static_cast<tables*>(std::malloc(sizeof(tables)));
  return tables_ == nullptr ? system_status(ENOMEM) : status::ok;
}

// ---- numbers ----

// After a few of one type in a row, as many ahead as the window holds; types that take turns go token by token.
__attribute__((noinline)) HEADRACE_FUNC status window::fetch(source& from, const number_type& type,
                                                             char* value) noexcept {
  leave_values(last_slot_ != type.slot);
  if (turns_[type.slot].is_due() && convert_turns(type, value)) return status::ok;
  if (take_long_integer(type, value)) return status::ok;
  if (last_slot_ != type.slot) run_length_ = 0;
  last_slot_ = static_cast<signed char>(type.slot);
  ++run_length_;
  if (run_length_ <= max_turn_) return fetch_one(from, type, value);
  const bool is_first = run_length_ == max_turn_ + 1;
  if (is_first) first_ahead_ = tokens_.next;  // of this index, if no value follows
  const bool is_known = batch_slot_ == type.slot && is_in_batch(), is_ready = is_known && resume();
  if (is_known && !is_ready) {
    return *next_refused_ >= refusals::malformed ? status::malformed : fetch_one(from, type, value);
  }
  if (!is_ready) {
    if (is_first) ahead_limit_ = 32;
    if (!convert_ahead(from, type)) return fetch_one(from, type, value);
  }
  run& ready = ready_[type.slot];
  if (is_first) first_ahead_ = after_values_.next - 2 * count_values(ready);
  copy_value(value, ready.next, type.size);
  ready.next += type.size;
  return status::ok;
}

// Where types take turns in a cycle, several of this one at once. False: nothing tells where they are, or the first one
// is none.
HEADRACE_FUNC bool window::convert_turns(const number_type& type, char* value) noexcept {
  type_turns& turn = turns_[type.slot];
  turn_batch& batch = tables_->turn_batches[type.slot];
  std::size_t none;
  if (type.scan(type, base_, 0, tables_->edges, batch.values, 0, none)) {  // without vectors one at a time is faster
    turn.give_up();
    return false;
  }
  const std::size_t count = turn.gather(tokens_.next, count_left(), batch);
  if (count == 0) return false;
  const std::size_t done = type.convert(type, base_, batch.edges, count, batch.values, nullptr);
  turn.offer(batch, done, count);
  end_run();
  has_turns_ = true;
  if (done == 0) return false;
  copy_value(value, batch.values, type.size);
  turn.pass();
  tokens_.next += 2;
  return true;
}

// Where parse_turn() has left an integer of many digits.
HEADRACE_INLINE bool window::take_long_integer(const number_type& type, char* value) noexcept {
  const auto slot = static_cast<signed char>(type.slot);
  const unsigned length = length_with(slot);
  if (tokens_.is_empty() || length > max_turn_ || type.range.max == 0) return false;
  const std::string_view word = first_token();
  std::uint64_t bits;
  if (parse_integer(word.data(), word.data() + word.size(), type.range, bits) != std::errc{}) return false;
  if (type.size == 8) {
    store_value<8>(value, bits);
  } else {
    store_value<4>(value, bits);
  }
  last_slot_ = slot;
  run_length_ = length;
  tokens_.next += 2;
  return true;
}

__attribute__((noinline)) HEADRACE_FUNC status window::fetch_one(source& from, const number_type& type,
                                                                 char* value) noexcept {
  std::string_view word;
  status result = next_token(from, word);
  if (unlikely(result != status::ok)) return result;
  result = status_of(type.parse(type, word.data(), word.data() + word.size(), value));
  if (likely(result == status::ok)) pass_token(from, word);
  return result;
}

// False when there is nothing to hand out: the next token needs more input, or is none of this type.
HEADRACE_FUNC bool window::convert_ahead(source& from, const number_type& type) noexcept {
  if (make_tables() != status::ok) return false;
  const std::size_t room = sizeof tables_->values / type.size, limit = ahead_limit_ < room ? ahead_limit_ : room;
  if (ahead_limit_ < window_size / 2) ahead_limit_ *= 2;
  std::size_t done = 0;
  if (tokens_.is_empty() && scan(from, type, tables_->values, limit, done)) {
    const std::uint16_t* const end = tables_->edges + 2 * done;
    after_values_ = {end, end};
  } else {
    std::string_view word;
    if (next_token(from, word) != status::ok || tokens_.is_empty()) return false;
    const std::size_t left = count_left();
    batch_ = tokens_.next;
    batch_size_ = left < limit ? left : limit;
    batch_slot_ = static_cast<signed char>(type.slot);
    refusals refused{tables_->refused, tables_->refused};
    type.convert(type, base_, batch_, batch_size_, tables_->values, &refused);
    *refused.next = static_cast<std::uint16_t>(batch_size_);
    next_refused_ = tables_->refused;
    value_size_ = type.size;
    return resume();
  }
  ready_[type.slot] = {tables_->values, tables_->values + done * type.size};
  value_slot_ = static_cast<signed char>(type.slot);
  value_size_ = type.size;
  return true;
}

// At a token of the batch: hands out the values from it to the next token that was refused. False: it is that.
__attribute__((noinline)) HEADRACE_FUNC bool window::resume() noexcept {
  const std::size_t place = place_in_batch();
  while (refusals::place_of(*next_refused_) < place) ++next_refused_;
  const std::size_t end = refusals::place_of(*next_refused_);
  if (end == place) return false;
  ready_[batch_slot_] = {tables_->values + place * value_size_, tables_->values + end * value_size_};
  after_values_ = {batch_ + 2 * end, tokens_.end};
  tokens_ = {};
  value_slot_ = batch_slot_;
  return true;
}

// Converts tokens of the index, at most `room`, and passes over those that it took.
HEADRACE_FUNC std::size_t window::convert(const number_type& type, char* values, std::size_t room) noexcept {
  const std::size_t left = count_left();
  const std::size_t done = type.convert(type, base_, tokens_.next, left < room ? left : room, values, nullptr);
  tokens_.next += 2 * done;
  return done;
}

// Where the kernel takes both stages in one pass: over the complete tokens in the buffer. The index then has those that
// were taken; false: there are none.
HEADRACE_FUNC bool window::scan(source& from, const number_type& type, char* values, std::size_t room,
                                std::size_t& done) noexcept {
  newlines_ = {};  // the position is at the next line
  auto size = static_cast<std::size_t>(from.end - from.position);
  if (size > window_size) size = window_size;
  while (size != 0 && !is_whitespace(from.position[size - 1])) --size;
  if (!type.scan(type, from.position, size, tables_->edges, values, room, done)) return false;
  if (done == 0) {
    size_limit_ = min_limit;  // of an index that is made for one token
    return false;
  }
  base_ = from.position;
  stopped_at_ = nullptr;
  forget_batches();
  from.position += tables_->edges[2 * done - 1];
  return true;
}

HEADRACE_FUNC status window::fetch_many(source& from, const number_type& type, char* values, std::size_t count,
                                        std::size_t& done) noexcept {
  if (make_tables() != status::ok) return system_status(ENOMEM);
  leave_values();
  while (done != count) {
    char* const to = values + done * type.size;
    std::size_t taken = 0;
    if (tokens_.is_empty() && scan(from, type, to, count - done, taken)) {
      done += taken;
      continue;
    }
    std::string_view word;
    status result = next_token(from, word);
    if (result != status::ok) return result;
    if (!tokens_.is_empty()) taken = convert(type, to, count - done);
    if (taken == 0) {
      result = fetch_one(from, type, to);
      if (result != status::ok) return result;
      taken = 1;
    }
    done += taken;
  }
  return status::ok;
}

// ---- words, lines, characters ----

__attribute__((noinline)) HEADRACE_FUNC status window::fetch_word(source& from, std::string_view& word) noexcept {
  end_run();
  const status result = next_token(from, word);
  if (result == status::ok) pass_token(from, word);
  return result;
}

// Indexes the newlines of the next window; a line that is longer is found byte by byte.
__attribute__((noinline)) HEADRACE_FUNC status window::fetch_line(source& from, std::string_view& line) noexcept {
  sync_position(from);
  if (make_tables() != status::ok) return system_status(ENOMEM);
  std::size_t searched = 0;
  for (;;) {
    const auto unread = static_cast<std::size_t>(from.end - from.position);
    if (searched == 0 && unread != 0) {
      const std::size_t size = next_size(unread);
      const std::size_t count = index_newlines(from.position, size, tables_->edges);
      base_ = from.position;
      newlines_ = {tables_->edges, tables_->edges + count};
      if (take_line(from, line)) return status::ok;
      searched = size;
    }
    const void* stop = unread == searched ? nullptr : std::memchr(from.position + searched, '\n', unread - searched);
    if (stop != nullptr) {
      cut_line(from, line, static_cast<const char*>(stop));
      return status::ok;
    }
    searched = unread;
    const status result = from.refill();
    if (result == status::ok) continue;
    if (result != status::end || searched == 0) return result;
    line = std::string_view(from.position, searched);  // the last line has no end
    from.position += searched;
    return status::ok;
  }
}

HEADRACE_FUNC status window::find_token(source& from) noexcept {
  if (value_slot_ != no_slot && ready_[value_slot_].next != ready_[value_slot_].end) return status::ok;
  leave_values();
  if (!tokens_.is_empty()) return status::ok;
  std::size_t searched = 0;  // whitespace, which may be a line that is asked for next
  for (;;) {
    const char* const at = skip_whitespace(from.position + searched, from.end);
    if (at != from.end) return status::ok;
    searched = static_cast<std::size_t>(at - from.position);
    newlines_ = {};  // the text that they are in is about to move
    const status result = from.refill();
    if (result != status::ok) return result;
  }
}

HEADRACE_FUNC status window::fetch_char(source& from, char& value) noexcept {
  leave_values();
  end_run();
  if (!tokens_.is_empty()) {
    const std::string_view word = first_token();
    if (word.size() == 1) {
      value = word[0];
      tokens_.next += 2;
      return status::ok;
    }
  }
  sync_position(from);
  const status result = find_token(from);
  if (result != status::ok) return result;
  while (is_whitespace(*from.position)) ++from.position;
  value = *from.position++;
  return status::ok;
}

// ---- the index ----

HEADRACE_FUNC status window::next_token(source& from, std::string_view& word) noexcept {
  leave_values();
  if (unlikely(tokens_.is_empty())) return index(from, word);
  word = first_token();
  return status::ok;
}

HEADRACE_FUNC void window::pass_token(source& from, std::string_view word) noexcept {
  if (likely(!tokens_.is_empty())) {
    tokens_.next += 2;
  } else {
    from.position += word.data() + word.size() - from.position;
  }
}

// Indexes the next window that holds a whole token, and gives the first one. A token that is longer than a window is
// given but not indexed.
__attribute__((noinline)) HEADRACE_FUNC status window::index(source& from, std::string_view& word) noexcept {
  if (make_tables() != status::ok) return system_status(ENOMEM);
  newlines_ = {};
  std::size_t searched = 0;  // bytes of a long token that are known to be no whitespace
  for (;;) {
    const auto unread = static_cast<std::size_t>(from.end - from.position);
    const std::size_t size = next_size(unread);
    const bool closed = from.has_ended() && size == unread;  // whitespace follows the last token
    const std::size_t count = size == 0 ? 0 : index_tokens(from.position, size + closed, tables_->edges);
    if (count >= 2) {
      base_ = from.position;
      forget_batches();
      tokens_ = {tables_->edges, tables_->edges + count / 2 * 2};
      stopped_at_ = nullptr;
      from.position += tokens_.end[-1];
      word = first_token();
      return status::ok;
    }
    from.position += count == 0 ? size : tables_->edges[0];
    if (size < unread) {
      if (count == 0) continue;
      const char* const last = find_whitespace(from.position + searched, from.end);
      if (last != from.end || from.has_ended()) {
        word = std::string_view(from.position, static_cast<std::size_t>(last - from.position));
        return status::ok;
      }
      searched = static_cast<std::size_t>(last - from.position);
    }
    const status result = from.refill();
    if (result != status::ok && !(result == status::end && from.position != from.end)) return result;
  }
}

// How much of the unread bytes to index next: little after an index was thrown away, because tokens and lines take
// turns, and then twice as much each time. One less than a window holds: whitespace may be added after it.
inline std::size_t window::next_size(std::size_t unread) noexcept {
  const std::size_t limit = size_limit_;
  if (limit < window_size) size_limit_ *= 2;
  return unread < limit ? unread : limit - 1;
}

// Back to the token after the last value that was handed out. Records have runs of one length again and again: where
// one ends soon, so many are taken one at a time from then on, and none of the tokens after it is converted in vain.
__attribute__((noinline)) HEADRACE_FUNC void window::return_values([[maybe_unused]] bool ends_run) noexcept {
  run& left = ready_[value_slot_];
  tokens_ = {after_values_.next - 2 * count_values(left), after_values_.end};
  left.next = left.end;
  value_slot_ = no_slot;
  if (!ends_run || run_length_ != max_turn_ + 1) return;
  const std::size_t length = max_turn_ + static_cast<std::size_t>(tokens_.next - first_ahead_) / 2;
  if (length <= longest_turn) max_turn_ = static_cast<unsigned>(length);
}

__attribute__((noinline)) HEADRACE_FUNC void window::sync_position(source& from) noexcept {
  leave_values();
  end_run();
  if (found() == state::none) return;
  if (found() == state::tokens) {
    const char* here = tokens_.next == tables_->edges ? base_ : base_ + tokens_.next[-1];
    if (tokens_.next == stopped_at_) here = base_ + *stopped_at_;
    from.position -= from.position - here;
  }
  size_limit_ = min_limit;
  tokens_ = newlines_ = {};
}

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
