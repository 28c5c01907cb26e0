// Numbers made of the fuzzer's bytes: what format() writes must read back as the same number by functions that share
// nothing with it, and the bulk kernels must write what single calls write.
#include <headrace/format.hpp>
#include <headrace/detail/simd/dispatch.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void require(bool condition, const char* what, const std::string& text) {
  if (condition) return;
  std::fprintf(stderr, "%s: \"%s\"\n", what, text.c_str());
  std::abort();
}

template <class T>
std::vector<T> values_of(const std::uint8_t* data, std::size_t size) {
  std::vector<T> values(size / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), data, values.size() * sizeof(T));
  return values;
}

template <class Integer>
void check_integers(const std::uint8_t* data, std::size_t size, int base) {
  const auto values = values_of<Integer>(data, size);
  std::string single;
  for (Integer value : values) {
    char text[72];
    const auto written = headrace::format(text, text + sizeof text, value, base);
    require(static_cast<bool>(written), "no room", "");
    Integer back{};
    const auto read = std::from_chars(text, written.ptr, back, base);
    require(read.ptr == written.ptr && back == value, "does not read back", std::string(text, written.ptr));
    single.append(text, headrace::format(text, text + sizeof text, value).ptr);
    single += '|';
  }
  std::string bulk(values.size() * (headrace::detail::max_length<Integer> + 1) + 64, '?');
  const char* end = headrace::detail::write_integers(bulk.data(), values.data(), values.size(), '|');
  bulk.resize(static_cast<std::size_t>(end - bulk.data()));
  require(bulk == single, "bulk differs", bulk);
}

template <class Float>
Float read(const char* text) {
  return std::is_same_v<Float, float> ? static_cast<Float>(std::strtof(text, nullptr))
                                      : static_cast<Float>(std::strtod(text, nullptr));
}

template <class Float>
void check_floats(const std::uint8_t* data, std::size_t size, int precision) {
  for (Float value : values_of<Float>(data, size)) {
    char text[64];
    const auto shortest = headrace::format(text, text + sizeof text - 1, value);
    require(static_cast<bool>(shortest), "does not fit", "");
    *shortest.ptr = '\0';
    if (std::isnan(value)) {
      require(std::strcmp(text, "nan") == 0, "not nan", text);
      continue;
    }
    const Float back = read<Float>(text);
    require(back == value && std::signbit(back) == std::signbit(value), "does not read back", text);
    for (auto style : {headrace::float_style::fixed, headrace::float_style::scientific}) {
      char ours[512], theirs[512];
      const auto written = headrace::format(ours, ours + sizeof ours, value, style, precision);
      require(static_cast<bool>(written), "does not fit", "");
      std::snprintf(theirs, sizeof theirs, style == headrace::float_style::fixed ? "%.*f" : "%.*e", precision,
                    static_cast<double>(value));
      const std::string styled(ours, written.ptr);
      require(styled == theirs, "not what printf writes", styled);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  ++data;
  --size;
  const int base = 2 + static_cast<int>(choice % 35);
  check_integers<signed char>(data, size, base);
  check_integers<unsigned short>(data, size, base);
  check_integers<int>(data, size, base);
  check_integers<unsigned>(data, size, base);
  check_integers<long long>(data, size, base);
  check_integers<unsigned long long>(data, size, base);
  check_floats<float>(data, size, static_cast<int>(choice % 100));
  check_floats<double>(data, size, static_cast<int>(choice % 100));
  return 0;
}
