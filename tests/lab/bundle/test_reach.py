"""What a small bundle leaves out: declarations that nobody mentions, and never one that somebody does."""

from __future__ import annotations

import pytest

from headrace.bundle import cpp, reach


def kept(library: str, *mentioned: str) -> str:
    """Return what stays of a library, its lines joined, where a user's code mentions these words."""
    lines: list[tuple[str, ...]] = []
    directives: list[str] = []
    for line in cpp.lines(library):
        lines.append(() if line.directive else line.tokens)
        directives.append(line.code if line.directive else "")
    gone = reach.unreached(lines, directives, set(mentioned))
    texts = [
        directive if directive else cpp.join([token for at, token in enumerate(tokens) if at not in away])
        for tokens, directive, away in zip(lines, directives, gone, strict=True)
        if not (directive and away)
    ]
    return " ".join(text for text in texts if text)


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        ("void f(); void g();", "void f();"),
        ("void f(){h(1);} void g(){} void h(int){} void h(long){}",
         "void f(){h(1);}void h(int){}void h(long){}"),
        ("void f(){x=2;} int x; int y;", "void f(){x=2;}int x;"),
        ("int f=1; int g{2}; int h[2]={1,2};", "int f=1;"),
        ("row f={1,g,h(2)}; void g(){} int h(int){} void k(){}", "row f={1,g,h(2)};void g(){}int h(int){}"),
        ("void f(){g(1,h(2,3));} void g(int,int){} void g(int){} void h(int,int){} void h(){}",
         "void f(){g(1,h(2,3));}void g(int,int){}void h(int,int){}"),
        ("void f(){g(1);} void g(int,int=2); void g(int,int){} void h(int=1){}",
         "void f(){g(1);}void g(int,int=2);void g(int,int){}"),
        ("void f(){h(g); k(x<1,2>(3));} void g(int){} void g(){} void k(int){} void k(int,int){}",
         "void f(){h(g);k(x<1,2>(3));}void g(int){}void g(){}void k(int){}void k(int,int){}"),
        ("void f(){x(1,g,2);} void g(){}", "void f(){x(1,g,2);}void g(){}"),
        ("void f(int g){x(1,g,2);} void g(){}", "void f(int g){x(1,g,2);}"),
        ("int g=1,f=2; int h;", "int g=1,f=2;"),
        ("template<class T> bool g=f<T,1>; template<class T> bool h=g<T>;", ""),
        ("table f(1); table g(2);", "table f(1);"),
        ("template<class T,class=int> constexpr int f=0; template<class T> constexpr int f<T,int> =1;"
         " template<class T> bool g=f<T>;",
         "template<class T,class=int>constexpr int f=0;template<class T>constexpr int f<T,int> =1;"),
        ("using f=g<int>; template<class T> struct g{}; template<> struct g<int>{}; using h=int;",
         "using f=g<int>;template<class T>struct g{};template< >struct g<int>{};"),
        ("enum class e{f}; enum class g{h}; struct s{};", "enum class e{f};enum class g{h};"),
        ("namespace a{void f(){} namespace b{void g(){}}} extern \"C\"{void f();void h();}",
         'namespace a{void f(){}namespace b{}}extern "C"{void f();}'),
        ("namespace f=std; void g();", "namespace f=std;"),
        ("class f final:public g{}; class g{}; class h:public g{};", "class f final:public g{};class g{};"),
        ("__attribute__((cold)) inline void f() noexcept(true){} [[noreturn]] void g();",
         "__attribute__((cold))inline void f()noexcept(true){}"),
        ("struct h f(); struct h{int x;}; struct k{};", "struct h f();struct h{int x;};"),
        ("bool operator==(f,f){return same();} bool same(){} bool other(){}",
         "bool operator==(f,f){return same();}bool same(){}"),
        ("void(*hook)()=nullptr; static_assert(g); int g;", "void(*hook)()=nullptr;static_assert(g);int g;"),
    ],
)  # fmt: skip
def test_declarations(library: str, expected: str) -> None:
    assert kept(library, "f") == expected


def test_members() -> None:
    library = """
class f : public base {
 public:
  f() : data_{1}, more_{2} { start(); }
  ~f() { stop(); }
  void used() { helper(); }
  void unused() { other(); }
  int value() const;
  template <class T> f& operator<<(T x);
  int shown;
  static constexpr int size = 2;
 private:
  friend void friendly(f&);
  struct inner { int x; };
  int data_, more_;
  int hidden_ = 0;
};
int f::value() const { return lost(); }
void start() {} void stop() {} void helper() {} void other() {} void lost() {}
class base {};
"""
    assert kept(library, "f", "used") == (
        "class f:public base{ public: f():data_{1},more_{2}{start();} ~f(){stop();} void used(){helper();} "
        "template<class T>f&operator<<(T x); int shown; private: int data_,more_; }; "
        "void start(){}void stop(){}void helper(){} class base{};"
    )
    assert kept(library, "nothing") == ""


def test_a_local_variable_does_not_mention_a_function_of_its_name() -> None:
    library = "void f(){int lines=1; g+=lines;} void lines(){} int g;"
    assert kept(library, "f") == "void f(){int lines=1;g+=lines;}int g;"
    for call in ("lines()", "x.lines", "&lines", "a::lines", "lines<int>()"):
        assert "void lines(){}" in kept(f"void f(){{{call};}} void lines(){{}}", "f")


def test_directives_go_with_what_they_stand_in() -> None:
    library = """
#define USE 1
void f() {
#if A
  one();
#else
  two();
#endif
}
void h() {
#if B
  three();
#endif
}
void one() {} void two() {} void three() {}
"""
    assert kept(library, "f") == (
        "#define USE 1 void f(){ #if A one(); #else two(); #endif } void one(){}void two(){}"
    )


def test_macros_between_declarations_are_none() -> None:
    library = (
        'HEADRACE_TARGET_BEGIN("avx2") namespace n { void f() {} void g() {} } HEADRACE_TARGET_END\n'
        "void h() {} HEADRACE_KERNELS(HEADRACE_ROW) void k() {}"
    )
    assert kept(library, "f", "k") == (
        'HEADRACE_TARGET_BEGIN("avx2")namespace n{void f(){}}HEADRACE_TARGET_END '
        "HEADRACE_KERNELS(HEADRACE_ROW)void k(){}"
    )


def test_a_declaration_that_an_if_cuts_stays() -> None:
    library = "#if A\nvoid g()\n#else\nint g()\n#endif\n{ return 1; }\nvoid h() {}\n"
    assert kept(library, "f") == "#if A void g() #else int g() #endif {return 1;}"


@pytest.mark.parametrize("odd", ["void g() {", "template <class T void h();", "int g", "f(}"])
def test_what_cannot_be_followed_stays_whole(odd: str) -> None:
    assert kept(f"void f(){{}} {odd}", "other") == " ".join(kept(f"void f(){{}} {odd}", "f").split())
    assert "f(){}" in kept(f"void f(){{}} {odd}", "other")


def test_what_the_standard_library_asks_for_stays() -> None:
    library = (
        "namespace n{enum class code;struct kind:std::error_category{"
        "std::error_condition default_error_condition(int)const noexcept override;};}"
        "template< >struct std::is_error_code_enum<n::code> :true_type{};"
    )
    assert kept(library, "kind") == library
