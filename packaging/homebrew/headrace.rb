# The Homebrew formula: Formula/headrace.rb of a tap.
class Headrace < Formula
  desc "Fast, checked text input and output for C++17"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build

  def install
    system "cmake", "-S", ".", "-B", "build", "-DHEADRACE_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"sum.cpp").write <<~CPP
      #include <headrace/headrace.hpp>
      int main() {
        long long sum = 0;
        for (long long value : headrace::in.values<long long>()) sum += value;
        headrace::out << sum << '\\n';
      }
    CPP
    system ENV.cxx, "-std=c++17", "-DHEADRACE_COMPILED=1", "-I#{include}", "sum.cpp", "-L#{lib}", "-lheadrace", "-o", "sum"
    assert_equal "42\n", pipe_output("./sum", "20 22\n")
  end
end
