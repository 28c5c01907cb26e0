// Floats are left to the scalar kernel, which refuses them.
namespace headrace::HEADRACE_ABI::detail::avx2 {

constexpr std::size_t lanes = delete;
constexpr unsigned max_divided = delete;
bool can_round() noexcept = delete;
template <unsigned Width, class End>
token_bytes<Width> load_before(const char* base, End end_of) noexcept = delete;
template <unsigned Width>
token_bytes<Width> load_group(const token_group& group) noexcept = delete;
template <unsigned Width>
bool may_have(const token_bytes<Width>&, bytes) noexcept = delete;
template <unsigned Width>
qwords take_points(token_bytes<Width>& digits, lane_flags& points) noexcept = delete;
template <unsigned Width>
doubles look_up_divisors(qwords places) noexcept = delete;
template <unsigned Width, class Void>
double_pairs look_up_factors(qwords places, lane_flags& beyond) noexcept = delete;

struct kernel {
  static constexpr auto convert_floats = delete;
};

}  // namespace headrace::HEADRACE_ABI::detail::avx2
