"""docs/images/execution_modes.svg, the picture of the README: one product of matrices on a card and its host, through each
API: a plain loop, our fastest kernel, the vendor's library; a dot each on a logarithmic axis of time."""
import html
import math

from .common import AVX, CUDA, OPENCL, POCL, best, duration, median, points

FILE, SIZE = "2026-11-27-h100/execution_modes", 1024
LANES = {  # colours that differ in any kind of colour vision (after Okabe and Ito)
    CUDA: ("#0072b2", "NVIDIA H100, CUDA", "cuBLAS"),
    OPENCL: ("#d55e00", "NVIDIA H100, OpenCL", "CLBlast"),
    "vulkan:nvidia:0": ("#b07500", "NVIDIA H100, Vulkan", ""),
    POCL: ("#00805c", "Intel Xeon, 16 cores, OpenCL (PoCL)", "CLBlast"),
    AVX: ("#a63d86", "Intel Xeon, 16 cores, AVX", "OpenBLAS"),
}
WIDTH, MARGIN, ROW, TOP = 866, 20, 26, 40
LEAST, MOST = 3e4, 1.5e10  # nanoseconds at the ends of the axis


def place(nanoseconds):
    return MARGIN + math.log(nanoseconds / LEAST) / math.log(MOST / LEAST) * (WIDTH - 2 * MARGIN)


def rows_of(device, library):
    """[(name, point)]: the plain loop, our fastest kernel in full precision, the library."""
    wanted = {"n": SIZE, "basis": "device", "device": device}
    own = {row["variant"] for row in points(FILE, **wanted)} - {"naive", "naive_mt", "vendor", "vendor_tf32", "tensor_tf32_tuned"}
    ours = best(FILE, variant=own, **wanted)
    rows = [("plain loop", best(FILE, variant="naive", **wanted)), (f"ours, {ours['variant']}", ours)]
    return rows + ([(library, best(FILE, variant="vendor", **wanted))] if library else [])


def text():
    lines = [f'<text x="{MARGIN}" y="24" font-weight="700" font-size="16">C = A·B in f32, n = {SIZE}: one config, five lanes</text>']
    y = TOP
    for device, (colour, label, library) in LANES.items():
        y += ROW
        lines.append(f'<text x="{MARGIN}" y="{y + 5}" font-weight="700">{label}</text>')
        for name, row in rows_of(device, library):
            y += ROW
            x = place(median(row))
            beside, anchor = (x + 12, "start") if x < WIDTH / 2 else (x - 12, "end")
            shown = f"{name} · {duration(median(row))}{' · noisy' if row['status'] == 'unstable' else ''}"
            lines.append(f'<text x="{beside:.1f}" y="{y + 5}" text-anchor="{anchor}">{html.escape(shown)}</text>')
            lines.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{colour}" stroke="#1b1f24"/>')
    bottom = y + ROW
    axis = []
    for power in range(5, 11):
        x = place(10**power)
        axis.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#d0d7de"/>'
                    f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" font-size="12">{duration(10**power, 1)}</text>')
    axis.append(f'<text x="{WIDTH / 2}" y="{bottom + 36}" text-anchor="middle" font-size="12">median time, logarithmic</text>')
    height = bottom + 48
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="system-ui, DejaVu Sans, sans-serif" font-size="13" fill="#1b1f24">\n'
            '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(axis + lines) + "\n</svg>\n")
