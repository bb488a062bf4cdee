"""`python -m wekadocs_contracts`."""

from wekadocs_contracts.commands.main import main

main()
