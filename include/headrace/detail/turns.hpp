// headrace/detail/turns.hpp: types that take turns, as in lines of a word, an integer and a double. The distance from
// one number of a type to the next repeats there, so that several are found in the index ahead of the user, and
// converted together. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// One type's tokens of an index, and their values: what was found together.
struct turn_batch {
  static constexpr std::size_t most = 512;
  std::uint16_t edges[2 * most + 32];  // kernels load ahead, and write ahead
  alignas(8) char values[8 * most + 64];
};

// How far the tokens of one type are from each other, and the values that wait for them. The user may ask for something
// else at any time: a value is handed out for its own token only.
class type_turns {
 public:
  // The value of this token, if it waits.
  template <class T>
  HEADRACE_INLINE bool take(const std::uint16_t* token, T& value) noexcept {
    if (load_token(edges_ + 2 * next_) != load_token(token)) return false;
    std::memcpy(&value, values_ + next_ * sizeof value, sizeof value);
    pass();
    return true;
  }
  void pass() noexcept { ++next_; }

  // The type is asked for. False: for a while nothing is to be noted.
  HEADRACE_INLINE bool is_observed() noexcept { return --patience_ < observed; }
  // It is, at this place among all tokens. False: gather() may find more of them.
  HEADRACE_INLINE bool note(std::size_t place) noexcept {
    const std::size_t step = place - last_;
    steps_ = steps_ << 4 | (step < longest_step ? step : longest_step);
    last_ = place;
    return patience_ != 0;
  }
  bool is_due() const noexcept { return patience_ == 0; }
  // Where it does not pay to convert several at once.
  void give_up() noexcept { patience_ = wait_ = most_patient; }

  // Copies the edges of those that follow, the token at `next` first, of which there are `left` in the index, and
  // returns how many; 0: the steps do not repeat, or there are few. offer() follows where it is another number.
  std::size_t gather(const std::uint16_t* next, std::size_t left, turn_batch& to) noexcept;

  // The first `done` of `count` tokens have values.
  void offer(turn_batch& batch, std::size_t done, std::size_t count) noexcept {
    batch.edges[2 * done] = batch.edges[2 * done + 1] = no_place;
    edges_ = batch.edges;
    values_ = batch.values;
    next_ = 0;
    patience_ = 1;
    wait_ = observed;
    limit_ = turn_batch::most;
    if (done != count) start_again();
  }

  void forget_batch() noexcept {
    edges_ = no_token;
    next_ = 0;
  }

 private:
  static constexpr std::uint16_t no_place = 0xffff;
  static constexpr std::uint16_t no_token[2] = {no_place, no_place};
  static constexpr std::size_t longest_step = 15, fewest = 8;
  static constexpr unsigned longest_period = 8;
  static constexpr std::uint16_t observed = 17, most_patient = 0xffff;  // sixteen steps are between seventeen places

  static HEADRACE_INLINE std::uint32_t load_token(const std::uint16_t* edges) noexcept {
    std::uint32_t both;
    std::memcpy(&both, edges, sizeof both);
    return both;
  }

  // After how many steps they repeat; 0: they do not, or some are too long to tell.
  unsigned find_period() const noexcept {
    constexpr std::uint64_t ones = 0x1111111111111111;
    const std::uint64_t s = steps_;
    if ((s & s >> 1 & s >> 2 & s >> 3 & ones) != 0) return 0;
    for (unsigned period = 1; period <= longest_period; ++period) {
      if (((s ^ s >> 4 * period) & ~std::uint64_t(0) >> 4 * period) == 0) return period;
    }
    return 0;
  }
  // After each failure there are twice as many until the next attempt.
  void start_again() noexcept {
    patience_ = wait_;
    wait_ = wait_ < most_patient / 2 ? static_cast<std::uint16_t>(2 * wait_) : most_patient;
    limit_ = fewest;
  }

  const std::uint16_t* edges_ = no_token;  // of the batch
  const char* values_ = nullptr;
  std::size_t next_ = 0;               // in the batch
  std::uint64_t steps_ = 0;            // the last sixteen, in tokens, four bits each, the latest one lowest
  std::size_t last_ = 0;               // the place of the last one
  std::uint16_t patience_ = observed;  // so many are asked for until gather() is
  std::uint16_t wait_ = observed;
  std::uint16_t limit_ = fewest;  // few while it is not known whether all have values
};

#if HEADRACE_COMPILED != 1

HEADRACE_FUNC std::size_t type_turns::gather(const std::uint16_t* next, std::size_t left, turn_batch& to) noexcept {
  forget_batch();
  const unsigned period = find_period();
  if (period == 0) {
    start_again();
    return 0;
  }
  const unsigned shift = 4 * (period - 1);
  const auto next_step = [=](std::uint64_t steps) { return static_cast<std::size_t>(steps >> shift & 15); };
  std::size_t places[longest_period], cycle = 0, count = 0;
  for (unsigned i = 0; i < period; ++i) {
    places[i] = cycle;
    cycle += next_step(steps_ << 4 * i);
  }
  // Each of a cycle by itself: a loop without a step that is looked up, for which the next one would wait.
  const std::size_t limit = limit_;
  for (unsigned i = 0; i < period; ++i) {
    for (std::size_t k = i, place = places[i]; k < limit && place < left; k += period, place += cycle, ++count) {
      std::memcpy(to.edges + 2 * k, next + 2 * place, 4);
    }
  }
  if (count < fewest) {
    patience_ = static_cast<std::uint16_t>(count);  // until the next index
    return 0;
  }
  const std::size_t cycles = (count - 1) / period, rest = (count - 1) % period;
  last_ += cycles * cycle + places[rest];
  for (std::size_t i = 0; i < rest; ++i) steps_ = steps_ << 4 | next_step(steps_);
  return count;
}

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
