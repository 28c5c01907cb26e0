"""What a race is made of: toolchains, benchmarks, inputs, and what contenders need."""
