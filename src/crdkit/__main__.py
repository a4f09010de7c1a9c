"""``python -m crdkit``: the command line."""

from crdkit.cli.main import main

main(prog_name="crdkit")
