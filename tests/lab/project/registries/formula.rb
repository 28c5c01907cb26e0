# Installs what a formula describes into PREFIX, from its unpacked archive, the current folder; then runs its test in
# another. Homebrew's class is here in a few lines, for what a formula of a library calls.
require "digest"
require "open3"
require "pathname"

formula, archive, prefix, folder = ARGV

class Formula
  class << self
    attr_reader :facts, :test_block
    %i[desc homepage url version sha256 license depends_on].each do |name|
      define_method(name) { |value| (@facts ||= {})[name] = value }
    end
    def test(&block) = @test_block = block
  end

  attr_reader :testpath

  def initialize(prefix, testpath)
    @prefix = Pathname(prefix)
    @testpath = Pathname(testpath)
  end

  def include = @prefix/"include"
  def lib = @prefix/"lib"
  def std_cmake_args = ["-DCMAKE_INSTALL_PREFIX=#{@prefix}", "-DCMAKE_BUILD_TYPE=Release"]
  def system(*words) = Kernel.system(*words) || abort("#{words.join(" ")} failed")

  def pipe_output(command, given)
    said, status = Open3.capture2(command, stdin_data: given)
    abort "#{command} failed" unless status.success?
    said
  end

  def assert_equal(wanted, got)
    abort "wanted #{wanted.inspect}, got #{got.inspect}" unless wanted == got
  end
end

def ENV.cxx = fetch("CXX", "c++")

load formula
facts = Headrace.facts
abort "sha256 is not the archive's" unless facts[:sha256] == Digest::SHA256.file(archive).hexdigest
abort "desc has more than 80 characters" if facts[:desc].length > 80
abort "url does not end in the archive's name" unless facts[:url].end_with?(File.basename(archive))
made = Headrace.new(prefix, folder)
made.install
Dir.chdir(folder) { made.instance_eval(&Headrace.test_block) }
puts facts[:version]
