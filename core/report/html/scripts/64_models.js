// Measurements beside models: roofs, predictions and what others have published.

const isArithmetic = (probe) => probe.startsWith('fma') || probe.startsWith('mma');
const isBandwidth = (probe) => probe.startsWith('dram') || probe.startsWith('cache') || probe === 'shared';

// Lines of a device's roofs between two intensities.
function roofRows(platform, from, to) {
  const roofs = Object.entries(platform.roofs);
  const arithmetic = roofs.filter(([probe]) => isArithmetic(probe));
  const bandwidth = roofs.filter(([probe]) => isBandwidth(probe) && !['dram_write', 'dram_copy', 'dram_triad'].includes(probe));
  const top = Math.max(0, ...arithmetic.map(([, rate]) => rate / 1e9));
  const rows = [];
  const add = (probe, x, value, label, place) =>
    rows.push({ id: null, kind: 'roof', panel: platform.label, series: `${platform.label} ${probe}`, x, value, label, place });
  bandwidth.sort(([, a], [, b]) => b - a);
  for (const [index, [probe, rate]] of bandwidth.entries()) {
    const slope = rate / 1e9;
    const end = top > 0 ? Math.min(to, top / slope) : to;
    if (end <= from) continue;
    add(probe, from, from * slope, null);
    // Parallel lines are named at different heights, so that no name is on another.
    const middle = from * (end / from) ** Math.max(0.06, 0.36 - 0.15 * index);
    add(probe, middle, middle * slope, `${probe} ${significant(slope, 3)} GB/s`, 'slope');
    add(probe, end, end * slope, null);
  }
  const steepest = Math.max(0, ...bandwidth.map(([, rate]) => rate / 1e9));
  arithmetic.sort(([, a], [, b]) => b - a);
  for (const [index, [probe, rate]] of arithmetic.entries()) {
    const height = rate / 1e9;
    // Close under another line there is room for a name below only.
    const below = index > 0 && arithmetic[index - 1][1] / rate < 4;
    const begin = steepest > 0 ? Math.max(from, height / steepest) : from;
    if (begin >= to) continue;
    add(probe, begin, height, null);
    add(probe, to, height, `${probe} ${significant(height, 3)} GFLOP/s`, below ? 'below' : 'top');
  }
  return rows;
}

function drawRoofline() {
  const body = sectionBody('roofline');
  clearCharts(body);
  const placed = timedPoints.filter((point) => number('flops', point) > 0 && number('bytes', point) > 0 && number('gflops', point) !== null);
  const withRoofs = placed.filter((point) => Object.keys(platformOf(point).roofs).some((probe) => isArithmetic(probe) || isBandwidth(probe)));
  showSection('roofline', withRoofs.length > 0);
  if (withRoofs.length === 0) return;
  const intensity = (point) => number('flops', point) / number('bytes', point);
  const { points, note } = thinned(withRoofs, (point) => [platformOf(point).label, text('variant', point), significant(intensity(point), 2)].join('\u0001'));
  const xs = points.map(intensity);
  const platforms = sorted(distinct(points.map((point) => number('platform', point)))).map((index) => report.platforms[index]);
  const ridges = platforms.flatMap(({ roofs }) => Object.entries(roofs).filter(([probe]) => isArithmetic(probe))
    .flatMap(([, rate]) => Object.entries(roofs).filter(([probe]) => isBandwidth(probe)).map(([, bytes]) => rate / bytes)));
  const from = Math.min(...xs, ...ridges) / 4;
  const to = Math.max(...xs, ...ridges) * 4;
  const rows = points.map((point) => ({ id: point, kind: 'point', panel: platformOf(point).label, category: text('variant', point), x: intensity(point), value: number('gflops', point) }));
  rows.sort((a, b) => a.panel.localeCompare(b.panel) || a.x - b.x);
  rows.push(...platforms.flatMap((platform) => roofRows(platform, from, to)));
  const panels = platforms.map((platform) => platform.label);
  const layout = panelLayout(panels.length);
  const scales = categoryScales(categoryNames('variant'));
  drawChart(body, 'roofline', 'roofline', {
    panels, columns: layout.columns, width: layout.width, height: layout.height, legendColumns: layout.legendColumns,
    xTicks: logTicks([from, to]), yTicks: logTicks(rows.map((row) => row.value)),
    categoryTitle: 'variant', ink: style('--text'), muted: style('--muted'), back: style('--back'), domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
  }, rows, {
    label: 'Roofline of each device',
    caption: `${note}Operations per byte are those of the workload: bytes that must be read and written at least, whatever a variant moves. Lines are roofs that were measured on the device. A problem that fits into a cache may lie above the line of memory.`,
  });
}

function drawPredicted() {
  const body = sectionBody('predicted');
  clearCharts(body);
  const known = timedPoints.filter((point) => resource('predicted_ns', point) > 0);
  showSection('predicted', known.length > 0);
  if (known.length === 0) return;
  const { points, note } = thinned(known, (point) => [platformOf(point).label, text('variant', point), significant(resource('predicted_ns', point), 2)].join('\u0001'));
  const { rows } = figuresOf('time', points);
  const unit = commonTimeUnit(points.map((point) => number('median_ns', point)));
  for (const row of rows) Object.assign(row, { x: resource('predicted_ns', row.id) / unit.ns, category: platformOf(row.id).label });
  rows.sort((a, b) => a.category.localeCompare(b.category) || a.x - b.x);
  const from = Math.min(...rows.map((row) => row.x));
  const to = Math.max(...rows.map((row) => row.x)) * (rows.length === 1 ? 1.5 : 1);
  const highest = Math.max(...rows.map((row) => row.value)) * 1.2;
  // Names of lines stand beside the frame, where no point is; a narrow page has room for none, and the caption tells them.
  const wide = contentWidth() >= 620;
  const diagonal = [[1, 'as predicted'], [2, 'twice as long'], [10, 'ten times as long']]
    .filter(([factor]) => factor < 2 || from * factor < highest)
    .flatMap(([factor, label]) => [{ x: from, y: from * factor, series: label }, { x: to, y: to * factor, series: label, label: wide ? label : undefined }]);
  const layout = panelLayout(1);
  const scales = categoryScales(categoryNames('platform'));
  drawChart(body, 'predicted', 'predicted', {
    width: Math.min(760, Math.max(180, contentWidth() - (wide ? 190 : 90))), height: wide ? 380 : 280, legendColumns: layout.legendColumns,
    xTitle: `Predicted time (${unit.name})`, yTitle: `Median time (${unit.name})`, diagonal,
    xTicks: logTicks(rows.map((row) => row.x)), yTicks: logTicks(rows.map((row) => row.value)),
    ink: style('--text'), muted: style('--muted'), back: style('--back'), domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
  }, rows, {
    label: 'Predicted and measured times',
    caption: `${note}Predicted: the least time that the counted traffic and operations take under the roofs measured on the device. Lines: as predicted, twice and ten times as long.`,
  });
  const ratio = (point) => number('median_ns', point) / resource('predicted_ns', point);
  const extremes = [...known].sort((a, b) => Math.abs(Math.log(ratio(b))) - Math.abs(Math.log(ratio(a)))).slice(0, 10);
  body.append(element('h3', {}, 'Farthest from the prediction'), table([{ title: 'point', wrap: true }, { title: 'predicted', number: true }, { title: 'measured', number: true }, { title: 'ratio', number: true }],
    extremes.map((point) => [pointButton(point, pointLabel(point)), duration(resource('predicted_ns', point)), duration(number('median_ns', point)), times(ratio(point))]), { caption: 'Farthest from the prediction' }));
}

// A series by as few words as tell it from the others.
function seriesLabels(axis, series) {
  const short = series.map(({ entries: [{ row }] }) => [platformOf(row).label, axis === 'variant' ? '' : text('variant', row), shortProblem(row, [axis]),
    axis === 'variant' ? '' : tunablesText(row, [axis])].filter(Boolean).join(' '));
  return new Set(short).size === short.length ? short : series.map(({ key }) => key);
}

function drawPublished() {
  const body = sectionBody('published');
  clearCharts(body);
  const shown = new Set(timedPoints);
  const all = report.published
    .map((entry) => ({ ...entry, series: entry.series.filter((series) => series.entries.every(({ row }) => shown.has(row))) }))
    .filter((entry) => entry.series.length > 0);
  showSection('published', all.length > 0);
  all.forEach((entry, index) => {
    const title = entry.source + (entry.hardware ? `, on ${entry.hardware}` : '');
    body.append(element('h3', {}, title));
    const metric = report.metrics[entry.metric]?.label ?? entry.metric;
    const places = distinct(entry.series.flatMap(({ entries }) => entries.map(({ at }) => at)));
    const known = new Map(entry.series.flatMap(({ entries }) => entries.map((own) => [own.at, own])));
    const theirs = 'published';
    const drawnSeries = entry.series.slice(0, 7);
    const labels = seriesLabels(entry.axis, drawnSeries);
    const rows = [
      ...places.map((at) => ({ id: null, kind: 'published', x: at, value: known.get(at).published_ratio, category: theirs })),
      ...drawnSeries.flatMap(({ entries }, place) => entries.filter((own) => own.measured_ratio !== null)
        .map((own) => ({ id: own.row, kind: 'measured', x: own.at, value: own.measured_ratio, category: labels[place] }))),
    ];
    const scales = categoryScales(distinct(rows.map((row) => row.category)));
    const logRatios = spansDecades(rows.map((row) => row.value), 8);
    const width = Math.min(700, Math.max(180, contentWidth() - 90));
    drawChart(body, `published_${index}`, 'published', {
      width, height: 260, places, xTitle: entry.axis, yTitle: `${metric}, ratio to ${entry.axis} = ${entry.base}`,
      yScale: scaleOf(logRatios, rows.map((row) => row.value)), yTicks: ticksOf(logRatios, rows.map((row) => row.value)),
      domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
    }, rows, { label: `Published and measured: ${title}`, caption: `Each figure over the one at ${entry.axis} = ${entry.base}: machines of different ages compare as ratios only.` +
      (entry.series.length > 7 ? ` Drawn: 7 of ${count(entry.series.length)} series.` : '') });
    const predicted = entry.series.some(({ entries }) => entries.some((own) => own.predicted));
    const figure = (value) => (entry.metric.endsWith('_ns') ? duration(value) : significant(value));
    body.append(table([{ title: 'measured on', wrap: true }, { title: entry.axis }, { title: `published${entry.unit ? `, ${entry.unit}` : ''}`, number: true }, { title: 'published ratio', number: true },
      ...(predicted ? [{ title: 'predicted there', number: true }, { title: 'predicted ratio', number: true }] : []),
      { title: 'measured', number: true }, { title: 'measured ratio', number: true }],
    entry.series.flatMap(({ key, entries }) => entries.map((own, place) => [place === 0 ? key : '', own.at, significant(own.published), times(own.published_ratio),
      ...(predicted ? [own.predicted ? duration(own.predicted) : '', own.predicted_ratio ? times(own.predicted_ratio) : ''] : []),
      pointButton(own.row, figure(own.measured)), own.measured_ratio === null ? '' : times(own.measured_ratio)])), { caption: title }));
  });
}
