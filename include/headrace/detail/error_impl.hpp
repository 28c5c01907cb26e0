// headrace/detail/error_impl.hpp: how errors are made and raised: the only functions of the library that throw,
// except reader::fail(). They are cold, and one call each where they are used. Not for users.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "../error.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

class category_type final : public std::error_category {
 public:
  constexpr category_type() noexcept = default;
  static bool is_known(int code) noexcept { return code > 0 && code <= static_cast<int>(errc::timed_out); }
  const char* name() const noexcept override { return "headrace"; }
  HEADRACE_COLD std::string message(int code) const override {
    static constexpr const char* texts[] = {"unknown error", "malformed",   "out of range",
                                            "end of input",  "interrupted", "timed out"};
    std::string text;  // assigned: to construct it of a text is code of its own
    text = texts[is_known(code) ? code : 0];
    return text;
  }
  HEADRACE_COLD std::error_condition default_error_condition(int code) const noexcept override {
    static constexpr std::errc meanings[] = {
        std::errc{},           std::errc::invalid_argument, std::errc::result_out_of_range,
        std::errc::no_message, std::errc::interrupted,      std::errc::timed_out};
    if (!is_known(code)) return {code, *this};
    return std::make_error_condition(meanings[code]);
  }
};

}  // namespace detail

// Made at the first use and never destroyed, so that destructors of static objects may still compare codes.
HEADRACE_FUNC const std::error_category& category() noexcept {
  alignas(detail::category_type) static unsigned char place[sizeof(detail::category_type)];
  static const detail::category_type* const made = ::new (static_cast<void*>(place)) detail::category_type;
  return *made;
}

HEADRACE_FUNC std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), category()}; }

namespace detail {

#if defined(__cpp_exceptions)
// A std::system_error puts its code's message into a string. Its copies share that, so each of ours is a copy of one
// that is made at the first use of its code, and never destroyed. Of threads that come at once, the first one's stays.
HEADRACE_COLD inline const std::system_error& make_base(const std::system_error*& made, errc code) {
  const std::system_error* first = nullptr;
  const auto* const mine = new std::system_error(make_error_code(code));
  if (__atomic_compare_exchange_n(&made, &first, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return *mine;
  delete mine;
  return *first;
}
HEADRACE_FUNC const std::system_error& base_of(errc code) {
  static const std::system_error* made[static_cast<int>(errc::timed_out) + 1];
  const int number = code < errc::malformed || code > errc::timed_out ? 0 : int(code);
  const std::system_error* const base = __atomic_load_n(&made[number], __ATOMIC_ACQUIRE);
  return likely(base != nullptr) ? *base : make_base(made[number], errc(number));
}
#else
HEADRACE_FUNC std::error_code error_base::code() const noexcept {
  return {code_, is_of_system_ ? std::generic_category() : category()};
}
#endif

HEADRACE_COLD HEADRACE_FUNC message describe(value_kind kind, bool with_range) noexcept {
  const bool is_based = kind.base != 10;
  if (!with_range || is_based || kind.bits <= 1) {
    return {kind.name, is_based ? " in base " : "", is_based ? piece(digits_of(kind.base)) : "",
            with_range && (is_based || kind.bits == 0) ? " that fits its type" : ""};
  }
  if (kind.bits > 64) return {kind.is_signed ? "a signed" : "an unsigned", " integer of 128 bits"};
  const std::uint64_t max = ~std::uint64_t(0) >> (64 - kind.bits + kind.is_signed);
  return {kind.name, " from ",      kind.is_signed ? "-" : "", digits_of(kind.is_signed ? max + 1 : 0),
          " to ",    digits_of(max)};
}

HEADRACE_COLD HEADRACE_FUNC message with_place(std::string_view name, const position& where,
                                               const message& fault) noexcept {
  const bool has_line = where.line != 0;
  return {name,
          has_line ? ":" : ": at byte ",
          digits_of(has_line ? where.line : where.offset),
          ":",
          has_line ? piece(digits_of(where.column)) : "",
          has_line ? ": " : " ",
          fault};
}

template <std::size_t Size>
HEADRACE_INLINE void copy_ends(char* to, const char* from, std::size_t size) noexcept {
  char first[Size], last[Size];
  std::memcpy(first, from, Size);
  std::memcpy(last, from + size - Size, Size);
  std::memcpy(to, first, Size);
  std::memcpy(to + size - Size, last, Size);
}

// A text that is short as a rule, without a call of the C library.
__attribute__((noinline)) HEADRACE_FUNC void copy_word(char* to, const char* from, std::size_t size) noexcept {
  if (size - 4 <= 32 - 4) {
    if (size > 16) return copy_ends<16>(to, from, size);
    return size >= 8 ? copy_ends<8>(to, from, size) : copy_ends<4>(to, from, size);
  }
  if (size != 0) std::memcpy(to, from, size);
}

}  // namespace detail

__attribute__((noinline)) HEADRACE_FUNC input_error::input_error(const detail::error_base& base, detail::message&& text,
                                                                 const position& where, errc reason,
                                                                 std::string_view token) noexcept
    : detail::error_base(base), text_(static_cast<detail::message&&>(text)), where_(where), reason_(reason) {
  token_size_ = static_cast<unsigned char>(token.size() < sizeof token_ ? token.size() : sizeof token_);
  detail::copy_word(token_, token.data(), token_size_);
}

HEADRACE_COLD HEADRACE_FUNC input_error::input_error(detail::message text, errc code, position where,
                                                     std::string_view token)
    : input_error(detail::base_of(code), static_cast<detail::message&&>(text), where, code, token) {}

HEADRACE_COLD HEADRACE_FUNC input_error::input_error(detail::message text, std::errc code, position where,
                                                     std::string_view token)
    : input_error(detail::error_base(detail::base_of(code)), static_cast<detail::message&&>(text), where, errc{},
                  token) {}

HEADRACE_FUNC input_error::input_error(std::string_view name, detail::value_kind expected, errc code, position where,
                                       std::string_view token, bool is_final)
    : input_error(detail::base_of(code), detail::message(), where, code, token) {
  expected_ = expected;
  if (is_final || name.size() > sizeof name_) {
    text_ = compose(name);
    expected_.name = nullptr;
  } else {
    name_size_ = static_cast<unsigned char>(name.size());
    detail::copy_word(name_, name.data(), name_size_);
  }
}

HEADRACE_FUNC const char* input_error::what() const noexcept {
  if (expected_.name != nullptr && !text_.is_complete()) text_.fill(compose({name_, name_size_}));
  return text_.c_str();
}

HEADRACE_COLD HEADRACE_FUNC detail::message input_error::compose(std::string_view name) const noexcept {
  const detail::message wanted = detail::describe(expected_, reason_ == errc::out_of_range);
  return detail::with_place(
      name, where_,
      {"expected ", wanted, ", found ",
       reason_ == errc::end_of_input ? detail::piece("the end of input") : detail::quoted(token())});
}

HEADRACE_COLD HEADRACE_FUNC output_error::output_error(detail::message text, std::errc code, std::uint64_t arrived)
    : detail::error_base(detail::base_of(code)), text_(static_cast<detail::message&&>(text)), arrived_(arrived) {}

namespace detail {

// Where exceptions are off, no error is even made: its line is printed.
[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void print_and_abort(const char* line) noexcept {
  std::fputs(line, stderr);
  std::fputc('\n', stderr);
  std::abort();
}

[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void fail_assertion(const char* sentence, const char* file,
                                                             int line) noexcept {
  std::fprintf(stderr, "%s:%d: headrace: %s\n", file, line, sentence);
  std::abort();
}

[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void raise_input_error(const input_error& error) {
#if defined(__cpp_exceptions)
  throw error;
#else
  print_and_abort(error.what());
#endif
}

template <class Error, class Fact>
[[noreturn]] HEADRACE_INLINE void raise(message&& text, std::errc code, const Fact& fact) {
#if defined(__cpp_exceptions)
  throw Error(static_cast<message&&>(text), code, fact);
#else
  (void)code, (void)fact;
  print_and_abort(text.c_str());
#endif
}
[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void raise_input_error(message&& text, std::errc code, const position& where) {
  raise<input_error>(static_cast<message&&>(text), code, where);
}
[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void raise_output_error(message&& text, std::errc code,
                                                                 std::uint64_t arrived) {
  raise<output_error>(static_cast<message&&>(text), code, arrived);
}

HEADRACE_COLD HEADRACE_FUNC message input_message(std::string_view name, const char* action, int code,
                                                  const char* end) noexcept {
  return {path_name(name), ": cannot ", action, ": ", system_message(code), end};
}

HEADRACE_COLD HEADRACE_FUNC message output_message(std::string_view name, const char* action, int code,
                                                   std::uint64_t arrived, const char* end) noexcept {
  return {path_name(name),
          ": cannot ",
          action,
          ": ",
          system_message(code),
          " (",
          digits_of(arrived),
          arrived == 1 ? " byte arrived" : " bytes arrived",
          end};
}

[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void raise_input_system_error(std::string_view name, const char* action,
                                                                       int code) {
  raise_input_error(input_message(name, action, code), static_cast<std::errc>(code), {0, 0, 0});
}

[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void raise_output_error(std::string_view name, const char* action, int code,
                                                                 std::uint64_t arrived) {
  raise_output_error(output_message(name, action, code, arrived), static_cast<std::errc>(code), arrived);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
