// Text that primitives_test.cpp includes once per kernel, with KERNEL its name and FEATURES the instructions that it
// needs: the kernel's primitives as functions on memory. `a` and `b` have a vector each, `out` has room for two.
#if defined(FEATURES)
HEADRACE_TARGET_BEGIN(FEATURES)
#endif

namespace KERNEL {

namespace kernel = headrace::detail::KERNEL;

struct primitives {
  static constexpr unsigned lanes = kernel::vector_size / 16;
  // Whether bit i of a mask of bytes is the top bit of byte i; else a mask only says whether there is one.
  static constexpr bool masks_have_places = kernel::masks_have_places;
  static constexpr unsigned needs = kernel::kernel::needs;

  static void all_bytes(const byte* a, const byte*, byte* out) { store(out, kernel::all_bytes(qword(a))); }
  static void in_each_lane(const byte* a, const byte*, byte* out) {
    store(out, kernel::in_each_lane(qword(a), qword(a + 8)));
  }
  static void lookup(const byte* a, const byte* b, byte* out) {
    store(out, kernel::lookup(kernel::load(a), kernel::load(b)));
  }
  static void add_pairs(const byte* a, const byte* b, byte* out) {
    store(out, kernel::add_pairs(kernel::load(a), kernel::load(b)));
  }
  static void add_pairs_of_words(const byte* a, const byte* b, byte* out) {
    store(out, kernel::add_pairs_of_words(kernel::load(a), kernel::load(b)));
  }
  static void pack_words(const byte* a, const byte* b, byte* out) {
    store(out, kernel::pack_words(kernel::load(a), kernel::load(b)));
  }
  static void even_dwords(const byte* a, const byte* b, byte* out) {
    store(out, kernel::even_dwords(kernel::load(a), kernel::load(b)));
  }
  // Both halves: all dwords, in their order.
  static void widen(const byte* a, const byte*, byte* out) {
    const kernel::dwords values = (kernel::dwords)kernel::load(a);
    store(out, kernel::widen(values, 0));
    store(out + kernel::vector_size, kernel::widen(values, 1));
  }
  static void widen_places(const byte* a, const byte*, byte* out) {
    byte places[8];
    std::memcpy(places, a, sizeof places);
    store(out, kernel::widen_places(places));
  }
  static void load_last_8(const char* base, const std::uint16_t* edges, byte* out) {
    store(out, kernel::load_last_8(base, edges));
  }
  static std::uint64_t mask_of_bytes(const byte* a) { return kernel::mask_of_bytes(kernel::load(a)); }
  static std::uint64_t mask_of_whitespace(const char* block) {
    return kernel::mask_of_block<kernel::whitespace>(block);
  }
  static std::uint64_t mask_of_newlines(const char* block) { return kernel::mask_of_block<kernel::newlines>(block); }
  static bool is_clean(const byte* digits, const byte* keep, headrace::detail::integer_range range) {
    kernel::digit_block block = {kernel::load(digits), kernel::load(keep)};
    kernel::take_signs(block, kernel::places_of_signs(range));
    return kernel::mask_of_bytes(kernel::find_wrong(block.digits)) == 0;
  }

 private:
  static std::uint64_t qword(const byte* from) {
    std::uint64_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class Vector>
  static void store(byte* out, const Vector& vector) {
    std::memcpy(out, &vector, sizeof vector);
  }
};

}  // namespace KERNEL

#if defined(FEATURES)
HEADRACE_TARGET_END
#endif
#undef KERNEL
#undef FEATURES
