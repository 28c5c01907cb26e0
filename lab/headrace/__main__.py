"""What the command `headrace` calls first, and `python -m headrace`: to load the rest takes a while."""

from headrace.base import ctrl_c


def main() -> None:
    """Run the command line."""
    ctrl_c.end_at_once()
    from headrace import cli

    cli.main()


if __name__ == "__main__":
    main()
