"""docs/images/execution_modes.svg, the picture of the README: every way to multiply two matrices on one machine, a dot each
on a logarithmic axis of time."""
import html
import math

from .common import AVX, CUDA, OPENCL, POCL, duration, median, points

SIZE = 1024
DEVICES = {  # colours that differ in any kind of colour vision (after Okabe and Ito)
    CUDA: ("#0072b2", "H200, CUDA"),
    OPENCL: ("#d55e00", "H200, OpenCL"),
    POCL: ("#00805c", "Xeon, OpenCL (PoCL)"),
    AVX: ("#a63d86", "Xeon, AVX"),
}
WIDTH, MARGIN, ROW, TOP = 866, 20, 28, 60
LEAST, MOST = 2e4, 1e10  # nanoseconds at the ends of the axis


def place(nanoseconds):
    return MARGIN + math.log(nanoseconds / LEAST) / math.log(MOST / LEAST) * (WIDTH - 2 * MARGIN)


def name_of(row):
    """`tiled tile=16`, `vendor (cuBLAS)`, `avx2, all threads`."""
    notes = dict(note.split("=", 1) for note in row["notes"].split("; ") if "=" in note)
    name = row["variant"] + (f" tile={row['tile']}" if row["tile"] else "")
    if row["vendor"] == "true":
        name += f" ({notes['library'].replace(',', '').split()[0]})"
    return name + {"": "", "1": ", 1 thread"}.get(row["threads"], ", all threads")


def text():
    rows = sorted(points("execution_modes", n=SIZE, basis="device"), key=median)
    bottom = TOP + ROW * len(rows)
    lines = [f'<text x="{MARGIN}" y="26" font-weight="700" font-size="16">C = A·B, n = {SIZE}: all ways to do it on one machine</text>']
    left = MARGIN
    for colour, label in DEVICES.values():
        lines.append(f'<circle cx="{left + 6}" cy="45" r="6" fill="{colour}"/><text x="{left + 18}" y="49">{label}</text>')
        left += 40 + 8 * len(label)
    for power in range(5, 11):
        x = place(10**power)
        lines.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom + 4}" stroke="#d0d7de"/>'
                     f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" font-size="12">{duration(10**power, 1)}</text>')
    for number, row in enumerate(rows):
        x, y = place(median(row)), TOP + number * ROW + 18
        low, high = (place(float(row[key] or median(row))) for key in ("ci_low_ns", "ci_high_ns"))
        label = f"{name_of(row)} · {duration(median(row))}{' · unstable' if row['status'] == 'unstable' else ''}"
        beside, anchor = (high + 12, "start") if x < WIDTH / 2 else (low - 12, "end")
        lines.append(f'<text x="{beside:.1f}" y="{y + 5}" text-anchor="{anchor}">{html.escape(label)}</text>')
        lines.append(f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke="#1b1f24" stroke-width="3"/>')
        lines.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{DEVICES[row["device"]][0]}" stroke="#1b1f24"/>')
    lines.append(f'<text x="{WIDTH / 2}" y="{bottom + 38}" text-anchor="middle" font-size="12">'
                 "median time, logarithmic; lines: its 95 % interval</text>")
    height = bottom + 50
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="system-ui, DejaVu Sans, sans-serif" font-size="13" fill="#1b1f24">\n'
            '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(lines) + "\n</svg>\n")
