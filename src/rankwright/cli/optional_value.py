"""Options whose value may be left out: ``--cluster`` alone, or ``--cluster tcp://...``."""

from typing import Any

from typer.core import TyperCommand

__all__ = ["ClusterCommand", "HERE"]

HERE = "here"  # what --cluster says without an address
OPTION = "--cluster"


class ClusterCommand(TyperCommand):
    """A command that takes ``--cluster``, with or without the address of a scheduler."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Write out the value that was left out; an address has a scheme."""
        end = args.index("--") if "--" in args else len(args)
        places = [place for place in range(end) if args[place] == OPTION]
        for place in places:
            if "://" not in "".join(args[place + 1 : place + 2]):
                args[place] = f"{OPTION}={HERE}"
        return super().parse_args(ctx, args)
