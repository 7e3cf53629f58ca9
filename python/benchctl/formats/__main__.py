"""python3 -m benchctl.formats FORMAT STORE|EXPORT [RUN…]   writes runs in another program's format to standard output
python3 -m benchctl.formats t1 PROBLEM                   writes a config for a tuning problem of Kernel Tuner or KTT"""
import sys

from ..errors import BenchctlError
from ..results import load
from . import FORMATS, t1, text


def main(arguments: list[str]) -> int:
    if len(arguments) < 2:
        print(f"{__doc__}\nFormats: {', '.join(FORMATS)}", file=sys.stderr)
        return 2
    try:
        if arguments[0] == "t1":
            config, left_out = t1.read(arguments[1])
            sys.stdout.write(t1.text(config, left_out))
            sys.stderr.writelines(f"benchctl.formats: left out: {t1.visible(sentence)}\n" for sentence in left_out)
        else:
            sys.stdout.write(text(load(arguments[1], *arguments[2:]), arguments[0]))
    except (BenchctlError, OSError, ValueError) as error:
        print(f"benchctl.formats: {error}", file=sys.stderr)
        return 2
    return 0


sys.exit(main(sys.argv[1:]))
