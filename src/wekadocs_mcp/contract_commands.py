import click


@click.group()
def contracts() -> None:
    """x"""
