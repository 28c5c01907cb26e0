// headrace/detail/window_impl.hpp: how a window is filled. Not for users.
#pragma once

#include "window.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The first byte from `first` that is whitespace, or `last`. May read 7 bytes after `last`.
inline const char* find_whitespace(const char* first, const char* last) noexcept {
  for (; first < last; first += 8) {
    const std::uint64_t found = scalar::find_whitespace(load_eight(first));
    if (found != 0) {
      first += __builtin_ctzll(found) / 8;
      break;
    }
  }
  return first < last ? first : last;
}

// Of four or eight bytes.
HEADRACE_INLINE void copy_value(char* to, const char* from, unsigned size) noexcept {
  if (size == 8) {
    std::memcpy(to, from, 8);
  } else {
    std::memcpy(to, from, 4);
  }
}

HEADRACE_COLD HEADRACE_FUNC status window::make_tables() noexcept {
  if (tables_ == nullptr) tables_ = static_cast<tables*>(std::malloc(sizeof(tables)));
  return tables_ == nullptr ? system_status(ENOMEM) : status::ok;
}

// ---- numbers ----

// After a few of one type in a row, as many ahead as the window holds; types that take turns go token by token.
__attribute__((noinline)) HEADRACE_FUNC status window::fetch(source& from, const number_type& type,
                                                             char* value) noexcept {
  if (state_ == state::values && value_slot_ != type.slot) leave_values();
  if (last_slot_ != type.slot) {
    last_slot_ = static_cast<signed char>(type.slot);
    run_length_ = 0;
  }
  if (run_length_ == 0) ahead_limit_ = 32;
  if (++run_length_ > 2 && convert_ahead(from, type)) {
    run& ready = ready_[type.slot];
    copy_value(value, ready.next, type.size);
    ready.next += type.size;
    return status::ok;
  }
  return fetch_one(from, type, value);
}

HEADRACE_FUNC status window::fetch_one(source& from, const number_type& type, char* value) noexcept {
  std::string_view word;
  status result = peek(from, word);
  if (unlikely(result != status::ok)) return result;
  result = status_of(type.parse(type, word.data(), word.data() + word.size(), value));
  if (likely(result == status::ok)) consume(from, word);
  return result;
}

// False when there is nothing to hand out: the next token needs more input, or is none of this type.
HEADRACE_FUNC bool window::convert_ahead(source& from, const number_type& type) noexcept {
  if (make_tables() != status::ok) return false;
  std::size_t done = 0;
  leave_values();
  if (state_ == state::tokens || !scan(from, type, tables_->values, ahead_limit_, done)) {
    std::string_view word;
    if (state_ != state::tokens && (peek(from, word) != status::ok || state_ != state::tokens)) return false;
    const std::size_t left = count_ - next_;
    done = type.convert(type, base_, tables_->edges + 2 * next_, left < ahead_limit_ ? left : ahead_limit_,
                        tables_->values);
    next_ += done;
  }
  if (ahead_limit_ < window_size / 2) ahead_limit_ *= 2;
  if (done == 0) return false;
  ready_[type.slot] = {tables_->values, tables_->values + done * type.size};
  value_slot_ = static_cast<signed char>(type.slot);
  value_size_ = type.size;
  state_ = state::values;
  return true;
}

// Where the kernel takes both stages in one pass: over the complete tokens in the buffer.
HEADRACE_FUNC bool window::scan(source& from, const number_type& type, char* values, std::size_t room,
                                std::size_t& done) noexcept {
  state_ = state::none;  // of lines: the position is at the next one
  auto size = static_cast<std::size_t>(from.end - from.position);
  if (size > window_size) size = window_size;
  while (size != 0 && !is_whitespace(from.position[size - 1])) --size;
  if (!type.scan(type, from.position, size, tables_->edges, values, room, done) || done == 0) return false;
  base_ = from.position;
  next_ = count_ = done;
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
    if (state_ != state::tokens && scan(from, type, to, count - done, taken)) {
      done += taken;
      continue;
    }
    std::string_view word;
    status result = peek(from, word);
    if (result != status::ok) return result;
    if (state_ == state::tokens) {
      const std::size_t left = count_ - next_;
      taken = type.convert(type, base_, tables_->edges + 2 * next_, left < count - done ? left : count - done, to);
      next_ += taken;
      if (next_ == count_) state_ = state::none;
      done += taken;
      if (taken != 0) continue;
    }
    result = fetch_one(from, type, to);
    if (result != status::ok) return result;
    ++done;
  }
  return status::ok;
}

// ---- words, lines, characters ----

__attribute__((noinline)) HEADRACE_FUNC status window::fetch_word(source& from, std::string_view& word) noexcept {
  end_run();
  const status result = peek(from, word);
  if (result == status::ok) consume(from, word);
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
      count_ = index_newlines(from.position, size, tables_->edges);
      next_ = 0;
      base_ = from.position;
      if (count_ != 0) {
        state_ = state::lines;
        take_line(from, line);
        return status::ok;
      }
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
  if (state_ == state::values && ready_[value_slot_].next != ready_[value_slot_].end) return status::ok;
  leave_values();
  if (state_ == state::tokens) return status::ok;
  std::size_t searched = 0;  // whitespace, which may be a line that is asked for next
  for (;;) {
    const char* at = from.position + searched;
    while (at != from.end && is_whitespace(*at)) ++at;
    if (at != from.end) return status::ok;
    searched = static_cast<std::size_t>(at - from.position);
    state_ = state::none;  // an index of lines may be about to move
    const status result = from.refill();
    if (result != status::ok) return result;
  }
}

HEADRACE_FUNC status window::fetch_char(source& from, char& value) noexcept {
  leave_values();
  end_run();
  if (state_ == state::tokens) {
    const token next = token_at(tables_->edges, next_);
    if (next.end - next.begin == 1) {
      value = base_[next.begin];
      pass_token();
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

HEADRACE_FUNC status window::peek(source& from, std::string_view& word) noexcept {
  leave_values();
  if (unlikely(state_ != state::tokens)) return index(from, word);
  const token next = token_at(tables_->edges, next_);
  word = std::string_view(base_ + next.begin, static_cast<std::size_t>(next.end) - next.begin);
  return status::ok;
}

HEADRACE_FUNC void window::consume(source& from, std::string_view word) noexcept {
  if (likely(state_ == state::tokens)) {
    pass_token();
  } else {
    from.position += word.data() + word.size() - from.position;
  }
}

// Indexes the next window that holds a whole token, and gives the first one. A token that is longer than a window is
// given but not indexed.
__attribute__((noinline)) HEADRACE_FUNC status window::index(source& from, std::string_view& word) noexcept {
  if (make_tables() != status::ok) return system_status(ENOMEM);
  state_ = state::none;
  std::size_t searched = 0;  // bytes of a long token that are known to be no whitespace
  for (;;) {
    const auto unread = static_cast<std::size_t>(from.end - from.position);
    const std::size_t size = next_size(unread);
    const bool closed = from.at_end() && size == unread;  // whitespace follows the last token
    const std::size_t edges = size == 0 ? 0 : index_tokens(from.position, size + closed, tables_->edges);
    if (edges >= 2) {
      base_ = from.position;
      next_ = 0;
      count_ = edges / 2;
      state_ = state::tokens;
      from.position += tables_->edges[2 * count_ - 1];
      return peek(from, word);
    }
    from.position += edges == 0 ? size : tables_->edges[0];
    if (size < unread) {
      if (edges == 0) continue;
      const char* const last = find_whitespace(from.position + searched, from.end);
      if (last != from.end || from.at_end()) {
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

// Back to the token after the last value that was handed out.
HEADRACE_FUNC void window::leave_values() noexcept {
  if (state_ != state::values) return;
  run& left = ready_[value_slot_];
  next_ -= static_cast<std::size_t>(left.end - left.next) / value_size_;
  left.next = left.end;
  state_ = next_ == count_ ? state::none : state::tokens;
}

HEADRACE_FUNC void window::sync_position(source& from) noexcept {
  leave_values();
  end_run();
  if (state_ == state::none) return;
  if (state_ == state::tokens) {
    const char* const here = next_ == 0 ? base_ : base_ + tables_->edges[2 * next_ - 1];
    from.position -= from.position - here;
  }
  size_limit_ = min_limit;
  state_ = state::none;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
