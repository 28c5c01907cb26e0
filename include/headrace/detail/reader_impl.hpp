// headrace/detail/reader_impl.hpp: how a reader finds and converts what it is asked for. Not for users.
#pragma once

#include "../reader.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

struct reader::tables {
  detail::token tokens[detail::window_tokens];
  alignas(8) char values[detail::window_tokens * 8];  // no more: malloc does not promise it
};

// Iterates while its Fetch finds another element; an input range for a for loop.
template <class Fetch>
class reader::sequence {
 public:
  using value_type = typename Fetch::value_type;
  struct sentinel {};
  class iterator {
   public:
    using value_type = typename Fetch::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = const value_type&;
    using pointer = const value_type*;
    using iterator_category = std::input_iterator_tag;

    explicit iterator(reader& from) : from_(&from) { ++*this; }
    const value_type& operator*() const noexcept { return value_; }
    const value_type* operator->() const noexcept { return &value_; }
    iterator& operator++() {
      more_ = Fetch{}(*from_, value_);
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& at, sentinel) noexcept { return !at.more_; }
    friend bool operator!=(const iterator& at, sentinel) noexcept { return at.more_; }

   private:
    reader* from_;
    value_type value_{};
    bool more_ = false;
  };

  explicit sequence(reader& from) noexcept : from_(&from) {}
  iterator begin() const { return iterator(*from_); }
  sentinel end() const noexcept { return {}; }

 private:
  reader* from_;
};

struct reader::fetch_word {
  using value_type = std::string_view;
  template <class Reader>  // a template, so that only its use makes code
  bool operator()(Reader& from, std::string_view& word) const {
    return from.try_read(word);
  }
};
struct reader::fetch_line {
  using value_type = std::string_view;
  template <class Reader>
  bool operator()(Reader& from, std::string_view& line) const {
    return from.try_read_line(line);
  }
};
template <class T>
struct reader::fetch_value {
  using value_type = T;
  bool operator()(reader& from, T& value) const { return from.try_read(value); }
};

inline reader::sequence<reader::fetch_word> reader::words() { return sequence<fetch_word>(*this); }
inline reader::sequence<reader::fetch_line> reader::lines() { return sequence<fetch_line>(*this); }
template <class T>
reader::sequence<reader::fetch_value<T>> reader::values() {
  return sequence<fetch_value<T>>(*this);
}

namespace detail {

template <class T>
constexpr value_kind find_kind() noexcept {
  if constexpr (is_integer<T>) return {"an integer", sizeof(T) * 8, is_signed_integer<T>};
  if constexpr (is_float<T>) return {"a number", 0, true};
  if constexpr (std::is_same_v<T, bool>) return {"0 or 1", 0, false};
  if constexpr (std::is_same_v<T, char>) return {"a character", 0, false};
  if constexpr (is_text<T>) return {"a word", 0, false};
  if constexpr (is_contiguous<T> && !is_text<T>) {
    return find_kind<std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<T&>()))>>>();
  }
  return {"a value", 0, false};
}
template <class T>
constexpr value_kind kind_of = find_kind<T>();

// What was expected, with its range when the value was out of it: "an integer from 0 to 255".
HEADRACE_COLD inline message describe(value_kind kind, bool with_range) noexcept {
  if (!with_range || kind.bits == 0) return {kind.name, with_range ? " that fits its type" : ""};
  if (kind.bits > 64) return {kind.is_signed ? "a signed" : "an unsigned", " integer of 128 bits"};
  const std::uint64_t max = ~std::uint64_t(0) >> (64 - kind.bits + kind.is_signed);
  return {kind.name, " from ",      kind.is_signed ? "-" : "", digits_of(kind.is_signed ? max + 1 : 0),
          " to ",    digits_of(max)};
}

// Read without any user's code.
template <class T>
constexpr bool is_simple = is_integer<T> || is_float<T> || is_one_of<T, bool, char, std::string, std::string_view>;

template <class T>
using contiguous_element = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<T&>()))>>;

// The first byte from `first` that is a blank, or `last`. May read 7 bytes behind `last`.
inline const char* find_blank(const char* first, const char* last) noexcept {
  for (; first < last; first += 8) {
    const std::uint64_t found = scalar::blanks(load_eight(first));
    if (found != 0) {
      first += __builtin_ctzll(found) / 8;
      break;
    }
  }
  return first < last ? first : last;
}

// A word of the buffer into a string. A short one is copied at a constant size, because a memcpy that branches on a
// random length costs more than all else here, and then cut: twelve bytes fit a std::string without an allocation, and
// the buffer has as many behind each word. In libstdc++ assign() is a call, but a move from a short string is a few
// inlined loads and stores (of which 15 bytes would need two that overlap, and stall); in libc++ it would give away
// the target's memory.
__attribute__((flatten)) inline void assign_word(std::string& target, std::string_view word) {
  constexpr std::size_t whole = 12;
  if (unlikely(word.size() > whole)) {
    target.assign(word.data(), word.size());
    return;
  }
#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
  target = std::string(word.data(), whole);
#else
  target.assign(word.data(), whole);
#endif
  target.erase(word.size());
}

}  // namespace detail

// ---- the three ways of asking ----

template <class T>
HEADRACE_INLINE reader& reader::operator>>(T&& value) {
  const std::errc code = fetch(value);
  if (detail::unlikely(code != std::errc{})) fail(code, detail::kind_of<std::remove_reference_t<T>>);
  return *this;
}

template <class T>
T reader::read() {
  T value{};
  *this >> value;
  return value;
}

template <class T>
void reader::read(T&& value) {
  *this >> value;
}

template <class T>
HEADRACE_INLINE bool reader::try_read(T&& value) {
  const std::errc code = fetch(value);
  return detail::likely(code == std::errc{}) || end_or_fail(code, detail::kind_of<std::remove_reference_t<T>>);
}

// The end of input before the first part of a value is no error.
HEADRACE_COLD inline bool reader::end_or_fail(std::errc code, detail::value_kind expected) {
  if (code != std::errc::no_message || in_parts_) fail(code, expected);
  settle();
  source_.position = source_.end;
  return false;
}

template <class T>
read_result reader::parse(T&& value) {
  using target = std::remove_reference_t<T>;
  std::errc code{};
#if HEADRACE_EXCEPTIONS
  if constexpr (!detail::is_simple<target>) {  // a user's type, perhaps as a part of this one, reports by throwing
    try {
      code = fetch(value);
    } catch (const input_error& error) {
      return {possible_error(error)};
    }
  } else
#endif
  {
    code = fetch(value);
  }
  if (detail::likely(code == std::errc{})) return {};
  return {possible_error(make_error(code, detail::kind_of<target>))};
}

template <class Range>
std::size_t reader::read_some(Range&& range) {
  using element = detail::contiguous_element<std::remove_reference_t<Range>>;
  std::size_t done = 0;
  const std::errc code = fetch_many(std::data(range), std::size(range), done);
  if (code != std::errc{} && (code != std::errc::no_message || in_parts_)) fail(code, detail::kind_of<element>);
  return done;
}

HEADRACE_INLINE bool reader::try_read_line(std::string_view& line) {
  const std::errc code = fetch_line_view(line);
  return detail::likely(code == std::errc{}) || end_or_fail(code, {"a line", 0, false});
}

inline std::string_view reader::read_line() {
  std::string_view line;
  const std::errc code = fetch_line_view(line);
  if (detail::unlikely(code != std::errc{})) fail(code, {"a line", 0, false});
  return line;
}

inline bool reader::skip() {
  std::string_view passed;
  const std::errc code = fetch_word_view(passed);
  return code == std::errc{} || end_or_fail(code, detail::kind_of<std::string_view>);
}

// Consumes nothing, and needs no more of the next token than its first byte.
inline bool reader::at_end() {
  if (active_slot_ >= 0 && ahead_[active_slot_].next != ahead_[active_slot_].end) return false;
  if (next_token_ != token_count_) return false;
  std::size_t searched = 0;
  for (;;) {
    const char* at = source_.position + searched;
    while (at != source_.end && detail::is_blank(*at)) ++at;
    if (at != source_.end) return false;
    searched = static_cast<std::size_t>(at - source_.position);
    next_line_ = line_count_ = 0;
    const std::errc code = source_.refill();
    if (code == std::errc::no_message) return true;
    if (code != std::errc{}) fail(code, detail::kind_of<std::string_view>);
  }
}

inline struct position reader::where() {
  settle();
  return source_.where(source_.position);
}

inline std::string_view reader::buffered() {
  settle();
  return {source_.position, static_cast<std::size_t>(source_.end - source_.position)};
}

inline void reader::consume(std::size_t bytes) {
  settle();
  source_.position += bytes;
}

inline bool reader::fetch_more() {
  settle();
  const std::errc code = source_.refill();
  if (code != std::errc{} && code != std::errc::no_message) fail(code, detail::kind_of<std::string_view>);
  return code == std::errc{};
}

// ---- what a T is made of ----

template <class T>
HEADRACE_INLINE std::errc reader::fetch(T& value) {
  if constexpr (detail::has_io_read<T>) {
    if (at_end()) return std::errc::no_message;
    io<T>::read(*this, value);
    return std::errc{};
  } else if constexpr (detail::slot_of<T> >= 0) {
    return fetch_number(value);
  } else if constexpr (std::is_same_v<T, char>) {
    return fetch_char(value);
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return fetch_word_view(value);
  } else if constexpr (detail::is_text<T>) {
    std::string_view word;
    const std::errc code = fetch_word_view(word);
    if (detail::likely(code == std::errc{})) detail::assign_word(value, word);
    return code;
  } else if constexpr (detail::is_integer<T> || detail::is_float<T> || std::is_same_v<T, bool>) {
    leave_ahead();
    return fetch_token(value);
  } else if constexpr (detail::is_contiguous<T>) {
    std::size_t done = 0;
    const std::errc code = fetch_many(std::data(value), std::size(value), done);
    in_parts_ |= code == std::errc::no_message && done != 0;
    return code;
  } else {
    static_assert(detail::is_tuple_like<T>, "headrace reads no such type: specialise headrace::io for it");
    T parsed{};
    const std::errc code = fetch_elements(parsed, std::make_index_sequence<std::tuple_size<T>::value>{});
    if (code == std::errc{}) value = static_cast<T&&>(parsed);
    return code;
  }
}

template <class T, std::size_t... I>
std::errc reader::fetch_elements(T& value, std::index_sequence<I...>) {
  using std::get;
  static_assert((!std::is_same_v<std::remove_reference_t<decltype(get<I>(value))>, std::string_view> && ...),
                "a string_view is valid until the next read only: read words of a tuple into std::string");
  std::errc code{};
  std::size_t done = 0;
  ((code == std::errc{} ? void((code = fetch(get<I>(value))) == std::errc{} && ++done) : void()), ...);
  in_parts_ |= code == std::errc::no_message && done != 0;
  return code;
}

// ---- numbers ----

template <class T>
HEADRACE_INLINE std::errc reader::fetch_number(T& value) {
  ahead& ready = ahead_[detail::slot_of<T>];
  if (detail::unlikely(ready.next == ready.end)) return fetch_number_slowly(value);
  std::memcpy(&value, ready.next, sizeof(T));
  ready.next += sizeof(T);
  return std::errc{};
}

// One value: types that take turns go token by token. What is rare is left to a call at the end, so that the rest
// needs no stack.
template <class T>
__attribute__((noinline)) std::errc reader::fetch_number_slowly(T& value) {
  constexpr int slot = detail::slot_of<T>;
  if (active_slot_ >= 0 || last_slot_ == slot) return fetch_run(value);
  last_slot_ = slot;
  run_ = 0;
  if (detail::unlikely(next_token_ == token_count_)) return fetch_any_token(value);
  const detail::token next = tables_->tokens[next_token_];
  if (detail::unlikely(!detail::parse_short_token(base_ + next.begin, base_ + next.end, value))) {
    return fetch_any_token(value);
  }
  ++next_token_;
  return std::errc{};
}

// After a few of one type in a row, as many ahead as the window holds.
template <class T>
__attribute__((noinline)) std::errc reader::fetch_run(T& value) {
  constexpr int slot = detail::slot_of<T>;
  if (active_slot_ != slot) leave_ahead();
  if (last_slot_ != slot) {
    last_slot_ = slot;
    run_ = 0;
  }
  if (run_ == 0) ahead_limit_ = 32;
  if (++run_ > 2 && convert_ahead<T>()) return fetch_number(value);
  return fetch_token(value);
}

template <class T>
__attribute__((noinline)) std::errc reader::fetch_any_token(T& value) {
  return fetch_token(value);
}

template <class T>
HEADRACE_INLINE std::errc reader::fetch_token(T& value) {
  const char* first;
  const char* last;
  std::errc code = peek_token(first, last);
  if (detail::unlikely(code != std::errc{})) return code;
  if constexpr (detail::is_integer<T> || detail::is_float<T>) {
    code = detail::parse_token_in_buffer(first, last, value);
  } else {
    code = detail::parse_token(first, last, value);
  }
  if (detail::likely(code == std::errc{})) consume_token(last);
  return code;
}

// False when there is nothing to hand out: the next token needs more input, or is none of this type.
template <class T>
bool reader::convert_ahead() {
  if (tables_ == nullptr && make_tables() != std::errc{}) return false;
  T* const values = reinterpret_cast<T*>(tables_->values);
  std::size_t done = 0;
  if (next_token_ != token_count_ || !scan_window(values, ahead_limit_, done)) {
    const char* first;
    const char* last;
    if (next_token_ == token_count_ && peek_token(first, last) != std::errc{}) return false;
    std::size_t count = token_count_ - next_token_;
    if (count > ahead_limit_) count = ahead_limit_;
    done = detail::convert_tokens(base_, tables_->tokens + next_token_, count, values);
    next_token_ += done;
  }
  if (ahead_limit_ < detail::window_tokens) ahead_limit_ *= 2;
  if (ahead_limit_ > detail::window_size / 2) ahead_limit_ = detail::window_size / 2;
  ahead_[detail::slot_of<T>] = {tables_->values, tables_->values + done * sizeof(T)};
  active_slot_ = detail::slot_of<T>;
  return done != 0;
}

// Without SIMD both stages go in one pass over the complete tokens in the buffer.
template <class T>
bool reader::scan_window([[maybe_unused]] T* values, [[maybe_unused]] std::size_t room,
                         [[maybe_unused]] std::size_t& done) {
  if constexpr (detail::is_integer<T> && sizeof(T) <= 8) {
    if (detail::chosen_kernel() != detail::kernel::scalar) return false;
    next_line_ = line_count_ = 0;
    auto size = static_cast<std::size_t>(source_.end - source_.position);
    if (size > detail::window_size) size = detail::window_size;
    while (size != 0 && !detail::is_blank(source_.position[size - 1])) --size;
    done = detail::scalar::scan(source_.position, size, tables_->tokens, values, room);
    if (done == 0) return false;
    base_ = source_.position;
    next_token_ = token_count_ = done;
    source_.position += tables_->tokens[done - 1].end;
    return true;
  } else {
    return false;
  }
}

template <class T>
std::errc reader::fetch_many(T* values, std::size_t count, std::size_t& done) {
  static_assert(!std::is_same_v<T, std::string_view>,
                "a string_view is valid until the next read only: read words into std::string");
  if constexpr (detail::slot_of<T> < 0) {
    for (; done != count; ++done) {
      const std::errc code = fetch(values[done]);
      if (code != std::errc{}) return code;
    }
  } else {
    leave_ahead();
    if (tables_ == nullptr && make_tables() != std::errc{}) return std::errc::not_enough_memory;
    while (done != count) {
      std::size_t taken = 0;
      if (next_token_ == token_count_ && scan_window(values + done, count - done, taken)) {
        done += taken;
        continue;
      }
      const char* first;
      const char* last;
      std::errc code = peek_token(first, last);
      if (code != std::errc{}) return code;
      const std::size_t indexed = token_count_ - next_token_;
      taken = detail::convert_tokens(base_, tables_->tokens + next_token_,
                                     indexed < count - done ? indexed : count - done, values + done);
      next_token_ += taken;
      done += taken;
      if (taken != 0) continue;
      code = fetch_token(values[done]);
      if (code != std::errc{}) return code;
      ++done;
    }
  }
  return std::errc{};
}

// ---- words, lines, characters ----

HEADRACE_INLINE std::errc reader::fetch_word_view(std::string_view& word) {
  if (detail::unlikely(active_slot_ >= 0 || next_token_ == token_count_)) return fetch_word_slowly(word);
  last_slot_ = -1;
  const detail::token next = tables_->tokens[next_token_++];
  word = std::string_view(base_ + next.begin, static_cast<std::size_t>(next.end) - next.begin);
  return std::errc{};
}

__attribute__((noinline)) inline std::errc reader::fetch_word_slowly(std::string_view& word) {
  leave_ahead();
  last_slot_ = -1;
  const char* first;
  const char* last;
  const std::errc code = peek_token(first, last);
  if (code != std::errc{}) return code;
  word = std::string_view(first, static_cast<std::size_t>(last - first));
  consume_token(last);
  return code;
}

// While an index of line ends is in use, source_.position stands at the begin of the next line.
HEADRACE_INLINE std::errc reader::fetch_line_view(std::string_view& line) {
  if (detail::unlikely(next_line_ == line_count_)) return fetch_line_slowly(line);
  take_line(line, base_ + detail::edges_of(tables_->tokens)[next_line_++]);
  return std::errc{};
}

HEADRACE_INLINE void reader::take_line(std::string_view& line, const char* stop) noexcept {
  const char* const begin = source_.position;
  source_.position += stop + 1 - begin;
  line = std::string_view(begin, static_cast<std::size_t>(stop - begin) - (stop != begin && stop[-1] == '\r'));
}

// Indexes the line ends of the next window; a line that is longer is found byte by byte.
__attribute__((noinline)) inline std::errc reader::fetch_line_slowly(std::string_view& line) {
  settle();
  if (tables_ == nullptr && make_tables() != std::errc{}) return std::errc::not_enough_memory;
  std::size_t searched = 0;
  for (;;) {
    const auto unread = static_cast<std::size_t>(source_.end - source_.position);
    if (searched == 0 && unread != 0) {
      const std::size_t size = window_of(unread);
      line_count_ = detail::index_newlines(source_.position, size, detail::edges_of(tables_->tokens));
      base_ = source_.position;
      if (line_count_ != 0) return fetch_line_view(line);
      searched = size;
    }
    const void* stop = unread == searched ? nullptr : std::memchr(source_.position + searched, '\n', unread - searched);
    if (stop != nullptr) {
      take_line(line, static_cast<const char*>(stop));
      return std::errc{};
    }
    searched = unread;
    const std::errc code = source_.refill();
    if (code == std::errc{}) continue;
    if (code != std::errc::no_message || searched == 0) return code;
    line = std::string_view(source_.position, searched);  // the last line has no end
    source_.position += searched;
    return std::errc{};
  }
}

inline std::errc reader::fetch_char(char& value) {
  leave_ahead();
  last_slot_ = -1;
  if (next_token_ != token_count_) {
    const detail::token next = tables_->tokens[next_token_];
    const char* const first = base_ + next.begin;
    value = *first;
    if (next.end - next.begin == 1) {
      ++next_token_;
    } else {
      settle();
      source_.position += first + 1 - source_.position;
    }
    return std::errc{};
  }
  next_line_ = line_count_ = 0;
  for (;;) {  // the byte is enough: its token may be incomplete
    while (source_.position != source_.end && detail::is_blank(*source_.position)) ++source_.position;
    if (source_.position != source_.end) break;
    const std::errc code = source_.refill();
    if (code != std::errc{}) return code;
  }
  value = *source_.position++;
  return std::errc{};
}

// ---- tokens ----

// The bounds of the next token, which ends before a blank or the end of input. It is not consumed.
HEADRACE_INLINE std::errc reader::peek_token(const char*& first, const char*& last) {
  if (detail::unlikely(next_token_ == token_count_)) return next_window(first, last);
  first = base_ + tables_->tokens[next_token_].begin;
  last = base_ + tables_->tokens[next_token_].end;
  return std::errc{};
}

HEADRACE_INLINE void reader::consume_token(const char* last) noexcept {
  if (detail::likely(next_token_ != token_count_)) {
    ++next_token_;
  } else {
    source_.position += last - source_.position;
  }
}

// Indexes the next window that holds a whole token. A token that is longer than a window is returned but not indexed.
__attribute__((noinline)) inline std::errc reader::next_window(const char*& first, const char*& last) {
  if (tables_ == nullptr) {
    const std::errc code = make_tables();
    if (code != std::errc{}) return code;
  }
  leave_ahead();
  token_count_ = next_token_ = 0;
  line_count_ = next_line_ = 0;
  std::size_t searched = 0;  // bytes of a long token that are known to be no blanks
  for (;;) {
    const auto unread = static_cast<std::size_t>(source_.end - source_.position);
    const std::size_t size = window_of(unread);
    const bool closed = source_.at_end() && size == unread;  // blanks stand behind the last token
    const std::size_t edges = size == 0 ? 0 : detail::index_tokens(source_.position, size + closed, tables_->tokens);
    if (edges >= 2) {
      base_ = source_.position;
      token_count_ = edges / 2;
      source_.position += tables_->tokens[token_count_ - 1].end;
      return peek_token(first, last);
    }
    source_.position += edges == 0 ? size : tables_->tokens[0].begin;
    if (size < unread) {
      if (edges == 0) continue;
      last = detail::find_blank(source_.position + searched, source_.end);
      if (last != source_.end || source_.at_end()) {
        first = source_.position;
        return std::errc{};
      }
      searched = static_cast<std::size_t>(last - source_.position);
    }
    const std::errc code = source_.refill();
    if (code != std::errc{} && !(code == std::errc::no_message && source_.position != source_.end)) return code;
  }
}

// How much of the unread bytes to index next: little after an index was thrown away, because tokens and lines take
// turns, and then twice as much each time. One less than a window holds: a blank may be added behind it.
inline std::size_t reader::window_of(std::size_t unread) noexcept {
  const std::size_t limit = window_limit_;
  if (limit < detail::window_size) window_limit_ *= 2;
  return unread < limit ? unread : limit - 1;
}

// Back to the token after the last value that was handed out.
inline void reader::leave_ahead() noexcept {
  if (active_slot_ < 0) return;
  ahead& left = ahead_[active_slot_];
  static constexpr unsigned char sizes[detail::slot_count] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  next_token_ -= static_cast<std::size_t>(left.end - left.next) / sizes[active_slot_];
  left.next = left.end;
  active_slot_ = -1;
}

// Back to a plain position in the buffer, behind what was last consumed.
inline void reader::settle() noexcept {
  leave_ahead();
  last_slot_ = -1;
  if (next_line_ != line_count_ || next_token_ != token_count_) window_limit_ = least_window;
  next_line_ = line_count_ = 0;
  if (next_token_ == token_count_) return;
  const char* const stands = next_token_ == 0 ? base_ : base_ + tables_->tokens[next_token_ - 1].end;
  source_.position -= source_.position - stands;
  next_token_ = token_count_ = 0;
}

HEADRACE_COLD inline std::errc reader::make_tables() {
  tables_ = static_cast<tables*>(std::malloc(sizeof(tables)));
  return tables_ == nullptr ? std::errc::not_enough_memory : std::errc{};
}

inline reader::reader(reader&& other) noexcept : source_(-1, "<moved>") { *this = static_cast<reader&&>(other); }

inline reader& reader::operator=(reader&& other) noexcept {
  other.settle();
  settle();
  source_ = static_cast<detail::source&&>(other.source_);
  return *this;
}

// ---- errors ----

HEADRACE_COLD inline input_error reader::make_error(std::errc code, detail::value_kind expected) {
  using detail::digits_of, detail::message;
  in_parts_ = false;
  if (code != std::errc::invalid_argument && code != std::errc::result_out_of_range && code != std::errc::no_message) {
    settle();
    return input_error(message{source_.name(), ": cannot read: ", source_.describe_failure(code)}, code,
                       source_.where(source_.position));
  }
  const char* first = nullptr;
  const char* last = nullptr;
  std::string_view token;
  const bool at_token = code != std::errc::no_message && peek_token(first, last) == std::errc{};
  if (at_token) token = {first, static_cast<std::size_t>(last - first)};
  settle();
  source_.position = at_token ? source_.position + (first - source_.position) : source_.end;
  const struct position where = source_.where(source_.position);
  const bool out_of_range = code == std::errc::result_out_of_range;
  const message wanted = detail::describe(expected, out_of_range);
  const detail::piece found = at_token ? detail::piece(detail::quoted(token)) : "the end of input";
  return input_error(message{source_.name(), ":", digits_of(where.line), ":", digits_of(where.column), ": expected ",
                             wanted, ", found ", found},
                     !at_token      ? errc::end_of_input
                     : out_of_range ? errc::out_of_range
                                    : errc::malformed,
                     where, token);
}

HEADRACE_COLD inline void reader::fail(std::errc code, detail::value_kind expected) {
  detail::raise_input_error(make_error(code, expected));
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
