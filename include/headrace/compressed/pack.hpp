// headrace/compressed/pack.hpp: a sink that hands on what an encoder makes of the bytes. Not for users.
//
// An Encoder has
//   static constexpr const char* format;                         // "gzip"
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
#include "../writer.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// What a step is to bring to the sink: what does not fit, all that was given so far, or that and the end of the data.
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

  // What writer::into() asks for.
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
