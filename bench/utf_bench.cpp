// Transcoding, by what the text is made of.
#include <headrace/utf.hpp>

#include "support.hpp"

namespace {

constexpr std::size_t units = 4096;

std::u16string text_of(const std::u16string& alphabet) {
  headrace::rng random(7);
  std::u16string text;
  while (text.size() < units) {
    const std::size_t at = static_cast<std::size_t>(random.below(alphabet.size()));
    if (headrace::detail::is_low_surrogate(alphabet[at])) continue;
    text.push_back(alphabet[at]);
    if (headrace::detail::is_high_surrogate(alphabet[at])) text.push_back(alphabet[at + 1]);
  }
  return text;
}

void measure(headrace::bench& suite, const std::string& name, const std::u16string& wide) {
  std::string narrow(3 * wide.size(), ' ');
  narrow.resize(
      static_cast<std::size_t>(headrace::to_utf8(wide.data(), wide.data() + wide.size(), &narrow[0]) - narrow.data()));
  std::string bytes(3 * wide.size(), ' ');
  std::u16string back(narrow.size(), u' ');
  suite.batch(static_cast<double>(wide.size()), "unit");
  suite.run(name + " to UTF-8", [&] { return headrace::to_utf8(wide.data(), wide.data() + wide.size(), &bytes[0]); });
  suite.run(name + " to UTF-16",
            [&] { return headrace::to_utf16(narrow.data(), narrow.data() + narrow.size(), &back[0]).written; });
}

}  // namespace

int main() {
  support::introduce("utf");
  headrace::bench suite{"transcode 4096 units of UTF-16, and back"};
  suite.budget(support::seconds);
  measure(suite, "ASCII", text_of(u"the quick brown fox jumps over the lazy dog"));
  measure(suite, "German", text_of(u"über größte Ärgernisse schreiben wir später"));
  measure(suite, "Russian", text_of(u"съешь же ещё этих мягких французских булок"));
  measure(suite, "Chinese", text_of(u"天地玄黃宇宙洪荒日月盈昃辰宿列張"));
  measure(suite, "emoji", text_of(u"😀😃😄😁😆😅🤣😂"));
}
