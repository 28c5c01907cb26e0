// A token that is no number ends a batch, as it does where numbers are converted ahead by a scan.
namespace headrace::HEADRACE_ABI::detail {

class window {
  bool pass_stopped() noexcept {
    if (tokens_.is_empty() || tokens_.next != stopped_at_) return false;
    tokens_.next += 2;
    return true;
  }
  void forget_batch() noexcept {}
};

}  // namespace headrace::HEADRACE_ABI::detail
