-- The package for xmake: packages/h/headrace/xmake.lua of a repository of packages (xmake repo --add NAME FOLDER).
package("headrace")
    set_kind("library", {headeronly = true})
    set_homepage("@HOMEPAGE@")
    set_description("Fast, checked text input and output for C++17")
    set_license("MIT")

    add_urls("@URL@")
    add_versions("@VERSION@", "@SHA256@")

    on_install("linux", "macosx", "bsd", "mingw", function (package)
        os.cp("include/headrace", package:installdir("include"))
    end)

    on_test(function (package)
        assert(package:check_cxxsnippets({test = [[
            int main() {
                int x;
                headrace::in >> x;
                headrace::out << x << '\n';
            }
        ]]}, {configs = {languages = "c++17"}, includes = "headrace/headrace.hpp"}))
    end)
