// Each primitive of an instruction set against its namesake in detail/simd/model.hpp, in each 128-bit lane: every value
// in every place, all pairs of values where those are few, and ten million random inputs.
#include <gtest/gtest.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
TEST(Primitives, None) { GTEST_SKIP() << "no kernel of this processor has primitives"; }
#else

#if !defined(HEADRACE_MODEL)
#define HEADRACE_MODEL 1
#endif
#include <headrace/detail/simd/kernels.hpp>
#include <headrace/detail/simd/target.hpp>  // once more: kernels.hpp takes its names back

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "support/share.hpp"

namespace {

using byte = unsigned char;

#define KERNEL model
#include "support/primitives.hpp"

constexpr unsigned max_size = 64;  // of a vector, in bytes

struct vector {
  alignas(max_size) byte bytes[max_size];
};

std::string to_hex(const byte* from, unsigned size) {
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += "0123456789abcdef"[from[i] >> 4];
    text += "0123456789abcdef"[from[i] & 15];
    if (i % 16 == 15) text += ' ';
  }
  return text;
}

// The next state of a generator (G. Marsaglia, "Xorshift RNGs", 2003).
std::uint64_t draw() {
  static std::uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// ---- what a primitive takes ----

enum class domain {
  bytes,   // anything
  digits,  // a: 0 to 9; b: weights whose products with two of them fit a byte
  words,   // words below 32768
  dwords   // dwords below 65536
};

void fill(vector& a, domain of, bool weights = false) {
  for (unsigned i = 0; i < max_size; i += 8) {
    std::uint64_t bits = draw() * 0x9e3779b97f4a7c15u;
    if (of == domain::words) bits &= 0x7fff7fff7fff7fff;
    if (of == domain::dwords) bits &= 0x0000ffff0000ffff;
    std::memcpy(a.bytes + i, &bits, 8);
  }
  if (of != domain::digits) return;
  for (byte& each : a.bytes) each = static_cast<byte>(each % (weights ? 15 : 10));
}

template <class Kernel>
class comparison {
 public:
  static constexpr unsigned lanes = Kernel::lanes, size = 16 * lanes;
  const std::size_t random_rounds = 770'000 / test::share();  // times 13 primitives: ten million

  void run() {
    check_moves();
    check_lookup();
    check_sums();
    check_masks();
    check_clean();
  }

 private:
  using function = void (*)(const byte*, const byte*, byte*);

  // a and b, lane by lane in the model. `results` is 2 where a primitive gives two vectors.
  void check(const char* name, function real, function expected, unsigned results = 1) {
    if (failed_) return;
    vector ours, theirs;
    real(a.bytes, b.bytes, ours.bytes);
    for (unsigned at = 0; at < size; at += 16) expected(a.bytes + at, b.bytes + at, theirs.bytes + results * at);
    if (std::memcmp(ours.bytes, theirs.bytes, results * size) != 0) {
      fail(name, to_hex(ours.bytes, results * size), to_hex(theirs.bytes, results * size));
    }
  }
  // The same from what the first lane has.
  void check_constant(const char* name, function real, function expected, unsigned result_size = size) {
    if (failed_) return;
    vector ours, theirs;
    real(a.bytes, b.bytes, ours.bytes);
    for (unsigned at = 0; at < size; at += 16) expected(a.bytes, b.bytes, theirs.bytes + at);
    if (std::memcmp(ours.bytes, theirs.bytes, result_size) != 0) {
      fail(name, to_hex(ours.bytes, result_size), to_hex(theirs.bytes, result_size));
    }
  }
  void check_equal(const char* name, std::uint64_t ours, std::uint64_t theirs) {
    if (!failed_ && ours != theirs) fail(name, std::to_string(ours), std::to_string(theirs));
  }
  void fail(const char* name, const std::string& ours, const std::string& theirs) {
    failed_ = true;  // one is enough to read
    ADD_FAILURE() << name << ": " << ours << "where the model has " << theirs << "\n  a " << to_hex(a.bytes, size)
                  << "\n  b " << to_hex(b.bytes, size);
  }

  void check_random(const char* name, function real, function expected, domain of, unsigned results = 1) {
    for (std::size_t round = 0; round < random_rounds; ++round) {
      fill(a, of);
      fill(b, of, true);
      check(name, real, expected, results);
    }
  }
  // All pairs of bytes in each place.
  void check_pairs(const char* name, function real, function expected) {
    fill(a, domain::bytes);
    fill(b, domain::bytes);
    for (unsigned place = 0; place < size; ++place) {
      for (unsigned pair = 0; pair < 65536; ++pair) {
        a.bytes[place] = static_cast<byte>(pair);
        b.bytes[place] = static_cast<byte>(pair >> 8);
        check(name, real, expected);
      }
    }
  }
  static void set_word(vector& to, unsigned i, unsigned value) {
    const auto word = static_cast<std::uint16_t>(value);
    std::memcpy(to.bytes + 2 * i, &word, 2);
  }

  void check_moves() {
    for (unsigned place = 0; place < size; ++place) {
      for (unsigned value = 0; value < 256; ++value) {
        fill(a, domain::bytes);
        a.bytes[place] = static_cast<byte>(value);
        check_constants();
        check("even_dwords", Kernel::even_dwords, model::primitives::even_dwords);
        check("widen", Kernel::widen, model::primitives::widen, 2);
      }
    }
    for (std::size_t round = 0; round < random_rounds; ++round) {
      fill(a, domain::bytes);
      check_constants();
      check_load();
    }
    check_random("even_dwords", Kernel::even_dwords, model::primitives::even_dwords, domain::bytes);
    check_random("widen", Kernel::widen, model::primitives::widen, domain::bytes, 2);
  }
  void check_constants() {
    check_constant("all_bytes", Kernel::all_bytes, model::primitives::all_bytes);
    check_constant("in_each_lane", Kernel::in_each_lane, model::primitives::in_each_lane);
    check_constant("widen_places", Kernel::widen_places, model::primitives::widen_places, 16);
  }
  // Tokens that end anywhere in 64 bytes of text: two of four in each lane.
  void check_load() {
    if (failed_) return;
    char text[8 + max_size];
    for (char& each : text) each = static_cast<char>(draw() >> 32);
    std::uint16_t edges[8 * lanes];
    for (std::uint16_t& edge : edges) edge = static_cast<std::uint16_t>(draw() % (max_size + 1));
    vector ours, theirs;
    Kernel::load_last_8(text + 8, edges, ours.bytes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      model::primitives::load_last_8(text + 8, edges + 8 * lane, theirs.bytes + 16 * lane);
    }
    if (std::memcmp(ours.bytes, theirs.bytes, size) != 0) {
      fail("load_last_8", to_hex(ours.bytes, size), to_hex(theirs.bytes, size));
    }
  }

  void check_lookup() {
    check_pairs("lookup", Kernel::lookup, model::primitives::lookup);
    check_random("lookup", Kernel::lookup, model::primitives::lookup, domain::bytes);
  }

  void check_sums() {
    fill(a, domain::digits);
    fill(b, domain::digits, true);
    for (unsigned place = 0; place < size; place += 2) {
      for (unsigned pair = 0; pair < 10 * 10 * 15 * 15; ++pair) {
        a.bytes[place] = static_cast<byte>(pair % 10);
        a.bytes[place + 1] = static_cast<byte>(pair / 10 % 10);
        b.bytes[place] = static_cast<byte>(pair / 100 % 15);
        b.bytes[place + 1] = static_cast<byte>(pair / 1500);
        check("add_pairs", Kernel::add_pairs, model::primitives::add_pairs);
      }
    }
    check_random("add_pairs", Kernel::add_pairs, model::primitives::add_pairs, domain::digits);

    fill(a, domain::words);
    for (unsigned place = 0; place < size / 2; ++place) {
      for (const unsigned weight : {0u, 1u, 100u, 10000u, 32767u}) {
        fill(b, domain::words);
        set_word(b, place, weight);
        for (unsigned value = 0; value < 32768; ++value) {
          set_word(a, place, value);
          check("add_pairs_of_words", Kernel::add_pairs_of_words, model::primitives::add_pairs_of_words);
        }
      }
    }
    check_random("add_pairs_of_words", Kernel::add_pairs_of_words, model::primitives::add_pairs_of_words,
                 domain::words);

    for (vector* const side : {&a, &b}) {
      fill(a, domain::dwords);
      fill(b, domain::dwords);
      for (unsigned place = 0; place < size / 4; ++place) {
        for (unsigned value = 0; value < 65536; ++value) {
          set_word(*side, 2 * place, value);
          check("pack_words", Kernel::pack_words, model::primitives::pack_words);
        }
      }
    }
    check_random("pack_words", Kernel::pack_words, model::primitives::pack_words, domain::dwords);
  }

  // What a mask of bytes says of the order of bits is its kernel's own; all of them are 0 for no top bit.
  void check_masks() {
    for (unsigned mask = 0; mask < 65536; ++mask) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        fill(a, domain::words);
        for (byte& each : a.bytes) each &= 0x7f;
        for (unsigned i = 0; i < 16; ++i) a.bytes[16 * lane + i] |= static_cast<byte>((mask >> i & 1) << 7);
        check_mask();
      }
    }
    for (std::size_t round = 0; round < random_rounds; ++round) {
      fill(a, domain::bytes);
      check_mask();
    }
    check_blocks();
  }
  void check_mask() {
    std::uint64_t expected = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      expected |= model::primitives::mask_of_bytes(a.bytes + 16 * lane) << (16 * lane);
    }
    const std::uint64_t mask = Kernel::mask_of_bytes(a.bytes);
    check_equal("mask_of_bytes", Kernel::masks_have_places ? mask : mask != 0,
                Kernel::masks_have_places ? expected : expected != 0);
  }
  void check_blocks() {
    for (unsigned place = 0; place < 64; ++place) {
      for (unsigned value = 0; value < 256; ++value) {
        for (const byte others : {byte(' '), byte('\n'), byte('7'), byte(0)}) {
          std::memset(a.bytes, others, 64);
          a.bytes[place] = static_cast<byte>(value);
          check_block();
        }
      }
    }
    for (std::size_t round = 0; round < 2 * random_rounds; ++round) {
      fill(a, domain::bytes);
      if (round % 2 == 0) {  // mostly whitespace and what is close to it
        for (byte& each : a.bytes) each &= 0x2f;
      }
      check_block();
    }
  }
  void check_block() {
    const char* const block = reinterpret_cast<const char*>(a.bytes);
    check_equal("mask_of_block<whitespace>", Kernel::mask_of_whitespace(block),
                model::primitives::mask_of_whitespace(block));
    check_equal("mask_of_block<newlines>", Kernel::mask_of_newlines(block), model::primitives::mask_of_newlines(block));
  }

  // a: digits, b: which bytes belong to a token. Of types with a sign and without.
  void check_clean() {
    keep_lengths([](unsigned) { return 8u; });
    for (unsigned place = 0; place + 1 < size; ++place) {
      fill(a, domain::digits);
      for (unsigned pair = 0; pair < 65536; ++pair) {
        a.bytes[place] = static_cast<byte>(pair);
        a.bytes[place + 1] = static_cast<byte>(pair >> 8);
        check_block_of_digits();
      }
    }
    for (unsigned length = 0; length <= 8; ++length) {
      for (unsigned place = 0; place < size; ++place) {
        for (unsigned value = 0; value < 256; ++value) {
          fill(a, domain::digits);
          a.bytes[place] = static_cast<byte>(value);
          keep_lengths([&](unsigned token) { return token == place / 8 ? length : unsigned(draw() >> 8) % 9; });
          check_block_of_digits();
        }
      }
    }
    for (std::size_t round = 0; round < random_rounds; ++round) {
      fill(a, domain::digits);
      unsigned lengths[max_size / 8];
      keep_lengths([&](unsigned token) { return lengths[token] = unsigned(draw() >> 8) % 9; });
      const unsigned token = unsigned(draw() >> 8) % (size / 8);
      if (lengths[token] != 0) a.bytes[8 * token + 8 - lengths[token]] = '-' - '0' + 256;
      if (round % 2 == 0) a.bytes[unsigned(draw() >> 8) % size] = static_cast<byte>(draw() >> 16);
      check_block_of_digits();
    }
  }
  template <class Length>
  void keep_lengths(Length length_of) {
    for (unsigned token = 0; token < size / 8; ++token) {
      const unsigned length = length_of(token);
      for (unsigned i = 0; i < 8; ++i) b.bytes[8 * token + i] = i >= 8 - length ? 0xff : 0;
    }
  }
  void check_block_of_digits() {
    vector digits;
    for (unsigned i = 0; i < size; ++i) digits.bytes[i] = a.bytes[i] & b.bytes[i];
    for (const std::uint64_t max_negative : {std::uint64_t(0), std::uint64_t(1) << 31}) {
      const headrace::detail::integer_range range{0x7fffffff, max_negative};
      bool expected = true;
      for (unsigned at = 0; at < size; at += 16) {
        expected = expected && model::primitives::is_clean(digits.bytes + at, b.bytes + at, range);
      }
      check_equal("is_clean", Kernel::is_clean(digits.bytes, b.bytes, range), expected);
    }
  }

  vector a, b;
  bool failed_ = false;
};

template <class Kernel>
void compare_with_model() {
  if ((Kernel::needs & ~headrace::detail::processor_features()) != 0) {
    GTEST_SKIP() << "this processor does not have its instructions";
  }
  comparison<Kernel>().run();
}

// A kernel: its name, what it is compiled for, and a test.
#if defined(__x86_64__)
#define KERNEL sse41
#define FEATURES HEADRACE_SSE41_FEATURES
#include "support/primitives.hpp"
TEST(Primitives, Sse41) { compare_with_model<sse41::primitives>(); }

#define KERNEL avx2
#define FEATURES HEADRACE_AVX2_FEATURES
#include "support/primitives.hpp"
TEST(Primitives, Avx2) { compare_with_model<avx2::primitives>(); }
#endif

#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define KERNEL neon
#include "support/primitives.hpp"
TEST(Primitives, Neon) { compare_with_model<neon::primitives>(); }
#endif

}  // namespace

#endif
