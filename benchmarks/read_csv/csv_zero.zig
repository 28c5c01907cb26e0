const std = @import("std");
const csvzero = @import("csvzero");

var buffer: [1 << 20]u8 = undefined;

pub fn main() !void {
    var input = std.fs.File.stdin().reader(&buffer);
    var file = csvzero.Iterator.init(&input.interface);
    var whole: i64 = 0;
    var prices: f64 = 0;
    var column: u32 = 0;
    while (true) {
        const field = file.next() catch |problem| if (problem == error.EOF) break else return problem;
        switch (column) {
            0, 3, 4 => whole += try std.fmt.parseInt(i64, field.data, 10),
            2 => prices += try std.fmt.parseFloat(f64, field.data),
            else => {},
        }
        column = if (field.last_column) 0 else column + 1;
    }
    var output = std.fs.File.stdout().writer(&.{});
    try output.interface.print("{d}\n", .{@as(f64, @floatFromInt(whole)) + prices});
}
