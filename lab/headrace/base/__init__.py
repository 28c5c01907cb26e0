"""The floor that every room stands on: errors, names, places, words and numbers for people, progress."""
