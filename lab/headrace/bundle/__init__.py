"""One file of a source and what it reaches of the library."""
