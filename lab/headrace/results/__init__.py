"""What was measured, as a file: its schema, reading and writing."""
