// first_ahead_ is here a token of the index that is perhaps none of the type that was asked for last.
namespace headrace::HEADRACE_ABI::detail {

class window {
  template <class T>
  bool take_turn(T&) noexcept = delete;
  bool note_turn(signed char) noexcept { return true; }
};

HEADRACE_INLINE void window::forget_batches() noexcept { batch_slot_ = no_slot; }

HEADRACE_FUNC bool window::convert_turns(const number_type&, char*) noexcept = delete;

__attribute__((noinline)) HEADRACE_FUNC status window::fetch(source& from, const number_type& type,
                                                             char* value) noexcept {
  leave_values(last_slot_ != type.slot);
  if (last_slot_ != type.slot) run_length_ = 0;
  last_slot_ = static_cast<signed char>(type.slot);
  ++run_length_;
  if (run_length_ <= max_turn_) return fetch_one(from, type, value);
  const bool is_first = run_length_ == max_turn_ + 1;
  if (is_first) {
    first_ahead_ = nullptr;
    ahead_limit_ = 32;
  }
  if (!convert_ahead(from, type)) return fetch_one(from, type, value);
  run& ready = ready_[type.slot];
  copy_value(value, ready.next, type.size);
  ready.next += type.size;
  return status::ok;
}

HEADRACE_FUNC bool window::convert_ahead(source& from, const number_type& type) noexcept {
  if (!tokens_.is_empty() && tokens_.next == first_ahead_) return false;
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
    const cursor index = tokens_;
    done = convert(type, tables_->values, limit);
    if (done == 0) {    // at a bad token after another one
      run_length_ = 0;  // nothing is known of those after it: one at a time, until the run has begun again
      return false;
    }
    after_values_ = {index.next + 2 * done, index.end};
    tokens_ = {};
  }
  ready_[type.slot] = {tables_->values, tables_->values + done * type.size};
  value_slot_ = static_cast<signed char>(type.slot);
  value_size_ = type.size;
  return true;
}

HEADRACE_FUNC std::size_t window::convert(const number_type& type, char* values, std::size_t room) noexcept {
  const auto left = static_cast<std::size_t>(tokens_.end - tokens_.next) / 2;
  const std::size_t done = type.convert(type, base_, tokens_.next, left < room ? left : room, values, nullptr);
  tokens_.next += 2 * done;
  if (done < left && done < room) first_ahead_ = tokens_.next;
  return done;
}

__attribute__((noinline)) HEADRACE_FUNC void window::return_values(bool) noexcept {
  run& left = ready_[value_slot_];
  tokens_ = {after_values_.next - 2 * count_values(left), after_values_.end};
  left.next = left.end;
  value_slot_ = no_slot;
}

}  // namespace headrace::HEADRACE_ABI::detail
