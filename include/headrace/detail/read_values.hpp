// headrace/detail/read_values.hpp: how a value is made of what a reader finds. Not for users: ../reader.hpp says what
// is read.
#pragma once

#include "../reader.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

// Iterates while its Fetch finds another element; an input range for a for loop.
namespace detail {

template <class T>
constexpr void refuse_open_length() noexcept {
  static_assert(!has_open_length<T>,
                "headrace cannot know how many elements to read: make the range with its size, then in.read(range)");
}

}  // namespace detail

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

struct reader::get_word {
  using value_type = std::string_view;
  template <class Reader>  // a template, so that only its use makes code
  bool operator()(Reader& from, std::string_view& word) const {
    return from.try_read(word);
  }
};
struct reader::get_line {
  using value_type = std::string_view;
  template <class Reader>
  bool operator()(Reader& from, std::string_view& line) const {
    return from.try_read_line(line);
  }
};
template <class T>
struct reader::get_value {
  using value_type = T;
  bool operator()(reader& from, T& value) const { return from.try_read(value); }
};

inline reader::sequence<reader::get_word> reader::words() & { return sequence<get_word>(*this); }
inline reader::sequence<reader::get_line> reader::lines() & { return sequence<get_line>(*this); }
template <class T>
reader::sequence<reader::get_value<T>> reader::values() & {
  detail::refuse_open_length<T>();
  return sequence<get_value<T>>(*this);
}

namespace detail {

template <class T>
constexpr value_kind find_kind() noexcept {
  if constexpr (has_io_parse<T>) return {io<T>::expected, 0, false};
  if constexpr (is_integer<T>) return {"an integer", sizeof(T) * 8, is_signed_integer<T>};
  if constexpr (is_float<T>) return {"a number", 0, true};
  if constexpr (std::is_same_v<T, bool>) return {"0 or 1", 1, false};
  if constexpr (std::is_same_v<T, char>) return {"a character", 0, false};
  if constexpr (is_text<T>) return {"a word", 0, false};
  if constexpr (is_contiguous<T>) return find_kind<contiguous_element<T>>();
  return {"a value", 0, false};
}
template <class T>
constexpr value_kind kind_of = find_kind<T>();

// Names the kind of a value, which may bring its base.
template <class T>
constexpr value_kind kind_for([[maybe_unused]] const T& value) noexcept {
  if constexpr (is_based<T>) {
    value_kind kind = kind_of<std::remove_reference_t<decltype(value.value)>>;
    kind.base = static_cast<unsigned char>(value.base < 0 || value.base > 255 ? 0 : value.base);
    return kind;
  } else {
    return kind_of<T>;
  }
}

// A whole token, or field, of a type that is not converted ahead.
template <class T>
std::errc parse_value(const char* first, const char* last, T& value) noexcept {
  if constexpr (has_io_parse<T>) {
    return io<T>::parse(first, last, value);
  } else {
    return parse_token(first, last, value);
  }
}

inline constexpr value_kind kind_of_line = {"a line", 0, false};

// Has the compiler say one sentence, which is easy to find, for a type that cannot be read.
template <class T>
constexpr void refuse_to_read() noexcept {
  constexpr bool never = sizeof(T*) == 0;
  if constexpr (std::is_const_v<T>) {
    static_assert(never, "headrace cannot read into what is const; std::ignore is, too: in.skip() passes over a token");
  } else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) {
    static_assert(never,
                  "headrace cannot read into a pointer: read into what it points to, or a word into a std::string");
  } else if constexpr (std::is_enum_v<T>) {
    static_assert(never,
                  "headrace cannot read an enumeration: read an integer and check it, or specialise headrace::io<T> "
                  "for it (see types.hpp)");
  } else {
    static_assert(never,
                  "headrace cannot read this type: specialise headrace::io<T> for it (see types.hpp); it has no "
                  "manipulators such as std::setw");
  }
}

// Whether a tuple, or one of its elements, is const.
template <class T, std::size_t... Index>
constexpr bool is_partly_const(std::index_sequence<Index...>) noexcept {
  return (std::is_const_v<T> || ... ||
          std::is_const_v<std::remove_reference_t<typename std::tuple_element<Index, T>::type>>);
}

template <class T>
HEADRACE_INLINE void assert_elements([[maybe_unused]] const T& target) noexcept {
  if constexpr (is_resizable<T> && has_open_length<T>) {
    HEADRACE_ASSERT(std::size(target) != 0, "the range to fill has no elements: give it its size first");
  }
}

// A type of the same elements that are no references: what std::tie's are read into first.
template <class T>
struct owned_elements {
  using type = T;
};
template <template <class...> class Tuple, class... T>
struct owned_elements<Tuple<T...>> {
  using type = Tuple<std::remove_reference_t<T>...>;
};

// Read without any user's code.
template <class T>
constexpr bool is_simple = is_integer<T> || is_float<T> || is_one_of<T, bool, char, std::string, std::string_view>;

// A sentence of the compiler's for what is read into a temporary: T is what a T&& was deduced to be. A std::tie, a
// headrace::base and a span refer to what outlives them.
template <class T>
constexpr void refuse_temporary() noexcept {
  static_assert(std::is_lvalue_reference_v<T> || has_io_read<T> || !(is_simple<T> || is_resizable<T>),
                "headrace reads into a variable: what is read into a temporary is lost; in.skip() passes over a token");
}

template <class T>
constexpr bool is_fetched_in_bulk = is_converted_ahead<T> && sizeof(T) >= 4;

// A word of the buffer into a string. A short one is copied at a constant size, because a memcpy that branches on a
// random length costs more than all else here, and then cut: twelve bytes fit a std::string without an allocation, and
// the buffer has as many after each word. In libstdc++ assign() is a call, but a move from a short string is a few
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
  detail::refuse_temporary<T>();
  detail::assert_elements(value);
  const detail::status result = fetch(value);
  if (detail::unlikely(result != detail::status::ok)) fail(result, detail::kind_for(value));
  return *this;
}

template <class T>
T reader::read() {
  detail::refuse_open_length<T>();
  T value{};
  *this >> value;
  return value;
}

template <class T>
void reader::read(T&& value) {
  detail::refuse_temporary<T>();
  const detail::status result = fetch(value);
  if (detail::unlikely(result != detail::status::ok)) fail(result, detail::kind_for(value));
}

template <class T>
HEADRACE_INLINE bool reader::try_read(T&& value) {
  detail::refuse_temporary<T>();
  detail::assert_elements(value);
  const detail::status result = fetch(value);
  if (detail::likely(result == detail::status::ok)) return true;
  end_or_fail(result, detail::kind_for(value));
  return false;
}

template <class T>
read_result reader::parse(T&& value) {
  detail::refuse_temporary<T>();
  detail::status result{};
#if defined(__cpp_exceptions)
  if constexpr (!detail::is_simple<std::remove_reference_t<T>>) {  // a user's type, perhaps as a part of this one,
                                                                   // reports by throwing
    try {
      result = fetch(value);
    } catch (const input_error& error) {
      return {possible_error(error)};
    }
  } else
#endif
  {
    result = fetch(value);
  }
  if (detail::likely(result == detail::status::ok)) return {};
  return {possible_error(std::true_type(), [&] { return make_error(result, detail::kind_for(value)); })};
}

template <class T>
read_value<T> reader::parse() {
  detail::refuse_open_length<T>();
  read_value<T> result;
  result.error = parse(result.read).error;
  return result;
}

template <class Range>
std::size_t reader::read_some(Range&& range) {
  using element = detail::contiguous_element<std::remove_reference_t<Range>>;
  std::size_t done = 0;
  const detail::status result = fetch_range(range, done);
  if (result != detail::status::ok && (result != detail::status::end || in_parts_)) {
    fail(result, detail::kind_of<element>);
  }
  return done;
}

HEADRACE_INLINE bool reader::try_read_line(std::string_view& line) {
  const detail::status result = fetch_line_view(line);
  if (detail::likely(result == detail::status::ok)) return true;
  end_or_fail(result, detail::kind_of_line);
  return false;
}

inline std::string_view reader::read_line() {
  std::string_view line;
  const detail::status result = fetch_line_view(line);
  if (detail::unlikely(result != detail::status::ok)) fail(result, detail::kind_of_line);
  return line;
}

template <class Writer>
void reader::tie(Writer* to) noexcept {
  const auto flush = [](void* target) { (void)static_cast<Writer*>(target)->try_flush(); };
  source_.tie_to(to != nullptr ? detail::tie{flush, to} : detail::tie{});
}

// ---- what a T is made of ----

namespace detail {

template <class T>
HEADRACE_INLINE void copy_open_length([[maybe_unused]] T& to, [[maybe_unused]] const T& from) {
  if constexpr (has_open_length<T>) to = from;
}

}  // namespace detail

template <class T>
HEADRACE_INLINE detail::status reader::fetch(T& value) {
  using detail::status;
  if constexpr (detail::has_io_read<T>) {
    const status found = window_.find_token(source_);
    if (found != status::ok) return found;
    io<T>::read(*this, value);
    return status::ok;
  } else if constexpr (detail::is_converted_ahead<T>) {
    return fetch_number(value);
  } else if constexpr (std::is_same_v<T, char>) {
    return window_.fetch_char(source_, value);
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return fetch_word_view(value);
  } else if constexpr (detail::is_text<T>) {
    std::string_view word;
    const status result = fetch_word_view(word);
    if (detail::likely(result == status::ok)) detail::assign_word(value, word);
    return result;
  } else if constexpr (detail::is_based<T>) {
    static_assert(std::is_reference_v<decltype(value.value)>, "headrace reads base(x, 16) into a variable x");
    return fetch_based(value.value, value.base);
  } else if constexpr (detail::is_integer<T> || detail::is_float<T> || std::is_same_v<T, bool> ||
                       detail::has_io_parse<T>) {
    return fetch_other(value);
  } else if constexpr (detail::is_contiguous<T>) {
    static_assert(!std::is_same_v<std::remove_extent_t<T>, char> || !std::is_array_v<T>,
                  "headrace does not read a word into an array of char: read a std::string, or in.read_line()");
    std::size_t done = 0;
    const status result = fetch_range(value, done);
    in_parts_ |= result == status::end && done != 0;
    return result;
  } else if constexpr (detail::is_tuple_like<T>) {
    using indices = std::make_index_sequence<std::tuple_size<T>::value>;
    if constexpr (detail::is_partly_const<T>(indices{})) {
      detail::refuse_to_read<const T>();
      return status::malformed;
    } else {
      using parts = typename detail::owned_elements<T>::type;
      parts parsed{};
      const status result = fetch_elements(parsed, value, indices{});
      if (result == status::ok) value = static_cast<parts&&>(parsed);
      return result;
    }
  } else {
    detail::refuse_to_read<T>();
    return status::malformed;
  }
}

// Into `value`, whose vectors have as many elements as those of `target`.
template <class T, class Target, std::size_t... Index>
detail::status reader::fetch_elements(T& value, [[maybe_unused]] const Target& target, std::index_sequence<Index...>) {
  using detail::status;
  using std::get;
  static_assert((!std::is_same_v<std::remove_reference_t<decltype(get<Index>(value))>, std::string_view> && ...),
                "a string_view is valid until the next read only: read words of a tuple into std::string");
  (detail::copy_open_length(get<Index>(value), get<Index>(target)), ...);
  status result{};
  std::size_t done = 0;
  ((result == status::ok ? void((result = fetch(get<Index>(value))) == status::ok && ++done) : void()), ...);
  in_parts_ |= result == status::end && done != 0;
  return result;
}

template <class T>
HEADRACE_INLINE detail::status reader::fetch_number(T& value) {
  if (detail::likely(window_.take_value(value))) return detail::status::ok;
  if constexpr (detail::is_wide_integer<T>) {
    return window_.fetch(source_, detail::number_type_of<T>, reinterpret_cast<char*>(&value));
  } else {
    return fetch_number_slowly(value);
  }
}

// Types that take turns in a cycle; without a stack frame: what is rarer is left to a call at the end.
template <class T>
__attribute__((noinline)) detail::status reader::fetch_number_slowly(T& value) {
  return detail::likely(window_.take_turn(value)) ? detail::status::ok : fetch_in_turn(value);
}

// Types that take turns go token by token.
template <class T>
__attribute__((noinline)) detail::status reader::fetch_in_turn(T& value) {
  if (detail::likely(window_.parse_turn(value))) return detail::status::ok;
  if constexpr (sizeof(detail::ahead_t<T>) == sizeof(T)) {
    return window_.fetch(source_, detail::number_type_of<T>, reinterpret_cast<char*>(&value));
  } else {
    detail::ahead_t<T> wide;
    const detail::status result = window_.fetch(source_, detail::number_type_of<T>, reinterpret_cast<char*>(&wide));
    if (result == detail::status::ok) value = static_cast<T>(wide);
    return result;
  }
}

// Numbers of other types, and what a user declared, one at a time.
template <class T>
detail::status reader::fetch_other(T& value) {
  using detail::status;
  window_.end_run();
  std::string_view word;
  status result = window_.next_token(source_, word);
  if (result != status::ok) return result;
  result = detail::status_of(detail::parse_value(word.data(), word.data() + word.size(), value));
  if (result == status::ok) window_.pass_token(source_, word);
  return result;
}

template <class T>
detail::status reader::fetch_based(T& value, int base) {
  using detail::status;
  window_.end_run();
  std::string_view word;
  const status found = window_.next_token(source_, word);
  if (found != status::ok) return found;
  T parsed{};
  const parse_result result = headrace::parse(word.data(), word.data() + word.size(), parsed, base);
  if (result.ptr != word.data() + word.size()) return status::malformed;
  if (!result) return detail::status_of(result.ec);
  value = parsed;
  window_.pass_token(source_, word);
  return status::ok;
}

template <class T>
detail::status reader::fetch_many(T* values, std::size_t count, std::size_t& done) {
  return window_.fetch_many(source_, detail::number_type_of<T>, reinterpret_cast<char*>(values), count, done);
}

template <class Range>
detail::status reader::fetch_range(Range& range, std::size_t& done) {
  using element = detail::contiguous_element<Range>;
  static_assert(!std::is_same_v<element, std::string_view>,
                "a string_view is valid until the next read only: read words into std::string");
  const auto count = static_cast<std::size_t>(std::size(range));
  if constexpr (detail::is_fetched_in_bulk<element>) {
    if (detail::likely(detail::is_gapless(range))) return fetch_many(std::data(range), count, done);
  }
  detail::status result{};
  while (done != count && (result = fetch(detail::element_at(range, done, 0))) == detail::status::ok) ++done;
  return result;
}

HEADRACE_INLINE detail::status reader::fetch_word_view(std::string_view& word) {
  return detail::likely(window_.take_word(word)) ? detail::status::ok : window_.fetch_word(source_, word);
}

HEADRACE_INLINE detail::status reader::fetch_line_view(std::string_view& line) {
  return detail::likely(window_.take_line(source_, line)) ? detail::status::ok : window_.fetch_line(source_, line);
}

namespace detail {

// The parts of a reader that other headers work with, and users do not.
struct reader_access {
  template <class... Arguments>
  static reader make(Arguments... arguments) noexcept {
    return reader(source(arguments...));
  }
  static source& source_of(reader& from) noexcept { return from.source_; }
  static window& window_of(reader& from) noexcept { return from.window_; }
  template <class T>
  static status fetch(reader& from, T& value) {
    return from.fetch(value);
  }
  template <class T>
  static status fetch_many(reader& from, T* values, std::size_t count, std::size_t& done) {
    return from.fetch_many(values, count, done);
  }
  static input_error make_error(reader& from, status why, value_kind expected) {
    return from.make_error(why, expected);
  }
  [[noreturn]] static void fail(reader& from, status why, value_kind expected) { from.fail(why, expected); }
  // The result of a parse that failed; make() returns its input_error.
  template <class Make>
  static read_result failed(Make make) {
    return {possible_error(std::true_type(), make)};
  }
};

}  // namespace detail

}  // namespace HEADRACE_ABI
}  // namespace headrace

#if HEADRACE_COMPILED
namespace headrace {
inline namespace HEADRACE_ABI {
extern template detail::status reader::fetch_in_turn(int&);
extern template detail::status reader::fetch_many(int*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(unsigned&);
extern template detail::status reader::fetch_many(unsigned*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(long&);
extern template detail::status reader::fetch_many(long*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(unsigned long&);
extern template detail::status reader::fetch_many(unsigned long*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(long long&);
extern template detail::status reader::fetch_many(long long*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(unsigned long long&);
extern template detail::status reader::fetch_many(unsigned long long*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(float&);
extern template detail::status reader::fetch_many(float*, std::size_t, std::size_t&);
extern template detail::status reader::fetch_in_turn(double&);
extern template detail::status reader::fetch_many(double*, std::size_t, std::size_t&);
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif

#if HEADRACE_COMPILED != 1
#include "reader_impl.hpp"
#endif
