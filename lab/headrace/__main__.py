"""`python -m headrace`: the same command where the script is not on PATH."""

from headrace.cli import main

main()
