"""The axes of a race: toolchains, benchmarks, inputs, and what contenders need."""
