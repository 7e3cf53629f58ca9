"""python3 -m benchctl.formats FORMAT STORE|EXPORT [RUN…]   writes runs in another program's format to standard output"""
import sys

from ..errors import BenchctlError
from ..results import load
from . import FORMATS, text


def main(arguments: list[str]) -> int:
    if len(arguments) < 2:
        print(f"{__doc__}\nFormats: {', '.join(FORMATS)}", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(text(load(arguments[1], *arguments[2:]), arguments[0]))
    except (BenchctlError, OSError, ValueError) as error:
        print(f"benchctl.formats: {error}", file=sys.stderr)
        return 2
    return 0


sys.exit(main(sys.argv[1:]))
