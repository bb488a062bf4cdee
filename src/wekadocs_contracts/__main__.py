"""`python -m wekadocs_contracts`."""

from wekadocs_contracts.commands.main import main

if __name__ == "__main__":
    main()
