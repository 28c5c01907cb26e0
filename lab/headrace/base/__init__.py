"""What every room uses: errors, names, places, words and numbers for people, progress."""
