// headrace/zstd.hpp: files that zstd has compressed, by the system's libzstd. Not part of headrace.hpp. Link with
// -lzstd, or headrace::zstd of CMake.
//
//   headrace::reader in{headrace::zstd_source("trades.csv.zst")};
//   headrace::writer out{headrace::zstd_sink("result.csv.zst")};
//
// As headrace/gzip.hpp, whose members are frames here. Skippable frames are passed over. The place of damage is where
// the block with it begins. Frames that want more than 128 MiB of memory (zstd --long=28 and above) are refused. A sink
// writes a checksum, which is at the end of a frame; a frame without one (zstd --no-check) may be damaged unnoticed.
// Levels are the library's: ZSTD_minCLevel(), which is below 0, to 22, usually 3.
#pragma once

#include <zstd.h>
#include <zstd_errors.h>

#include "compressed/packed.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

class zstd_decoder {
 public:
  static constexpr const char* format = "zstd";
  // A frame, and one to be skipped (RFC 8878, 3.1).
  static bool begins(char first) noexcept { return first == '\x28' || (first >= '\x50' && first <= '\x5f'); }

  zstd_decoder() noexcept : stream_(ZSTD_createDStream()) {}
  zstd_decoder(const zstd_decoder&) = delete;
  zstd_decoder& operator=(const zstd_decoder&) = delete;
  ~zstd_decoder() { ZSTD_freeDStream(stream_); }

  // Gives the library a block at a time, so that the place of damage is known to the block.
  unpacked decode(const char* from, std::size_t size, char* to, std::size_t room) noexcept {
    unpacked step;
    if (stream_ == nullptr) step.fault = "there is no memory to decompress it";
    if (stream_ == nullptr) return step;
    ZSTD_inBuffer in{from, size < wanted_ ? size : wanted_, 0};
    ZSTD_outBuffer out{to, room, 0};
    const std::size_t result = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(result) != 0) {
      step.is_foreign = ZSTD_getErrorCode(result) == ZSTD_error_prefix_unknown;
      step.fault = ZSTD_getErrorName(result);
      return step;
    }
    step.taken = in.pos;
    step.given = out.pos;
    if (in.pos == 0 && out.pos == 0) return step;
    step.is_complete = result == 0;
    wanted_ = step.is_complete ? first_bytes : result;
    return step;
  }

 private:
  static constexpr std::size_t first_bytes = 5;  // say how long the header of a frame is

  ZSTD_DStream* stream_;
  std::size_t wanted_ = first_bytes;
};

class zstd_encoder {
 public:
  static constexpr const char* format = "zstd";
  static int lowest_level() noexcept { return ZSTD_minCLevel(); }
  static int highest_level() noexcept { return ZSTD_maxCLevel(); }

  zstd_encoder() noexcept : stream_(ZSTD_createCCtx()) {}
  zstd_encoder(const zstd_encoder&) = delete;
  zstd_encoder& operator=(const zstd_encoder&) = delete;
  ~zstd_encoder() { ZSTD_freeCCtx(stream_); }

  bool begin(int level) noexcept {
    return stream_ != nullptr && !ZSTD_isError(ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, level)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1));
  }
  packed encode(const char* from, std::size_t size, char* to, std::size_t room, until what) noexcept {
    ZSTD_inBuffer in{from, size, 0};
    ZSTD_outBuffer out{to, room, 0};
    constexpr ZSTD_EndDirective flush[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
    const std::size_t rest = ZSTD_compressStream2(stream_, &out, &in, flush[static_cast<int>(what)]);
    packed step;
    step.taken = in.pos;
    step.given = out.pos;
    if (ZSTD_isError(rest) != 0) step.error = ENOMEM;  // the only way left for it to fail
    step.is_done = what == until::full ? in.pos == size : rest == 0;
    return step;
  }

 private:
  ZSTD_CCtx* stream_;
};

}  // namespace detail

// Has the members that reader::from() asks for: read(), which returns at least one byte, 0 at the end or -1 after a
// failure; failure(), nullptr where there was none and where errno says it; name(), that of the compressed file.
class zstd_source : public detail::unpacked_source<detail::zstd_decoder> {
 public:
  // From what a reader is made of. Throws input_error where a file cannot be opened.
  template <class From, class = std::enable_if_t<std::is_constructible_v<reader, From&&>>>
  explicit zstd_source(From&& from) : unpacked_source(std::forward<From>(from)) {}
};

// Has the members that writer::into() asks for: write(), flush() and close(), which ends the data; so does the
// destructor, which cannot report a failure; name(), that of the compressed file.
class zstd_sink : public detail::packed_sink<detail::zstd_encoder> {
 public:
  // To what a writer is made of, at a level of ZSTD_minCLevel() to ZSTD_maxCLevel(). Throws output_error where a file
  // cannot be opened, and, before that, for a level that there is not.
  template <class To, class = std::enable_if_t<std::is_constructible_v<writer, To&&>>>
  explicit zstd_sink(To&& to, int level = 3) : packed_sink(std::forward<To>(to), level) {}
};

}  // namespace HEADRACE_ABI
}  // namespace headrace
