// A program of one file has one copy of headrace: nothing is handed over or taken over.
namespace headrace::HEADRACE_ABI::detail {

inline void flush_out(void*) noexcept {
  if (process::flush_output != nullptr) process::flush_output();
}

class source {
  void find_start() noexcept {
    if (!opened_) (void)open();
  }
  bool is_held_elsewhere() const noexcept { return false; }
};

HEADRACE_COLD inline status source::refill() noexcept {
  if (at_end_) return failed_;
  if (!opened_) {
    const status opened = open();
    if (opened != status::ok) return opened;
  }
  const status room = make_room();
  if (room != status::ok) return room;
  const std::size_t space = static_cast<std::size_t>(block_ + block_size_ - read_padding - end);
  const auto read = read_ != nullptr ? read_ : source::read_descriptor;
  const transfer got = read(*this, end, space < area_size ? space : area_size);
  if (got.error != 0) {
    const status failed = system_status(got.error);
    if (failed == status::overran) {  // it may have written anywhere: it is not asked again
      at_end_ = true;
      failed_ = failed;
    }
    return failed;
  }
  if (got.size == 0) return finish();
  if (unlikely(blank_out_ != nullptr)) blank_out_(separators_, end, end + got.size);
  end += got.size;
  std::memset(end, 0, 128);  // kernels read it and use none of it, which MemorySanitizer and valgrind deny
  return status::ok;
}

inline struct position source::where(const char* byte) noexcept {
  const std::uint64_t offset = offset_of(byte);
  if (counted_.line == 0) counted_ = {};  // perhaps the file can be read now
  count_to(offset);
  if (counted_.line == 0) return {offset, 0, 0};
  return {offset, counted_.line, offset - counted_.line_begin + 1};
}

}  // namespace headrace::HEADRACE_ABI::detail
