// Windows: what a console shows, what text mode does not do, and how a console that went away is reported. The tests
// of the console need one: a window, a pseudo-console, or under wine a terminal.
#include <headrace/headrace.hpp>
#include <windows.h>
#include <winioctl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <gtest/gtest.h>

namespace {

using headrace::writer;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file of its own for each test, opened in the mode that a test is about and removed afterwards.
class temporary_file {
 public:
  explicit temporary_file(int mode = _O_TEXT) {
    char folder[MAX_PATH], path[MAX_PATH];
    GetTempPathA(sizeof folder, folder);
    GetTempFileNameA(folder, "hr", 0, path);
    path_ = path;
    descriptor_ = ::_open(path, _O_RDWR | _O_TRUNC | mode, _S_IREAD | _S_IWRITE);
    EXPECT_GE(descriptor_, 0);
  }
  ~temporary_file() {
    ::_close(descriptor_);
    std::remove(path_.c_str());
  }
  int get() const { return descriptor_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_;
};

// The console that this process has, with an empty screen; its code page is set back at the end.
class windows_console : public ::testing::Test {
 protected:
  void SetUp() override {
    descriptor_ = ::_open("CONOUT$", _O_RDWR | _O_TEXT);
    if (descriptor_ < 0 || !headrace::detail::is_console(descriptor_)) GTEST_SKIP() << "no console";
    code_page_ = GetConsoleOutputCP();
    clear();
  }
  void TearDown() override {
    if (code_page_ != 0) SetConsoleOutputCP(code_page_);
    if (descriptor_ >= 0) ::_close(descriptor_);
  }

  HANDLE handle() const { return headrace::detail::handle_of(descriptor_); }

  void clear() {
    CONSOLE_SCREEN_BUFFER_INFO info;
    ASSERT_TRUE(GetConsoleScreenBufferInfo(handle(), &info));
    width_ = info.dwSize.X;
    DWORD done = 0;
    FillConsoleOutputCharacterW(handle(), L' ', static_cast<DWORD>(info.dwSize.X * info.dwSize.Y), COORD{0, 0}, &done);
    SetConsoleCursorPosition(handle(), COORD{0, 0});
  }

  // What a row of the screen holds, without the spaces at its end.
  std::u16string row(int number) const {
    std::u16string text(static_cast<std::size_t>(width_), u'?');
    DWORD got = 0;
    const COORD start{0, static_cast<SHORT>(number)};
    EXPECT_TRUE(ReadConsoleOutputCharacterW(handle(), reinterpret_cast<wchar_t*>(text.data()),
                                            static_cast<DWORD>(text.size()), start, &got));
    text.resize(got);
    return text.substr(0, text.find_last_not_of(u' ') + 1);
  }

  int row_of_cursor() const {
    CONSOLE_SCREEN_BUFFER_INFO info;
    EXPECT_TRUE(GetConsoleScreenBufferInfo(handle(), &info));
    return info.dwCursorPosition.Y;
  }

  int descriptor_ = -1;
  int width_ = 0;
  UINT code_page_ = 0;
};

TEST(windows_file, text_mode_changes_no_byte_and_stays_for_others) {
  const temporary_file file(_O_TEXT);
  writer sink(file.get());
  sink << "one\n" << 2 << "\r\n";
  sink.flush();
  ::_write(file.get(), "three\n", 6);
  sink << "four\n";
  sink.flush();
  EXPECT_EQ(content(file.path()), "one\n2\r\nthree\r\nfour\n");
}

TEST(windows_file, a_stream_in_text_mode) {
  const temporary_file file(_O_TEXT);
  std::FILE* const stream = ::_fdopen(::_dup(file.get()), "w");
  std::fputs("before\n", stream);
  {
    writer sink(stream);
    sink << "between\n";
  }
  std::fputs("after\n", stream);
  std::fclose(stream);
  EXPECT_EQ(content(file.path()), "before\r\nbetween\nafter\r\n");
}

TEST(windows_file, appends_where_the_descriptor_does) {
  const temporary_file file;
  std::ofstream(file.path(), std::ios::binary) << "there\n";
  const int descriptor = ::_open(file.path().c_str(), _O_WRONLY | _O_APPEND | _O_TEXT);
  {
    writer sink(descriptor);
    sink << "after\n";
  }
  ::_close(descriptor);
  EXPECT_EQ(content(file.path()), "there\nafter\n");
}

TEST(windows_file, a_file_is_read_past_control_z_and_with_either_line_end) {
  const temporary_file file;
  std::ofstream(file.path(), std::ios::binary) << "1 2\r\n\x1a 3\r\nend\n";
  headrace::reader source(file.path());
  EXPECT_EQ(source.read_line(), "1 2");
  EXPECT_EQ(source.read_line(), "\x1a 3");
  EXPECT_EQ(source.read_line(), "end");
  EXPECT_TRUE(source.at_end());
}

TEST(windows_file, more_than_2_gib_can_be_stood_at) {
  const temporary_file file;
  const std::int64_t far_away = (std::int64_t{5} << 30) + 1;
  EXPECT_EQ(headrace::detail::seek(file.get(), far_away, SEEK_SET), far_away);
  EXPECT_EQ(headrace::detail::tell(file.get()), far_away);
}

TEST(windows_file, is_read_beyond_4_gib) {
  const temporary_file file;
  DWORD ignored = 0;  // sparse, or NTFS writes all those zeros
  DeviceIoControl(headrace::detail::handle_of(file.get()), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &ignored, nullptr);
  const std::int64_t far_away = (std::int64_t{1} << 32) + 5;
  ASSERT_EQ(::_lseeki64(file.get(), far_away, SEEK_SET), far_away);
  writer sink(file.get());
  sink << "12 34\n";
  sink.flush();
  ASSERT_EQ(headrace::detail::describe(file.get()).size, static_cast<std::uint64_t>(far_away) + 6);
  ::_lseeki64(file.get(), far_away, SEEK_SET);
  headrace::reader source(file.get());
  EXPECT_EQ(source.read<int>(), 12);
  EXPECT_EQ(source.read<int>(), 34);
  EXPECT_TRUE(source.at_end());
}

TEST(windows_file, the_null_device_is_no_terminal) {
  const int null = ::_open("NUL", _O_WRONLY);
  ASSERT_GE(null, 0);
  EXPECT_NE(headrace::detail::describe(null).kind, headrace::detail::file_kind::terminal);
  writer sink(null);
  for (int i = 0; i < 100000; ++i) sink << "Hello World!\n";
  sink.flush();
  EXPECT_EQ(sink.arrived(), 1300000u);
  ::_close(null);
}

TEST(windows_pipe, carries_bytes_and_ends) {
  int ends[2];
  ASSERT_EQ(::_pipe(ends, 65536, _O_TEXT), 0);
  {
    writer sink(ends[1]);
    for (int i = 0; i < 1000; ++i) sink << i << '\n';
  }
  ::_close(ends[1]);
  headrace::reader source(ends[0]);
  int next = 0;
  for (int value : source.values<int>()) EXPECT_EQ(value, next++);
  EXPECT_EQ(next, 1000);
  ::_close(ends[0]);
}

TEST(windows_pipe, without_a_reader_is_an_error) {
  int ends[2];
  ASSERT_EQ(::_pipe(ends, 4096, _O_BINARY), 0);
  ::_close(ends[0]);
  writer sink(ends[1]);
  sink << "nobody\n";
  try {
    sink.flush();
    ADD_FAILURE() << "nobody was told";
  } catch (const headrace::output_error& error) {
    EXPECT_EQ(error.code(), std::errc::broken_pipe);
  }
  ::_close(ends[1]);
}

TEST(windows_text, wchar_t_is_utf16_and_a_lone_surrogate_is_replaced) {
  std::string text;
  writer sink = writer::into(text);
  sink << L"\u00e9\u20ac\U0001F600" << ' ' << std::wstring(1, wchar_t(0xd800)) << std::wstring(1, wchar_t(0xdc00))
       << L'x';
  sink.flush();
  EXPECT_EQ(text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbdx");
}

TEST_F(windows_console, is_a_terminal_and_gets_each_line) {
  EXPECT_EQ(headrace::detail::describe(descriptor_).kind, headrace::detail::file_kind::terminal);
  writer sink(descriptor_);
  sink << "not yet";
  EXPECT_EQ(row(0), u"");
  sink << ", now\n";
  EXPECT_EQ(row(0), u"not yet, now");
  EXPECT_EQ(row_of_cursor(), 1);
}

TEST_F(windows_console, shows_utf8_under_any_code_page) {
  for (const UINT page : {437u, 1252u, 65001u}) {
    if (!SetConsoleOutputCP(page)) continue;
    clear();
    writer sink(descriptor_);
    sink << "h\xc3\xa9llo \xe2\x82\xac " << L"w\u00efde" << '\n';
    EXPECT_EQ(row(0), u"h\u00e9llo \u20ac w\u00efde") << "code page " << page;
  }
}

// The screen holds both halves of a pair, whatever a terminal that shows it makes of them (wine 8 shows each as
// U+FFFD).
TEST_F(windows_console, what_utf16_needs_two_units_for_arrives_whole) {
  writer sink(descriptor_);
  sink << "a\xf0\x9f\x98\x80" << L"\U0001F680" << "b\n";
  EXPECT_EQ(row(0), u"a\U0001F600\U0001F680b");
  sink.flush_when(headrace::flush_policy::each_write);
  for (const char byte : std::string("c\xf0\x9f\x98\x80\n")) sink << byte;
  EXPECT_EQ(row(1), u"c\U0001F600");
}

// The limit of a call falls between the bytes of a sequence: at each of them in turn.
TEST_F(windows_console, a_sequence_is_not_torn_by_the_limit_of_a_call) {
  for (std::size_t before = 0; before < 4; ++before) {
    clear();
    std::string text(before, 'x');
    while (text.size() < 3 * headrace::detail::console_units) text += "\xf0\x9f\x98\x80";
    writer sink(descriptor_);
    sink.write(text);
    sink.flush();
    EXPECT_EQ(sink.arrived(), text.size());
    const int last = row_of_cursor();
    for (int number = before == 0 ? 0 : 1; number < last; ++number) {
      const std::u16string units = row(number);
      for (const char16_t unit : units) ASSERT_TRUE(unit >= 0xd800 && unit <= 0xdfff) << "row " << number;
    }
  }
}

// The console's queue of keys, empty, and what a person types into it.
class keys {
 public:
  keys() : descriptor_(::_open("CONIN$", _O_RDWR | _O_TEXT)) { FlushConsoleInputBuffer(handle()); }
  ~keys() { ::_close(descriptor_); }
  int descriptor() const { return descriptor_; }

  void type(const std::wstring& text) const {
    for (const wchar_t unit : text) {
      INPUT_RECORD key{};
      key.EventType = KEY_EVENT;
      key.Event.KeyEvent.bKeyDown = TRUE;
      key.Event.KeyEvent.wRepeatCount = 1;
      key.Event.KeyEvent.uChar.UnicodeChar = unit;
      if (unit == L'\r') key.Event.KeyEvent.wVirtualKeyCode = VK_RETURN;
      DWORD put = 0;
      ASSERT_TRUE(WriteConsoleInputW(handle(), &key, 1, &put));
    }
  }

 private:
  HANDLE handle() const { return headrace::detail::handle_of(descriptor_); }

  int descriptor_;
};

TEST_F(windows_console, typed_text_is_read_as_utf8) {
  const keys keyboard;
  ASSERT_GE(keyboard.descriptor(), 0);
  keyboard.type(L"12 \u00e9\u20ac\U0001F600 x\r");
  headrace::reader source(keyboard.descriptor());
  EXPECT_EQ(source.read<int>(), 12);
  EXPECT_EQ(source.read<std::string>(), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(source.read_line(), " x");
}

TEST_F(windows_console, control_z_at_the_start_of_a_line_ends_the_input) {
  const keys keyboard;
  ASSERT_GE(keyboard.descriptor(), 0);
  keyboard.type(L"7\r\x1a\r");
  headrace::reader source(keyboard.descriptor());
  EXPECT_EQ(source.read<int>(), 7);
  EXPECT_TRUE(source.at_end());
}

TEST_F(windows_console, a_sequence_may_arrive_byte_by_byte) {
  writer sink(descriptor_);
  sink.flush_when(headrace::flush_policy::each_write);
  for (const char byte : std::string("a\xe2\x82\xac\xc3\xa9z")) sink << byte;
  EXPECT_EQ(row(0), u"a\u20ac\u00e9z");
}

TEST_F(windows_console, what_is_no_text_becomes_the_replacement_character) {
  {
    writer sink(descriptor_);
    sink.flush_when(headrace::flush_policy::each_write);
    sink << "a" << "\xff" << "b" << "\xe2\x82" << "c";  // no lead byte, and a sequence cut by a letter
    sink << std::wstring(1, wchar_t(0xdfff)) << "\xed\xa0\x80" << "\xf0\x9f";  // surrogates; cut by the end
  }
  EXPECT_EQ(row(0), u"a\ufffdb\ufffdc\ufffd\ufffd\ufffd\ufffd\ufffd");
}

TEST_F(windows_console, text_longer_than_a_call_takes) {
  std::string text;
  const int lines = 20000;
  for (int i = 0; i < lines; ++i) text += "line " + std::to_string(i) + " \xe2\x82\xac\n";
  ASSERT_GT(text.size(), 200u * 1024);
  writer sink(descriptor_);
  sink.write(text);
  sink.flush();
  EXPECT_EQ(sink.arrived(), text.size());
  const int last = row_of_cursor() - 1;
  EXPECT_EQ(row(last), u"line 19999 \u20ac");
  EXPECT_EQ(row(last - 1), u"line 19998 \u20ac");
}

TEST_F(windows_console, that_was_closed_is_an_error) {
  writer sink(descriptor_);
  sink << "here\n";
  CloseHandle(handle());  // as FreeConsole does with the handles that it gave
  sink.flush_when(headrace::flush_policy::when_full);
  sink << "gone\n";
  try {
    sink.flush();
    FAIL() << "nobody was told";
  } catch (const headrace::output_error& error) {
    EXPECT_EQ(error.code(), std::errc::bad_file_descriptor);
    EXPECT_EQ(error.arrived(), 5u);
  }
  descriptor_ = -1;
}

}  // namespace
