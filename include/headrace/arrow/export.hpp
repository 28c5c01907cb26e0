// headrace/arrow/export.hpp: columns become arrays of Arrow, and a table of them a struct or a stream. Not for users.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <type_traits>

#include "../arrow.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// ---- what a value becomes ----

// `stored`, of which an array is made; `as_it_is`: a column of T is one of `stored`. store() makes one of a T, and sets
// `fits` to false where it cannot.
template <class T, class = void>
struct arrow_type {
  static_assert(sizeof(T) == 0,
                "Arrow takes integers of 8 to 64 bits, float, double, bool, char, text, dates and times of "
                "headrace/time.hpp, and optionals of these");
};

template <class T>
constexpr bool is_arrow_number = is_one_of<T, float, double> || (is_integer<T> && sizeof(T) <= 8);

template <class T>
struct arrow_type<T, std::enable_if_t<is_arrow_number<T>>> {
  using stored = T;
  static constexpr bool as_it_is = true;
  static constexpr const char* format() noexcept {
    constexpr const char* const floats[] = {"f", "g"};
    constexpr const char* const integers[] = {"C", "c", "S", "s", "I", "i", "L", "l"};
    constexpr int size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    if constexpr (is_float<T>) return floats[size == 6];
    return integers[size + is_signed_integer<T>];
  }
  static T store(T value, bool&) noexcept { return value; }
};

template <>
struct arrow_type<bool> {
  using stored = bool;  // until all are packed
  static constexpr bool as_it_is = true;
  static constexpr const char* format() noexcept { return "b"; }
  static bool store(bool value, bool&) noexcept { return value; }
};

template <class T>
struct arrow_type<T, std::enable_if_t<is_text<T> || std::is_same_v<T, char>>> {
  using stored = std::string_view;
  static constexpr bool as_it_is = false;
  static constexpr const char* format() noexcept { return "U"; }
  static std::string_view store(const T& value, bool&) noexcept {
    if constexpr (std::is_same_v<T, char>) {
      return {&value, 1};
    } else {
      return value;
    }
  }
};

template <class Count>
std::int32_t arrow_days(Count days, bool& fits) noexcept {
  const auto stored = static_cast<std::int32_t>(days);
  fits = stored == days;
  return stored;
}

template <class Duration>
struct arrow_type<sys_time<Duration>, std::enable_if_t<is_days<Duration>>> {
  using stored = std::int32_t;
  static constexpr bool as_it_is = std::is_same_v<typename Duration::rep, std::int32_t>;
  static constexpr const char* format() noexcept { return "tdD"; }
  static std::int32_t store(const sys_time<Duration>& value, bool& fits) noexcept {
    return arrow_days(value.time_since_epoch().count(), fits);
  }
};

template <class Duration>
struct arrow_type<sys_time<Duration>, std::enable_if_t<is_clock_duration<Duration>>> {
  static_assert(sizeof(typename Duration::rep) <= sizeof(std::int64_t), "Arrow's times have 64 bits");
  using stored = std::int64_t;
  static constexpr bool as_it_is = sizeof(typename Duration::rep) == sizeof(std::int64_t);
  static constexpr const char* format() noexcept {
    constexpr const char* const units[] = {"tss:UTC", "tsm:UTC", "tsu:UTC", "tsn:UTC"};
    return units[point_digits<typename Duration::period> / 3];
  }
  static std::int64_t store(const sys_time<Duration>& value, bool&) noexcept {
    return value.time_since_epoch().count();
  }
};

#if __cplusplus > 201703L
template <>
struct arrow_type<std::chrono::year_month_day> {
  using stored = std::int32_t;
  static constexpr bool as_it_is = false;
  static constexpr const char* format() noexcept { return "tdD"; }
  static std::int32_t store(const std::chrono::year_month_day& value, bool& fits) noexcept {
    fits = value.ok();
    return static_cast<std::int32_t>(std::chrono::sys_days(value).time_since_epoch().count());
  }
};
#endif

// ---- bits ----

// One for each of `count` places, of which Arrow's first is the lowest of a byte.
template <class IsSet>
column<unsigned char> pack_bits(std::size_t count, IsSet is_set) {
  column<unsigned char> bits;
  const std::size_t bytes = (count + 7) / 8;
  unsigned char* to = bytes == 0 ? nullptr : bits.make_room(bytes);
  for (std::size_t i = 0; i < count; i += 8) {
    unsigned byte = 0;
    for (std::size_t k = 0; k < 8 && i + k < count; ++k) byte |= static_cast<unsigned>(is_set(i + k)) << k;
    *to++ = static_cast<unsigned char>(byte);
  }
  bits.set_size(bytes);
  return bits;
}

struct arrow_validity {
  column<unsigned char> bits;
  std::int64_t nulls = 0;
  bool is_nullable = false;
};

template <class T>
arrow_validity validity_of([[maybe_unused]] const column<T>& values) {
  arrow_validity valid;
  if constexpr (is_optional<T>) {
    valid.is_nullable = true;
    for (const T& each : values) valid.nulls += !each.has_value();
    if (valid.nulls == 0) return valid;
    valid.bits = pack_bits(values.size(), [&values](std::size_t i) { return values[i].has_value(); });
  }
  return valid;
}

// ---- UTF-8 ----

inline const char* skip_ascii(const char* first, const char* last) noexcept {
  while (last - first >= 32) {
    std::uint64_t words[4];
    std::memcpy(words, first, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & every_byte(0x80)) != 0) break;
    first += sizeof words;
  }
  while (first != last && static_cast<unsigned char>(*first) < 0x80) ++first;
  return first;
}

// The first byte of what is not UTF-8, or `last`.
inline const char* find_malformed(const char* first, const char* last) noexcept {
  while (first != last && (first = skip_ascii(first, last)) != last) {
    do {
      const utf8_character next = decode(first, last);
      if (next.state != utf8_state::valid) return first;
      first += next.size;
    } while (first != last && static_cast<unsigned char>(*first) >= 0x80);
  }
  return first;
}

// Whether each text is UTF-8: all of them together are, and none begins within a character.
inline bool are_utf8(const text_column& texts) noexcept {
  const char* const first = texts.data();
  const char* const last = first + texts.bytes();
  if (skip_ascii(first, last) == last) return true;
  if (find_malformed(first, last) != last) return false;
  const std::int64_t* const ends = texts.ends();
  return std::none_of(ends, ends + texts.size(), [=](std::int64_t begin) {
    return first + begin != last && (static_cast<unsigned char>(first[begin]) & 0xc0) == 0x80;
  });
}

// ---- a column ----

// Owns what the buffers of an array point to.
template <class Values>
struct arrow_values {
  Values values;
  column<unsigned char> valid;
  const void* buffers[3];

  static void release(ArrowArray* of) noexcept {
    delete static_cast<arrow_values*>(of->private_data);
    of->release = nullptr;
  }
};

template <class T>
std::int64_t set_buffers(const column<T>& values, const void** buffers) noexcept {
  buffers[1] = values.data();
  return 2;
}
inline std::int64_t set_buffers(const text_column& texts, const void** buffers) noexcept {
  buffers[1] = texts.ends();
  buffers[2] = texts.data();
  return 3;
}

template <class Values>
ArrowArray make_array(std::size_t length, Values&& values, arrow_validity&& valid) {
  auto* const owner = new (std::nothrow)
      arrow_values<Values>{static_cast<Values&&>(values), static_cast<column<unsigned char>&&>(valid.bits), {}};
  if (owner == nullptr) raise_out_of_memory();
  owner->buffers[0] = owner->valid.data();
  ArrowArray array{};
  array.length = static_cast<std::int64_t>(length);
  array.null_count = valid.nulls;
  array.n_buffers = set_buffers(owner->values, owner->buffers);
  array.buffers = owner->buffers;
  array.release = arrow_values<Values>::release;
  array.private_data = owner;
  return array;
}
template <class Values>
ArrowArray make_array(Values&& values, arrow_validity&& valid) {
  const std::size_t length = values.size();
  if constexpr (std::is_same_v<Values, column<bool>>) {
    return make_array(length, pack_bits(length, [&values](std::size_t i) { return values[i]; }),
                      static_cast<arrow_validity&&>(valid));
  } else {
    return make_array(length, static_cast<Values&&>(values), static_cast<arrow_validity&&>(valid));
  }
}

// ---- a table ----

// The children of a struct's array or of its schema, in memory that goes with it.
template <class Struct>
struct arrow_family {
  column<Struct> members;
  column<Struct*> pointers;
  const void* no_validity = nullptr;

  // Children that have been moved out are released by who has them.
  static void release(Struct* of) noexcept {
    for (std::int64_t i = 0; i < of->n_children; ++i) {
      Struct* const child = of->children[i];
      if (child->release != nullptr) child->release(child);
    }
    delete static_cast<arrow_family*>(of->private_data);
    of->release = nullptr;
  }
};

// An empty struct with room for so many children; nullptr: there is no memory.
template <class Struct>
arrow_family<Struct>* begin_family(std::size_t count, Struct* to) noexcept {
  auto* const family = new (std::nothrow) arrow_family<Struct>;
  if (family == nullptr) return nullptr;
  if (!family->members.try_reserve(count) || !family->pointers.try_reserve(count)) {
    delete family;
    return nullptr;
  }
  *to = Struct{};
  to->children = family->pointers.data();
  to->release = arrow_family<Struct>::release;
  to->private_data = family;
  return family;
}
template <class Struct>
void add_child(arrow_family<Struct>& to, Struct& parent, const Struct& child) {
  to.members.push_back(child);
  to.pointers.push_back(&to.members.back());
  parent.n_children = static_cast<std::int64_t>(to.members.size());
}

inline void release_child_schema(ArrowSchema* of) noexcept {
  release(static_cast<char*>(of->private_data));
  of->release = nullptr;
}

// A table that is asked for by a consumer.
struct arrow_stream {
  arrow_table table;
  bool is_taken = false;
  const char* error = nullptr;

  static arrow_stream& of(ArrowArrayStream* stream) noexcept {
    return *static_cast<arrow_stream*>(stream->private_data);
  }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* to) noexcept {
    return of(stream).write([to](arrow_table& from) { return from.write(to); });
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* to) noexcept {
    arrow_stream& state = of(stream);
    *to = ArrowArray{};
    if (state.is_taken) return 0;
    const int result = state.write([to](arrow_table& from) { return from.write(to); });
    state.is_taken = result == 0;
    return result;
  }
  static const char* get_last_error(ArrowArrayStream* stream) noexcept { return of(stream).error; }
  static void release(ArrowArrayStream* stream) noexcept {
    delete &of(stream);
    stream->release = nullptr;
  }

 private:
  template <class Action>
  int write(Action action) noexcept {
    error = nullptr;
    if (table.is_refused_) {
      error = table.fault_.c_str();
      return EINVAL;
    }
    if (action(table)) return 0;
    error = "out of memory";
    return ENOMEM;
  }
};

// Why a name cannot be one of Arrow's, which is UTF-8 and ends with a NUL; nullptr: it can.
inline const char* fault_of_name(std::string_view name) noexcept {
  const char* const last = name.data() + name.size();
  if (find_malformed(name.data(), last) != last) return " is not UTF-8";
  return name.find('\0') == std::string_view::npos ? nullptr : " has a NUL in it";
}

}  // namespace detail

template <std::size_t Count, class... Column>
arrow_table::arrow_table(const named_columns<Count>& format, std::tuple<Column...>&& columns) {
  static_assert(Count == sizeof...(Column), "a table has as many names as columns: a column that was skipped has none");
  const std::string_view* name = format.names();
  std::apply([&](auto&... each) { (add(*name++, static_cast<Column&&>(each)), ...); }, columns);
}
template <class... Column>
arrow_table::arrow_table(const delimited&, std::tuple<Column...>&& columns) {
  std::size_t number = 0;
  std::apply(
      [&](auto&... each) { (add(detail::message{detail::digits_of(++number)}, static_cast<Column&&>(each)), ...); },
      columns);
}

inline std::size_t arrow_table::rows() const noexcept {
  return children_.empty() ? 0 : static_cast<std::size_t>(children_.front().array.length);
}

template <class T>
void arrow_table::add(std::string_view name, column<T>&& values) {
  using type = detail::arrow_type<detail::field_value_t<T>>;
  using stored = typename type::stored;
  detail::arrow_validity valid = detail::validity_of(values);
  if constexpr (type::as_it_is && !detail::is_optional<T>) {
    add_stored(name, type::format(), static_cast<column<T>&&>(values), static_cast<detail::arrow_validity&&>(valid));
  } else {
    std::conditional_t<std::is_same_v<stored, std::string_view>, text_column, column<stored>> all;
    for (const T& each : values) {
      bool fits = true;
      if constexpr (detail::is_optional<T>) {
        all.push_back(each.has_value() ? type::store(*each, fits) : stored());
      } else {
        all.push_back(type::store(each, fits));
      }
      if (detail::unlikely(!fits)) {
        return refuse({"row ", detail::digits_of(all.size()), ", column ", detail::quoted(name),
                       ": no date that Arrow's date32 can hold"});
      }
    }
    column<T>().swap(values);
    add_stored(name, type::format(), static_cast<decltype(all)&&>(all), static_cast<detail::arrow_validity&&>(valid));
  }
}
inline void arrow_table::add(std::string_view name, text_column&& values) {
  add_stored(name, "U", static_cast<text_column&&>(values), {});
}

template <class Values>
void arrow_table::add_stored(std::string_view name, const char* format, Values&& values,
                             detail::arrow_validity&& valid) {
  check_name(name);
  check_length(name, values.size());
  if constexpr (std::is_same_v<Values, text_column>) check_texts(name, values);
  const detail::message kept(name);
  if (!kept.is_complete()) detail::raise_out_of_memory();
  const bool is_nullable = valid.is_nullable;
  const ArrowArray array =
      detail::make_array(static_cast<Values&&>(values), static_cast<detail::arrow_validity&&>(valid));
  children_.push_back(detail::arrow_child(format, kept, is_nullable, array));
}

// ---- what Arrow cannot take ----

inline void arrow_table::refuse(detail::message&& fault) noexcept {
  if (!is_refused_) fault_ = static_cast<detail::message&&>(fault);
  is_refused_ = true;
}

inline void arrow_table::check_name(std::string_view name) noexcept {
  const char* const fault = detail::fault_of_name(name);
  if (fault != nullptr)
    refuse({"the name of column ", detail::digits_of(columns() + 1), fault, ": ", detail::quoted(name)});
}

inline void arrow_table::check_length(std::string_view name, std::size_t length) noexcept {
  if (columns() == 0 || length == rows()) return;
  refuse({"column ", detail::quoted(name), " has ", detail::digits_of(length), " rows, the first one ",
          detail::digits_of(rows())});
}

inline void arrow_table::check_texts(std::string_view name, const text_column& texts) noexcept {
  if (detail::likely(detail::are_utf8(texts))) return;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const char* const first = texts[row].data();
    const char* const last = first + texts[row].size();
    const char* const bad = detail::find_malformed(first, last);
    if (bad == last) continue;
    const auto before = static_cast<std::size_t>(bad - first);
    const char* const from = before < 32 ? first : bad;
    return refuse({"row ", detail::digits_of(row + 1), ", column ", detail::quoted(name), ": not UTF-8 from byte ",
                   detail::digits_of(before + 1),
                   " on: ", detail::quoted(std::string_view(from, static_cast<std::size_t>(last - from)))});
  }
}

// ---- out ----

inline bool arrow_table::write(ArrowSchema* schema) const noexcept {
  auto* const family = detail::begin_family(columns(), schema);
  if (family == nullptr) return false;
  schema->format = "+s";
  schema->name = "";
  for (const detail::arrow_child& each : children_) {
    ArrowSchema child{};
    child.format = each.format;
    child.name = each.name.c_str();
    child.flags = each.is_nullable ? ARROW_FLAG_NULLABLE : 0;
    child.release = detail::release_child_schema;
    child.private_data = detail::share(const_cast<char*>(child.name));
    detail::add_child(*family, *schema, child);
  }
  return true;
}

inline bool arrow_table::write(ArrowArray* array) noexcept {
  auto* const family = detail::begin_family(columns(), array);
  if (family == nullptr) return false;
  array->length = static_cast<std::int64_t>(rows());
  array->n_buffers = 1;
  array->buffers = &family->no_validity;
  for (detail::arrow_child& each : children_) {
    detail::add_child(*family, *array, each.array);
    each.array.release = nullptr;
  }
  return true;
}

inline void arrow_table::export_to(ArrowSchema* schema, ArrowArray* array) {
  if (detail::unlikely(is_refused_))
    detail::raise_output_error(detail::message(fault_), std::errc::invalid_argument, 0);
  if (!write(schema)) detail::raise_out_of_memory();
  if (!write(array)) {
    schema->release(schema);
    detail::raise_out_of_memory();
  }
  children_.clear();
}

inline void arrow_table::export_to(ArrowArrayStream* stream) {
  auto* const from = new (std::nothrow) detail::arrow_stream;
  if (from == nullptr) detail::raise_out_of_memory();
  from->table.swap(*this);
  stream->get_schema = detail::arrow_stream::get_schema;
  stream->get_next = detail::arrow_stream::get_next;
  stream->get_last_error = detail::arrow_stream::get_last_error;
  stream->release = detail::arrow_stream::release;
  stream->private_data = from;
}

inline void arrow_table::swap(arrow_table& other) noexcept {
  using std::swap;
  swap(children_, other.children_);
  swap(fault_, other.fault_);
  swap(is_refused_, other.is_refused_);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
