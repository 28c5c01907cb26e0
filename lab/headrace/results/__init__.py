"""Measurements as a file: its schema, reading and writing."""
