// headrace/detail/reader_impl.hpp: a reader's rarer calls, its moves, and the errors that it makes. Not for users.
#pragma once

#include "../reader.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

HEADRACE_FUNC bool reader::skip() {
  if (window_.pass_stopped()) return true;
  std::string_view passed;
  const detail::status result = fetch_word_view(passed);
  if (result != detail::status::ok) end_or_fail(result, detail::kind_of<std::string_view>);
  return result == detail::status::ok;
}

HEADRACE_FUNC std::string_view reader::peek() {
  std::string_view token;
  const detail::status found = window_.next_token(source_, token);
  source_.end_wait();
  if (found == detail::status::end) return {};
  if (found != detail::status::ok) fail(found, detail::kind_of<std::string_view>);
  window_.stop_before(source_, token);
  window_.end_run();
  return token;
}

HEADRACE_COLD HEADRACE_FUNC void reader::reject(const char* expected) {
  const detail::status found = window_.find_token(source_);
  detail::raise_input_error(
      make_error(found == detail::status::ok ? detail::status::malformed : found, {expected, 0, false}, true));
}

HEADRACE_FUNC bool reader::at_end() {
  const detail::status found = window_.find_token(source_);
  source_.end_wait();
  if (found != detail::status::ok && found != detail::status::end) fail(found, detail::kind_of<std::string_view>);
  return found == detail::status::end;
}

HEADRACE_FUNC struct position reader::where() {
  window_.sync_position(source_);
  source_.find_start();
  return source_.where(source_.position);
}

HEADRACE_FUNC std::string_view reader::buffered() {
  window_.sync_position(source_);
  return {source_.position, static_cast<std::size_t>(source_.end - source_.position)};
}

HEADRACE_FUNC void reader::consume(std::size_t bytes) {
  HEADRACE_ASSERT(bytes <= buffered().size(), "more bytes are consumed than buffered() has");
  window_.sync_position(source_);
  source_.position += bytes;
}

HEADRACE_FUNC bool reader::fetch_more() {
  window_.sync_position(source_);
  const detail::status result = source_.refill();
  source_.end_wait();
  if (result != detail::status::ok && result != detail::status::end) fail(result, detail::kind_of<std::string_view>);
  return result == detail::status::ok;
}

HEADRACE_FUNC void reader::wait_at_most(int milliseconds) noexcept { source_.wait_at_most(milliseconds); }

HEADRACE_FUNC void reader::on_signal(interrupt_policy policy) noexcept {
  source_.report_signals(policy == interrupt_policy::report);
}

HEADRACE_FUNC reader::reader(reader&& other) noexcept : source_(-1, "<moved>") { *this = static_cast<reader&&>(other); }

HEADRACE_FUNC reader& reader::operator=(reader&& other) noexcept {
  other.window_.sync_position(other.source_);
  window_.sync_position(source_);
  source_ = static_cast<detail::source&&>(other.source_);
  return *this;
}

namespace detail {

HEADRACE_FUNC bool is_in(const source& from) noexcept { return from.descriptor_ == 0 && &from == &in.source_; }

HEADRACE_FUNC void release_in(process::held_input& held) noexcept {
  in.window_.sync_position(in.source_);
  in.source_.hand_over(held);
}

HEADRACE_FUNC void leave_in() noexcept {
  process::streams& all = process::headrace_streams;
  if (all.release_input != release_in) return;
  all.release_input = nullptr;
  process::held_input held{};
  release_in(held);
  if (held.begin == nullptr) return;
  const std::size_t size = held.is_file ? 0 : static_cast<std::size_t>(held.end - held.begin);
  char* const kept = static_cast<char*>(std::malloc(size + 1));
  if (kept == nullptr) return;
  std::memcpy(kept, held.begin, size);
  held.begin = kept;
  held.end = kept + size;
  all.left = held;
}

}  // namespace detail

// The end of input before the first part of a value is no error.
__attribute__((noinline)) HEADRACE_FUNC void reader::end_or_fail(detail::status why, detail::value_kind expected) {
  if (why != detail::status::end || in_parts_) fail(why, expected);
  window_.sync_position(source_);
  source_.position = source_.end;
}

namespace detail {

// The error of a source that failed, or of a wait that was ended.
HEADRACE_COLD HEADRACE_FUNC input_error source_error(source& from, status why) {
  const position here = from.where(from.position);
  message text{from.name(), ": cannot read: ", from.describe_failure(why), reading_hint(static_cast<int>(why))};
  if (why == status::timed_out || why == status::interrupted) {
    return input_error(static_cast<message&&>(text), why == status::timed_out ? errc::timed_out : errc::interrupted,
                       here);
  }
  const auto code = static_cast<std::errc>(why < status::ok ? EIO : static_cast<int>(why));
  return input_error(static_cast<message&&>(text), code, here);
}

}  // namespace detail

// Not cold, which would be the same for less code: a program may pass over bad tokens by the thousand.
__attribute__((noinline)) HEADRACE_FUNC input_error reader::make_error(detail::status why, detail::value_kind expected,
                                                                       bool is_final) {
  using detail::status;
  in_parts_ = false;
  if (detail::unlikely(why > status::ok || why < status::end)) {
    window_.sync_position(source_);
    return detail::source_error(source_, why);
  }
  std::string_view token;
  const bool at_token = why != status::end && window_.next_token(source_, token) == status::ok;
  if (at_token) {
    window_.stop_before(source_, token);
  } else {
    window_.sync_position(source_);
    source_.position = source_.end;
  }
  const struct position here = source_.where(at_token ? token.data() : source_.position);
  const errc code = !at_token ? errc::end_of_input : why == status::out_of_range ? errc::out_of_range : errc::malformed;
  return input_error(source_.name(), expected, code, here, token, is_final);
}

HEADRACE_COLD HEADRACE_FUNC void reader::fail(detail::status why, detail::value_kind expected) {
#if defined(__cpp_exceptions)
  throw make_error(why, expected);  // made where it stays: no copy, and no code for one
#else
  detail::raise_input_error(make_error(why, expected));
#endif
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
