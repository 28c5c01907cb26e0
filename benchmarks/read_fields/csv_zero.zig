const std = @import("std");
const csvzero = @import("csvzero");

var buffer: [1 << 20]u8 = undefined;

pub fn main() !void {
    var input = std.fs.File.stdin().reader(&buffer);
    var file = csvzero.Iterator.init(&input.interface);
    var fields: u64 = 0;
    var bytes: u64 = 0;
    while (true) {
        var field = file.next() catch |problem| if (problem == error.EOF) break else return problem;
        fields += 1;
        bytes += field.unescaped().len;
    }
    var output = std.fs.File.stdout().writer(&.{});
    try output.interface.print("{d} {d}\n", .{ fields, bytes });
}
