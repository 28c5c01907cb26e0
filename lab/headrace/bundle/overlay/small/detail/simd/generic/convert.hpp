// As in numbers.hpp.
template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t done, std::size_t count,
                             char* out, integer_range range, refusals* refused) noexcept {
  constexpr std::size_t group = vector_size / 4;
  for (;;) {
    done = convert_groups<Width>(base, edges, done, count, out, range);
    if (count - done < group) break;
    std::size_t next = convert_mixed<Width>(base, edges, done, count, out, range);
    if (next != done) {
      done = next;
      continue;
    }
    // What neither takes is wrong, or so rare that one at a time will do.
    const std::size_t end = done + group;
    done = scalar::convert_integers<Width>(base, edges, done, end, out, range, refused);
    if (done != end) return done;
  }
  return scalar::convert_integers<Width>(base, edges, done, count, out, range, refused);
}
