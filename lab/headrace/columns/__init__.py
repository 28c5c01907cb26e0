"""A program that reads a file of columns: what is in the file, what follows from it, and its text."""
