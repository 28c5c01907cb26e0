// Wide text of every kind becomes UTF-8 on its way out. What is no character becomes U+FFFD.
#include <headrace/headrace.hpp>

#include <string>

using headrace::out;

int main() {
  const std::wstring wide = L"M\u00fchle";
  const std::u16string utf16 = u"\u6c34\u8eca \U0001F30A";  // the last one is a surrogate pair
  const char32_t* const utf32 = U"\u043c\u0435\u043b\u044c\u043d\u0438\u0446\u0430";
  out.println(wide, " | ", utf16, " | ", utf32);

  const char16_t lone[] = {u'a', 0xd800, u'b', 0};
  out.println(lone);

  std::string text(headrace::utf8_per_unit<char16_t> * utf16.size(), '\0');
  char* const end = headrace::to_utf8(utf16.data(), utf16.data() + utf16.size(), text.data());
  out.println(static_cast<std::size_t>(end - text.data()), " bytes for ", utf16.size(), " units");
}
