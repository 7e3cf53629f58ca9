"""benchctl from Python: measure configs and kernels, and look at the results. docs/python.md shows how."""
from . import formats, plot, toml
from .errors import BenchctlError, Incomplete, Interrupted, PointsFailed, ProgramMissing, Refused
from .progress import Progress
from .results import Comparison, Row, Run, load
from .running import run
from .simulation import Simulation, Space, simulate
from .tuning import tune

__all__ = ["BenchctlError", "Comparison", "Incomplete", "Interrupted", "PointsFailed", "ProgramMissing", "Progress", "Refused", "Row", "Run",
           "Simulation", "Space", "formats", "load", "plot", "run", "simulate", "toml", "tune"]
