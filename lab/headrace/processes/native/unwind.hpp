// Who called whom, in another process that stands still: its stack is unwound by the tables of .eh_frame, which
// compilers write for exceptions (DWARF 5, 6.4; System V ABI for x86-64, 3.7). So it needs neither frame pointers nor
// debugging information, and a leftover of an earlier call is never taken for a caller.
#pragma once
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace launch {

using location = std::uint64_t;

#if defined(__x86_64__)
constexpr unsigned stack_register = 7, return_register = 16, registers = 17;
#else
constexpr unsigned stack_register = 31, return_register = 30, registers = 32;
#endif

// Registers by their numbers in DWARF. `known` has a bit for each.
struct frame {
  location pc = 0;
  location value[registers] = {};
  std::uint64_t known = 0;

  void set(unsigned name, location to) {
    value[name] = to;
    known |= std::uint64_t{1} << name;
  }
  bool has(unsigned name) const { return name < registers && (known >> name & 1) != 0; }
};

// How to get from a frame to its caller's, at one place of a program.
struct step {
  enum : std::uint8_t { unknown, register_and_offset, dereferenced } kind = unknown;
  unsigned base = 0;
  std::int64_t offset = 0;
  std::vector<std::pair<unsigned, std::int64_t>> saved;  // registers, and where they are from the frame's address
};

// Reads the numbers of .eh_frame. What lies outside of the file reads as 0.
class cursor {
 public:
  cursor(const unsigned char* begin, std::size_t size, std::size_t offset) : begin_(begin), size_(size), at(offset) {}

  template <class Type>
  Type plain() {
    Type value{};
    if (at + sizeof value <= size_) std::memcpy(&value, begin_ + at, sizeof value);
    at += sizeof value;
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = plain<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = plain<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  // A pointer in one of the encodings of DW_EH_PE; `section` is the address that this file's first byte has.
  location pointer(unsigned encoding, location section) {
    const location here = section + at;
    location value = 0;
    const unsigned form = encoding & 0x0F;
    if (form == 0x01) value = unsigned_leb();
    else if (form == 0x02) value = plain<std::uint16_t>();
    else if (form == 0x03) value = plain<std::uint32_t>();
    else if (form == 0x09) value = static_cast<location>(signed_leb());
    else if (form == 0x0A) value = static_cast<location>(std::int64_t{plain<std::int16_t>()});
    else if (form == 0x0B) value = static_cast<location>(std::int64_t{plain<std::int32_t>()});
    else value = plain<std::uint64_t>();
    return (encoding & 0x70) == 0x10 ? value + here : value;
  }
  bool is_inside() const { return at < size_; }

 private:
  const unsigned char* begin_;
  std::size_t size_;

 public:
  std::size_t at;
};

// A program or library: its file, and the steps in it by address.
class module {
 public:
  explicit module(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat facts{};
    if (fstat(file, &facts) == 0 && facts.st_size > 64) {
      size_ = static_cast<std::size_t>(facts.st_size);
      void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) data_ = static_cast<const unsigned char*>(mapped);
    }
    close(file);
    if (data_ != nullptr) find_table();
  }
  ~module() {
    if (data_ != nullptr) munmap(const_cast<unsigned char*>(data_), size_);
  }
  module(const module&) = delete;
  module& operator=(const module&) = delete;

  // The address that the file gives to a place of it.
  location address_of(std::uint64_t offset) const {
    for (const Elf64_Phdr& part : parts_) {
      if (offset >= part.p_offset && offset - part.p_offset < part.p_filesz)
        return offset - part.p_offset + part.p_vaddr;
    }
    return offset;
  }

  const step& at(location place) {
    const auto [entry, is_new] = steps_.try_emplace(place);
    if (is_new) entry->second = find(place);
    return entry->second;
  }

 private:
  struct rule {
    step now;
    std::map<unsigned, std::int64_t> saved;
  };
  struct common {
    std::uint64_t code = 1;
    std::int64_t data = 1;
    unsigned encoding = 0;
    bool is_augmented = false;
    bool is_signal = false;
    std::size_t program = 0, end = 0;
  };

  void find_table() {
    if (std::memcmp(data_, ELFMAG, SELFMAG) != 0 || data_[EI_CLASS] != ELFCLASS64) return;
    Elf64_Ehdr head;
    std::memcpy(&head, data_, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; ++i) {
      Elf64_Phdr part;
      if (head.e_phoff + (i + 1) * sizeof part > size_) return;
      std::memcpy(&part, data_ + head.e_phoff + i * sizeof part, sizeof part);
      if (part.p_type == PT_LOAD) parts_.push_back(part);
      if (part.p_type == PT_GNU_EH_FRAME) table_ = part;
    }
  }

  std::size_t offset_of(location place) const {
    for (const Elf64_Phdr& part : parts_) {
      if (place >= part.p_vaddr && place - part.p_vaddr < part.p_filesz) {
        return static_cast<std::size_t>(place - part.p_vaddr + part.p_offset);
      }
    }
    return size_;
  }

  // A cursor's addresses are those of its file where this is added to its place.
  location shift(std::size_t offset) const { return address_of(offset) - offset; }

  step find(location place) const {
    if (data_ == nullptr || table_.p_filesz < 12) return {};
    const std::size_t begin = static_cast<std::size_t>(table_.p_offset);
    cursor head(data_, size_, begin);
    head.plain<std::uint8_t>();
    const auto pointer = head.plain<std::uint8_t>(), count = head.plain<std::uint8_t>(),
               table = head.plain<std::uint8_t>();
    head.pointer(pointer, shift(begin));
    const std::uint64_t entries = head.pointer(count, shift(begin));
    if (table != 0x3B) return {};  // sorted, as offsets from the table: what all linkers write
    const auto start_of = [&](std::uint64_t entry) {
      cursor row(data_, size_, head.at + static_cast<std::size_t>(entry) * 8);
      return table_.p_vaddr + static_cast<location>(static_cast<std::int64_t>(row.plain<std::int32_t>()));
    };
    std::uint64_t low = 0, high = entries;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (start_of(middle) <= place) low = middle + 1;
      else high = middle;
    }
    if (low == 0) return {};
    cursor row(data_, size_, head.at + static_cast<std::size_t>(low - 1) * 8 + 4);
    return described(
        offset_of(table_.p_vaddr + static_cast<location>(static_cast<std::int64_t>(row.plain<std::int32_t>()))), place);
  }

  // Reads the description of a function, and runs it up to a place.
  step described(std::size_t offset, location place) const {
    cursor from(data_, size_, offset);
    const auto length = from.plain<std::uint32_t>();
    if (length == 0 || length == 0xFFFFFFFF) return {};
    const std::size_t end = from.at + length;
    const std::size_t link = from.at;
    const common shared = common_of(link - from.plain<std::uint32_t>());
    const location begin = from.pointer(shared.encoding, shift(offset));
    const location size = from.pointer(shared.encoding & 0x0F, 0);
    if (place < begin || place - begin >= size) return {};
    if (shared.is_augmented) {
      const std::uint64_t skipped = from.unsigned_leb();
      from.at += static_cast<std::size_t>(skipped);
    }
    rule result, initial;
    location now = begin;
    cursor first(data_, size_, shared.program);
    run(first, shared.end, shared, now, ~location{0}, result, initial);
    initial = result;
    run(from, end, shared, now, place, result, initial);
    result.now.saved.assign(result.saved.begin(), result.saved.end());
    return result.now;
  }

  common common_of(std::size_t offset) const {
    common found;
    cursor from(data_, size_, offset);
    const auto length = from.plain<std::uint32_t>();
    found.end = from.at + length;
    from.plain<std::uint32_t>();
    from.plain<std::uint8_t>();
    std::string letters;
    for (char letter; from.is_inside() && (letter = from.plain<char>()) != 0;) letters += letter;
    found.code = from.unsigned_leb();
    found.data = from.signed_leb();
    from.unsigned_leb();  // the column of the return address
    if (!letters.empty() && letters[0] == 'z') {
      found.is_augmented = true;
      const std::uint64_t size = from.unsigned_leb();
      const std::size_t after = from.at + static_cast<std::size_t>(size);
      for (const char letter : letters.substr(1)) {
        if (letter == 'R') found.encoding = from.plain<std::uint8_t>();
        else if (letter == 'P') from.pointer(from.plain<std::uint8_t>(), 0);
        else if (letter == 'L') from.plain<std::uint8_t>();
      }
      from.at = after;
    }
    found.program = from.at;
    return found;
  }

  // Runs instructions (DWARF 5, 6.4.2) until `end`, or until they are for what comes after `place`.
  static void run(cursor& from, std::size_t end, const common& shared, location& now, location place, rule& to,
                  const rule& initial) {
    std::vector<rule> kept;
    const auto scaled = [&](std::uint64_t number) { return static_cast<std::int64_t>(number) * shared.data; };
    while (from.at < end && from.is_inside()) {
      const auto code = from.plain<std::uint8_t>();
      const unsigned low = code & 0x3F;
      const unsigned kind = code >> 6;
      if (kind == 1) now += low * shared.code;
      else if (kind == 2) to.saved[low] = scaled(from.unsigned_leb());
      else if (kind == 3) restore(to, low, initial);
      else rare(low, from, shared, now, place, to, initial, kept);
      if (now > place) return;
    }
  }

  static void restore(rule& to, unsigned name, const rule& initial) {
    const auto before = initial.saved.find(name);
    if (before == initial.saved.end()) to.saved.erase(name);
    else to.saved[name] = before->second;
  }

  static void rare(unsigned code, cursor& from, const common& shared, location& now, location place, rule& to,
                   const rule& initial, std::vector<rule>& kept) {
    // Operands: a register and a number, or one of them.
    const bool has_register = (code >= 0x05 && code <= 0x09) || (code >= 0x0C && code <= 0x0D) ||
                              (code >= 0x10 && code <= 0x12) || code == 0x16;
    const bool has_number = code == 0x05 || code == 0x09 || code == 0x0C || code == 0x0E || code == 0x2E;
    const bool has_scaled = code >= 0x11 && code <= 0x13;
    const unsigned which = has_register ? static_cast<unsigned>(from.unsigned_leb()) : 0;
    std::int64_t number = 0;
    if (has_number) number = static_cast<std::int64_t>(from.unsigned_leb());
    if (has_scaled) number = from.signed_leb() * shared.data;
    if (code == 0x01) now = from.plain<location>();
    else if (code == 0x02) now += from.plain<std::uint8_t>() * shared.code;
    else if (code == 0x03) now += from.plain<std::uint16_t>() * shared.code;
    else if (code == 0x04) now += from.plain<std::uint32_t>() * shared.code;
    else if (code == 0x05) to.saved[which] = number * shared.data;
    else if (code == 0x06) restore(to, which, initial);
    else if (code >= 0x07 && code <= 0x09) to.saved.erase(which);
    else if (code == 0x0A) kept.push_back(to);
    else if (code == 0x0B && !kept.empty()) to = kept.back(), kept.pop_back();
    else if (code == 0x0C || code == 0x12) to.now = {step::register_and_offset, which, number, {}};
    else if (code == 0x0D) to.now.base = which;
    else if (code == 0x0E || code == 0x13) to.now.offset = number;
    else if (code == 0x0F) expression(from, to, place);
    else if (code == 0x10 || code == 0x16) saved_by_expression(from, to, which);
    else if (code == 0x11) to.saved[which] = number;
  }

  // gcc writes one where it aligns a stack: the frame's address is kept at a register and an offset. Linkers
  // write one for the entries of a PLT of 16 bytes: a number is pushed at byte 11 of each.
  static void expression(cursor& from, rule& to, location place) {
    const std::uint64_t size = from.unsigned_leb();
    const std::size_t end = from.at + static_cast<std::size_t>(size);
    const auto code = from.plain<std::uint8_t>();
    to.now = {};
    if (code >= 0x70 && code <= 0x8F) {
      const std::int64_t offset = from.signed_leb();
      const auto next = from.plain<std::uint8_t>();
      if (from.at == end && next == 0x06) to.now = {step::dereferenced, code - 0x70U, offset, {}};
      if (next == 0x80) to.now = {step::register_and_offset, code - 0x70U, offset + (place % 16 >= 11 ? 8 : 0), {}};
    }
    from.at = end;
  }

  static void saved_by_expression(cursor& from, rule& to, unsigned which) {
    const std::uint64_t size = from.unsigned_leb();
    from.at += static_cast<std::size_t>(size);
    to.saved.erase(which);
  }

  const unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
  std::vector<Elf64_Phdr> parts_;
  Elf64_Phdr table_{};
  std::unordered_map<location, step> steps_;
};

}  // namespace launch
