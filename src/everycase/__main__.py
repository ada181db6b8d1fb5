"""``python -m everycase`` is the command line."""

from everycase.cli import main

if __name__ == "__main__":
    main()
