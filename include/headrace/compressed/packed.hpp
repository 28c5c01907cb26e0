// headrace/compressed/packed.hpp: a source of what a decoder makes of compressed bytes, in a thread of its own, and a
// sink that hands on what an encoder makes of the bytes. Not for users.
//
// A Decoder has
//   static constexpr const char* format;                         // "gzip"
//   static bool begins(char first);                              // whether compressed data may begin with this byte
//   unpacked decode(const char* from, std::size_t size, char* to, std::size_t room) noexcept;
// and begins again by itself after data that is complete. An Encoder has
//   static constexpr const char* format;
//   static int lowest_level() noexcept, highest_level() noexcept;
//   bool begin(int level) noexcept;                              // false: there is no memory
//   packed encode(const char* from, std::size_t size, char* to, std::size_t room, until what) noexcept;
#pragma once

#include <cerrno>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "../detail/objects.hpp"
#include "../detail/read_ahead.hpp"
#include "../reader.hpp"
#include "../writer.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// ---- decoding ----

// One step of a decoder: how much it took and gave, and whether the data is complete with it; or what is wrong.
struct unpacked {
  std::size_t taken = 0;
  std::size_t given = 0;
  bool is_complete = false;
  bool is_foreign = false;  // wrong because no such data begins here
  const char* fault = nullptr;
};

// Compressed bytes of a reader, and what is made of them. It stays where it is: streams of zlib point to themselves.
template <class Decoder>
class unpacking {
 public:
  template <class From>
  explicit unpacking(From&& from) : from_(std::forward<From>(from)) {}

  const char* name() const noexcept { return from_.name(); }
  const char* failure() const noexcept { return failure_.is_complete() ? failure_.c_str() : nullptr; }

  // At least one byte; 0 at the end, or an errno, which comes again.
  transfer read(const waker* wake, char* to, std::size_t size) noexcept {
    while (error_ == 0) {
      const std::size_t given = advance(to, size);
      if (given != 0) return {given, 0};
      if (error_ != 0 || has_advanced_) continue;
      if (wake != nullptr && may_wait() && !wake->wait_for(from_.descriptor())) return {};
      const status more = input().refill();
      if (more == status::end) return finish();
      if (more != status::ok) fail_to_read(more);
    }
    return {0, error_};
  }

 private:
  source& input() noexcept { return reader_access::source_of(from_); }
  std::uint64_t offset() noexcept { return input().offset_of(input().position); }
  // For the descriptor, which brings the next bytes; else the reader waits, and no longer than it may.
  bool may_wait() noexcept { return input().waits_for_descriptor() && !has_own_limit(from_.descriptor()); }

  // Decodes some of what the reader holds; what it does not take needs more to follow.
  std::size_t advance(char* to, std::size_t size) noexcept {
    source& held = input();
    const auto rest = static_cast<std::size_t>(held.end - held.position);
    has_advanced_ = false;
    if (!is_inside_) {
      if (rest == 0) return 0;
      begin_ = offset();
      if (!Decoder::begins(*held.position)) return refuse();
    }
    const unpacked step = decoder_.decode(held.position, rest, to, size);
    held.position += step.taken;
    has_advanced_ = step.taken != 0;
    if (step.is_foreign) return refuse();
    if (step.fault != nullptr) {
      return fail({"the ", Decoder::format, " data is damaged at byte ", digits_of(offset()), ": ", step.fault});
    }
    is_inside_ = !step.is_complete && (is_inside_ || step.taken != 0);
    is_after_ = is_after_ || step.is_complete;
    return step.given;
  }

  // The compressed bytes have ended.
  transfer finish() noexcept {
    if (is_inside_) {
      fail({"the ", Decoder::format, " data is cut off: it ends at byte ", digits_of(offset())});
    } else if (!is_after_) {
      fail({"there is no ", Decoder::format, " data: it is empty"});
    }
    return {0, error_};
  }

  std::size_t refuse() noexcept {
    if (!is_after_) return fail({"no ", Decoder::format, " data begins at byte ", digits_of(begin_)});
    return fail({"what follows the ", Decoder::format, " data at byte ", digits_of(begin_), " is no more of it"});
  }
  void fail_to_read(status why) noexcept {
    if (why < status::ok) failure_ = message(input().describe_failure(why));
    error_ = why < status::ok ? EIO : static_cast<int>(why);
  }
  std::size_t fail(message&& why) noexcept {
    failure_ = static_cast<message&&>(why);
    error_ = EBADMSG;
    return 0;
  }

  reader from_;
  Decoder decoder_;
  message failure_;
  int error_ = 0;
  std::uint64_t begin_ = 0;    // of what is being decoded
  bool is_inside_ = false;     // of data that is not complete
  bool is_after_ = false;      // of some that is
  bool has_advanced_ = false;  // in the last step
};

template <class Decoder>
class unpacked_source {
 public:
  template <class From>
  explicit unpacked_source(From&& from) : all_(new parts(std::forward<From>(from))) {}

  // The members that reader::from() asks for.
  std::ptrdiff_t read(char* to, std::size_t size) {
    const std::ptrdiff_t got = take(to, size);
    all_->has_failed = got < 0;
    return got;
  }
  // The thread still writes it before it has told of a failure.
  const char* failure() const noexcept { return all_->has_failed ? all_->bytes.failure() : nullptr; }
  const char* name() const noexcept { return all_->bytes.name(); }

 private:
  struct origin {
    unpacking<Decoder>* bytes;
    transfer read(const waker& wake, char* to, std::size_t size) const noexcept { return bytes->read(&wake, to, size); }
  };
  struct parts {
    template <class From>
    explicit parts(From&& from) : bytes(std::forward<From>(from)) {}

    unpacking<Decoder> bytes;
    bool has_failed = false;
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
    std::unique_ptr<read_ahead<origin>> ahead;  // uses `bytes`, and goes first
#endif
  };

  std::ptrdiff_t take(char* to, std::size_t size) {
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
    if (all_->ahead == nullptr) all_->ahead.reset(new read_ahead<origin>(origin{&all_->bytes}));
    if (all_->ahead->has_started()) return all_->ahead->read(to, size);
#endif
    const transfer got = all_->bytes.read(nullptr, to, size);
    errno = got.error;
    return got.error == 0 ? static_cast<std::ptrdiff_t>(got.size) : -1;
  }

  std::unique_ptr<parts> all_;
};

// ---- encoding ----

// A step brings this to the sink: what does not fit, all that was given so far, or that and the end of the data.
enum class until : unsigned char { full, flushed, finished };

struct packed {
  std::size_t taken = 0;
  std::size_t given = 0;
  bool is_done = false;  // nothing more comes before more is given
  int error = 0;         // an errno
};

template <class Encoder>
class packed_sink {
 public:
  // A level of the format's own is checked before the sink is opened.
  template <class To>
  packed_sink(To&& to, int level) : all_(new parts(checked(level), std::forward<To>(to))) {}
  packed_sink(packed_sink&&) noexcept = default;
  packed_sink& operator=(packed_sink&&) = delete;
  ~packed_sink() {
    if (all_ != nullptr && !all_->is_closed && all_->error == 0) (void)step(nullptr, 0, until::finished);
  }

  // The members that writer::into() asks for.
  std::ptrdiff_t write(const char* from, std::size_t size) {
    return step(from, size, until::full) ? static_cast<std::ptrdiff_t>(size) : -1;
  }
  bool flush() { return step(nullptr, 0, until::flushed) && all_->to.try_flush(); }
  bool close() {
    if (all_->is_closed) return true;
    const bool is_whole = step(nullptr, 0, until::finished);
    all_->is_closed = true;
    if (is_whole) all_->to.close();
    return is_whole;
  }
  const char* name() const noexcept { return all_->to.name(); }

 private:
  struct parts {
    template <class To>
    parts(int level, To&& destination) : to(std::forward<To>(destination)) {
      if (!encoder.begin(level)) error = ENOMEM;
    }
    writer to;
    Encoder encoder;
    int error = 0;
    bool is_closed = false;
    char room[64 * 1024];
  };

  static int checked(int level) {
    const int lowest = Encoder::lowest_level(), highest = Encoder::highest_level();
    if (level >= lowest && level <= highest) return level;
    const auto digits = [](int number) { return digits_of(static_cast<std::uint64_t>(number < 0 ? -number : number)); };
    const auto sign = [](int number) { return number < 0 ? "-" : ""; };
    raise_output_error({Encoder::format, " has levels from ", sign(lowest), digits(lowest), " to ", digits(highest),
                        ", not ", sign(level), digits(level)},
                       std::errc::invalid_argument, 0);
  }

  bool step(const char* from, std::size_t size, until what) {
    parts& all = *all_;
    for (bool is_done = false; all.error == 0 && !is_done;) {
      const packed step = all.encoder.encode(from, size, all.room, sizeof all.room, what);
      all.error = step.error;
      if (step.error == 0 && step.given != 0) all.error = all.to.deliver(all.room, step.given).error;
      if (step.taken != 0) from += step.taken;
      size -= step.taken;
      is_done = step.is_done;
    }
    errno = all.error;
    return all.error == 0;
  }

  std::unique_ptr<parts> all_;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
