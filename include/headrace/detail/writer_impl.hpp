// headrace/detail/writer_impl.hpp: a writer's buffer, its sink, and how a program ends. Not for users.
//
// All bytes leave by send(). What fails there is kept in error_ and action_, and thrown by report() from the next
// call that may throw.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../error.hpp"
#include "../writer.hpp"
#include "console.hpp"
#include "file.hpp"
#include "process.hpp"
#include "objects.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

// --- what is open

HEADRACE_FUNC writer::writer(const char* path, open_mode mode) : sink_(sink::file) {
  descriptor_ = detail::open_file(detail::not_null<false>(path, detail::open_null_path), mode);
  if (descriptor_ < 0) detail::raise_output_error(*path != '\0' ? path : "\"\"", "open", errno, 0);
  name_ = detail::copy_name(path);
}

HEADRACE_FUNC writer::writer(const std::string& path, open_mode mode) : writer(detail::whole_path<false>(path), mode) {}

HEADRACE_FUNC writer::writer(int descriptor)
    : sink_(sink::descriptor), descriptor_(descriptor), descriptor_name_(descriptor) {}

HEADRACE_FUNC writer::writer(std::FILE* stream) : sink_(sink::descriptor) {
  descriptor_ = detail::descriptor_of(detail::not_null<false>(stream, detail::write_null_stream));
  if (descriptor_ < 0) {
    sink_ = sink::object;
    target_ = stream;
    calls_ = &detail::stream_calls;
  } else {
    descriptor_name_ = detail::descriptor_text(descriptor_);
  }
  if (std::fflush(stream) != 0) detail::raise_output_error(name(), "write", errno, 0);
}

HEADRACE_FUNC writer::writer(void* object, const detail::sink_calls* calls, const char* name) noexcept
    : sink_(sink::object), target_(object), calls_(calls) {
  if (name != nullptr && std::strcmp(name, calls->name) != 0) name_ = detail::copy_name(name);
}

HEADRACE_FUNC writer writer::into(std::string& text) { return writer(&text, &detail::string_calls, nullptr); }

HEADRACE_FUNC writer writer::into(char* to, std::size_t size) { return writer(sink::span, to, size); }

HEADRACE_FUNC writer::writer(writer&& other) noexcept { take(other); }

// `out` is flushed at exit whatever its sink, and keeps its own policy for a failure then.
HEADRACE_FUNC writer& writer::operator=(writer&& other) noexcept {
  if (this == &other) return *this;
  const exit_policy at_exit = exit_policy_;
  void (*const set_status)() = set_status_;
  abandon();
  take(other);
  exit_policy_ = at_exit;
  if (set_status != nullptr) {  // exit handlers run
    policy_is_given_ = true;
    finish_at_exit(set_status);
  } else if (this == &out) {
    if (!is_flushed_last_) flush_last();
    hold();
    set_policy(policy_);
  }
  return *this;
}

// Moves `other` here, and leaves it closed.
HEADRACE_FUNC void writer::take(writer& other) noexcept {
  *this = static_cast<const writer&>(other);
  other.begin_ = other.limit_ = other.name_ = nullptr;
  other.calls_ = nullptr;
  other.sink_ = sink::none;
  other.descriptor_ = -1;
  other.fail(EBADF);
  other.reported_ = true;
}

HEADRACE_FUNC writer::~writer() { abandon(); }

// Does the work of a destructor.
HEADRACE_FUNC void writer::abandon() noexcept {
  if (!is_closed_) {
    send_last();
    flush_sink();
    close_sink();
    if (error_ != 0 && !reported_) print_failure();
  }
  if (calls_ != nullptr && calls_->destroy != nullptr) calls_->destroy(target_);
  std::free(begin_);
  std::free(name_);
}

HEADRACE_FUNC void writer::close() {
  if (is_closed_) return;
  send_last();
  flush_sink();
  close_sink();
  is_closed_ = true;
  if (error_ != 0) report();
  fail(EBADF);
  reported_ = true;
}

// A file that the writer opened, and an object that can be closed, are closed whatever came before.
HEADRACE_FUNC void writer::close_sink() noexcept {
  int error = 0;
  const char* action = "close";
  if (sink_ == sink::file && descriptor_ >= 0) {
    error = detail::close_file(descriptor_);
    descriptor_ = -1;
  } else if (calls_ != nullptr && calls_->close != nullptr) {
    error = calls_->close(target_, action);
  }
  if (error != 0 && error_ == 0) fail(error, action);
}

// --- the buffer

// Makes room for `slack` bytes at next_, or throws.
__attribute__((noinline)) HEADRACE_FUNC void writer::prepare() {
  if (detail::unlikely(begin_ == nullptr)) start();
  if (detail::unlikely(error_ != 0)) report();
  if (this == &out) hold();
  if (next_ >= limit_) send_full_buffer();
}

// The bytes of `out` wait in this copy of headrace from here on. Those that another copy in this process holds go out
// before them.
__attribute__((noinline)) HEADRACE_FUNC void writer::hold() noexcept {
  if (set_status_ != nullptr) return;
  void (*const mine)() = detail::flush_before_waiting;
  if (!process::is_known()) return;
  void (*const holder)() = __atomic_load_n(&process::headrace_streams.flush_output, __ATOMIC_ACQUIRE);
  if (holder != mine) {
    if (holder != nullptr) holder();
    __atomic_store_n(&process::headrace_streams.flush_output, mine, __ATOMIC_RELEASE);
  }
  if (policy_ == flush_policy::when_full && error_ == 0) end_ = limit_;
}

// Ends a write that prepare() let through: does what the policy asks for.
__attribute__((noinline)) HEADRACE_FUNC void writer::apply_policy() {
  if (policy_ == flush_policy::when_full) return;
  const auto size = static_cast<std::size_t>(next_ - begin_);
  if (policy_ == flush_policy::each_line && std::memchr(begin_ + searched_, '\n', size - searched_) == nullptr) {
    searched_ = size;
    return;
  }
  if (!send_buffer()) report();
}

HEADRACE_COLD HEADRACE_FUNC void writer::put_text_slowly(const char* from, std::size_t size) {
  prepare();
  if (size == 0) return;
  if (size >= capacity) {
    if (!send_buffer() || !send(from, size)) report();
    return;
  }
  const auto room = static_cast<std::size_t>(limit_ - next_);
  if (size > room) {
    std::memcpy(next_, from, room);
    next_ = limit_;
    prepare();
    from += room;
    size -= room;
  }
  std::memcpy(next_, from, size);
  next_ += size;
  apply_policy();
}

HEADRACE_FUNC void writer::write(std::string_view bytes) { put_text(bytes.data(), bytes.size()); }

// Has `out` flushed at exit, and before `in` waits; where that cannot be, after each write.
HEADRACE_INLINE void writer::flush_last() noexcept {
  if (process::is_known()) is_flushed_last_ = std::atexit(detail::flush_at_exit) == 0;
  if (is_flushed_last_) return;
  policy_ = flush_policy::each_write;
  policy_is_given_ = true;
}

HEADRACE_INLINE void writer::start() {
  if (error_ != 0) report();
  begin_ = static_cast<char*>(std::malloc(2 * capacity + slack));
  if (begin_ == nullptr) {
    fail(ENOMEM);
    raise();
  }
  limit_ = begin_ + capacity;
  next_ = begin_;
  if (sink_ == sink::standard_output) {
    std::fflush(stdout);  // what printf wrote before comes before
    flush_last();
  }
  if (descriptor_ >= 0) {
#if HEADRACE_WINDOWS
    const bool on_terminal = on_console_ = detail::describe(descriptor_).kind == detail::file_kind::terminal;
#else
    const bool on_terminal = ::isatty(descriptor_) != 0;
#endif
    if (on_terminal && !policy_is_given_) policy_ = flush_policy::each_line;
  }
  set_policy(policy_);
}

HEADRACE_FUNC void writer::set_policy(flush_policy policy) noexcept {
  policy_ = policy;
  searched_ = 0;
  end_ = policy == flush_policy::when_full && error_ == 0 ? limit_ : begin_;
}

HEADRACE_FUNC void writer::flush_when(flush_policy policy) {
  if (set_status_ != nullptr) return;  // nothing would flush later what is held back now
  policy_is_given_ = true;
  if (begin_ != nullptr) {
    flush();
    set_policy(policy);
  }
  policy_ = policy;
}

// --- the sink

// The one place where bytes leave. False after a failure.
HEADRACE_COLD HEADRACE_FUNC bool writer::send(const char* from, std::size_t size) noexcept {
  detail::transfer done{size, 0};
  const char* action = "write";
  if (sink_ == sink::discarded) return true;
  if (sink_ == sink::object) {
    done = calls_->write(target_, from, size, action);
  } else if (sink_ == sink::span) {
    if (size > target_size_) done = {target_size_, ENOBUFS};
    if (done.size != 0) std::memcpy(target_, from, done.size);
    target_ = static_cast<char*>(target_) + done.size;
    target_size_ -= done.size;
#if HEADRACE_WINDOWS
  } else if (on_console_) {
    done = detail::write_console(descriptor_, from, size, rest_);
#endif
  } else {
    done = detail::write_all(descriptor_, from, size);
  }
  arrived_ += done.size;
  if (detail::unlikely(done.error != 0)) fail(done.error, action);
  return done.error == 0;
}

HEADRACE_COLD HEADRACE_FUNC detail::transfer writer::deliver(const char* from, std::size_t size) noexcept {
  if (error_ != 0) return {0, error_};
  const bool is_emptied = send_buffer();
  const std::uint64_t before = arrived_;
  if (is_emptied && send(from, size)) return {size, 0};
  reported_ = true;
  return {static_cast<std::size_t>(arrived_ - before), error_};
}

__attribute__((noinline)) HEADRACE_FUNC bool writer::send_buffer() noexcept {
  if (error_ != 0) return false;
  const auto size = static_cast<std::size_t>(next_ - begin_);
  next_ = begin_;
  searched_ = 0;
  return size == 0 || send(begin_, size);
}

// Sends the buffer when nothing follows: a console shows a sequence that nobody completed as U+FFFD.
HEADRACE_FUNC void writer::send_last() noexcept {
  if (!send_buffer()) return;
#if HEADRACE_WINDOWS
  if (const int error = detail::end_console(descriptor_, rest_)) fail(error);
#endif
}

// Sends whole pages, so that a file is written page by page; the few bytes past them move to the front. A long output
// gets twice the buffer: the calls that it saves pay for the first use of those pages, which costs a short one 2 %.
HEADRACE_INLINE void writer::send_full_buffer() {
  const auto rest = static_cast<std::size_t>(next_ - limit_);
  if (arrived_ == 0 && descriptor_ >= 0) detail::enlarge_pipe(descriptor_);
  if (!send(begin_, static_cast<std::size_t>(limit_ - begin_))) {
    report();
    return;
  }
  std::memcpy(begin_, limit_, rest);
  next_ = begin_ + rest;
  if (arrived_ >= 64 * capacity) limit_ = begin_ + 2 * capacity;
  set_policy(policy_);
}

// Flushes what an object holds back itself. False after a failure.
HEADRACE_FUNC bool writer::flush_sink() noexcept {
  if (error_ != 0) return false;
  if (calls_ == nullptr || calls_->flush == nullptr) return true;
  const char* action = "flush";
  const int error = calls_->flush(target_, action);
  if (error != 0) fail(error, action);
  return error == 0;
}

HEADRACE_FUNC bool writer::try_flush() noexcept {
  if (this == &out) hold();
  return send_buffer() && flush_sink() && sink_ != sink::discarded;
}

HEADRACE_FUNC void writer::flush() {
  if (!try_flush()) report();
}

// --- failures

HEADRACE_FUNC void writer::fail(int error) noexcept {
  error_ = error;
  reported_ = false;
  next_ = end_ = begin_;
}

HEADRACE_FUNC void writer::fail(int error, const char* action) noexcept {
  action_ = action;
  fail(error);
}

// Throws what is kept in error_. Comes back only after the flush at exit, when what is written is dropped.
HEADRACE_COLD HEADRACE_FUNC void writer::report() {
  if (set_status_ != nullptr) {
    give_up_at_exit();
    return;
  }
  raise();
}

[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void writer::raise() {
  reported_ = true;
  detail::raise_output_error(name(), action_, error_, arrived_);
}

// For what a caller may not ask for: nothing was written, and the writer can be used as before.
[[noreturn]] HEADRACE_COLD HEADRACE_FUNC void writer::refuse(const char* action) {
  detail::raise_output_error(name(), action, EINVAL, arrived_);
}

// One line to standard error, where nothing may be thrown. Past stdio, which has its own buffers.
HEADRACE_INLINE void writer::print_failure() const noexcept {
  const detail::message line = detail::output_message(name(), action_, error_, arrived_, ")\n");
  const char* text = line.c_str();
  detail::write_all(2, text, std::strlen(text));
}

HEADRACE_COLD HEADRACE_FUNC const char* writer::name() const noexcept {
  if (name_ != nullptr) return name_;
  if (calls_ != nullptr) return calls_->name;
  if (sink_ == sink::none) return "<moved>";
  if (*descriptor_name_.text != '\0') return descriptor_name_.text;
  return sink_ == sink::file ? "<file>" : "<memory>";  // without memory for the path
}

// --- how a program ends
//
// A handler cannot change the status that exit() was called with; what can differs from one C library to the next.

namespace detail {

#if defined(__GLIBC__)
// exit() may be called by a handler: it runs what is left and takes the new status (stdlib/exit.c: "handle recursive
// calls to exit"). Registered from a handler it runs next; tied to no shared object, not before the process ends, so
// that a plugin whose flush fails at dlclose does not take its host along.
int call_at_exit(void (*function)(void*), void* argument, void* object) noexcept __asm__("__cxa_atexit");
HEADRACE_FUNC void set_exit_status() noexcept {
  const auto function = reinterpret_cast<void (*)(void*)>(reinterpret_cast<void (*)()>(&std::exit));
  call_at_exit(function, reinterpret_cast<void*>(std::uintptr_t{1}), nullptr);
}
#elif (defined(__linux__) && !defined(__ANDROID__)) || HEADRACE_WINDOWS
// musl traps a second exit(), and Windows forgets the handlers that are left. What has this attribute runs after
// every handler that main() registered; on Windows before the destructors of what was constructed before main().
HEADRACE_FUNC bool exit_has_failed = false;
HEADRACE_FUNC bool exit_is_over = false;
__attribute__((destructor)) inline void end_with_failure() noexcept {
  exit_is_over = true;
  if (!exit_has_failed) return;
  std::fflush(nullptr);
  std::_Exit(1);
}
HEADRACE_FUNC void set_exit_status() noexcept {
  exit_has_failed = true;
  if (exit_is_over) end_with_failure();
}
#else
// Here, too, a second exit() goes on with the handlers that are left, though the standard does not promise it.
HEADRACE_FUNC void set_exit_status() noexcept {
  std::atexit([] { std::exit(1); });
}
#endif

// A failure stays in the writer: the next write or the exit reports it.
HEADRACE_FUNC void flush_before_waiting() noexcept {
  out.send_buffer();
  out.end_ = out.begin_;  // another copy of headrace may hold bytes from here on: the next write asks
}

// At exit, or at the dlclose of a plugin that has an `out` of its own: from then on nothing of it may be called.
HEADRACE_FUNC void flush_at_exit() noexcept {
  if (__atomic_load_n(&process::headrace_streams.flush_output, __ATOMIC_ACQUIRE) == flush_before_waiting) {
    __atomic_store_n(&process::headrace_streams.flush_output, nullptr, __ATOMIC_RELEASE);
  }
  out.finish_at_exit(&set_exit_status);
}

#if !HEADRACE_WINDOWS && !defined(__APPLE__)
HEADRACE_FUNC void flush_at_quick_exit() noexcept {
  out.finish_at_exit([] { std::at_quick_exit([] { std::quick_exit(1); }); });
}
#endif

}  // namespace detail

// The last flush. A failure that was thrown before is not told again; that of a writer that was closed is kept, so
// that a write after it is not lost silently.
HEADRACE_INLINE void writer::finish_at_exit(void (*set_status)()) noexcept {
  set_status_ = set_status;
  send_last();
  set_policy(flush_policy::each_write);
  if (error_ == 0 || is_closed_) return;
  if (reported_) exit_policy_ = exit_policy::nothing;
  give_up_at_exit();
}

HEADRACE_COLD HEADRACE_FUNC void writer::give_up_at_exit() noexcept {
  if (sink_ == sink::discarded) return;
  if (exit_policy_ != exit_policy::nothing) print_failure();
  if (exit_policy_ == exit_policy::message_and_status) set_status_();
  sink_ = sink::discarded;
  error_ = 0;
}

HEADRACE_FUNC void at_exit_failure(exit_policy policy) noexcept { out.exit_policy_ = policy; }

HEADRACE_FUNC bool flush_out_at_quick_exit() noexcept {
#if HEADRACE_WINDOWS || defined(__APPLE__)
  return false;
#else
  return std::at_quick_exit(detail::flush_at_quick_exit) == 0;
#endif
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
