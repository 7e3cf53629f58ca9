// Measurements beside models: roofs, predictions and what others have published.

const isArithmetic = (probe) => probe.startsWith('fma') || probe.startsWith('mma');
const isBandwidth = (probe) => probe.startsWith('dram') || probe.startsWith('cache') || probe === 'shared';

// Puts names of lines beside them so that no name is on another, a mark or an edge; `box` tells width and height in
// pixels and the logarithms of the ends of both axes. What finds no place is returned.
function placeNames(lines, marks, box) {
  const toX = (x) => (Math.log(x) - box.x[0]) / (box.x[1] - box.x[0]) * box.width;
  const toY = (y) => (1 - (Math.log(y) - box.y[0]) / (box.y[1] - box.y[0])) * box.height;
  const taken = marks.map(({ x, value }) => ({ left: toX(x) - 6, right: toX(x) + 6, top: toY(value) - 6, bottom: toY(value) + 6 }));
  const meets = (a) => a.left < 2 || a.top < 2 || a.right > box.width - 2 || a.bottom > box.height - 2 ||
    taken.some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
  const unnamed = [];
  for (const line of lines) {
    const [from, to] = [line.from, line.to].map(({ x, value }) => ({ x: toX(x), y: toY(value) }));
    const flat = from.y === to.y;
    const length = line.label.length * letterWidth;
    // Along the line, above a flat one and below any.
    const places = [0.97, 0.8, 0.65, 0.5, 0.35, 0.2, 0.05].flatMap((share) => {
      const at = { x: from.x + (to.x - from.x) * share - (flat && share > 0.5 ? length : 0), y: from.y + (to.y - from.y) * share };
      return [...(flat ? [{ ...at, up: true }] : []), { ...at, up: false }];
    });
    const rect = ({ x, y, up }) => ({ left: x + 4, right: x + 4 + length, top: up ? y - 16 : y + 3, bottom: up ? y - 3 : y + 16 });
    const place = places.find((candidate) => !meets(rect(candidate)));
    if (!place) {
      unnamed.push(line.label);
      continue;
    }
    taken.push(rect(place));
    const back = (share, [low, high]) => Math.exp(low + share * (high - low));
    line.name = { x: back(place.x / box.width, box.x), value: back(1 - place.y / box.height, box.y), up: place.up };
  }
  return unnamed;
}

// Lines of a device's roofs between two intensities.
function roofLines(platform, from, to) {
  const roofs = Object.entries(platform.roofs).map(([probe, rate]) => [probe, rate / 1e9]).sort(([, a], [, b]) => b - a);
  const arithmetic = roofs.filter(([probe]) => isArithmetic(probe));
  const bandwidth = roofs.filter(([probe]) => isBandwidth(probe) && !['dram_write', 'dram_copy', 'dram_triad'].includes(probe));
  const top = arithmetic.length > 0 ? arithmetic[0][1] : Infinity;
  const steepest = bandwidth.length > 0 ? bandwidth[0][1] : Infinity;
  return [
    ...bandwidth.map(([probe, slope]) => ({ label: `${probe} ${significant(slope, 3)} GB/s`, from: { x: from, value: from * slope }, to: { x: Math.min(to, top / slope), value: Math.min(to * slope, top) } })),
    ...arithmetic.map(([probe, height]) => ({ label: `${probe} ${significant(height, 3)} GFLOP/s`, from: { x: Math.max(from, height / steepest), value: height }, to: { x: to, value: height } })),
  ].filter((line) => line.from.x < line.to.x);
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
  const rows = points.map((point) => ({ id: point, kind: 'point', panel: platformOf(point).label, category: categoryOf('variant')(point), x: intensity(point), value: number('gflops', point) }));
  rows.sort((a, b) => a.panel.localeCompare(b.panel) || a.x - b.x);
  const panels = platforms.map((platform) => platform.label);
  const layout = panelLayout(panels.length);
  const lines = new Map(platforms.map((platform) => [platform.label, roofLines(platform, from, to)]));
  const heights = [...rows.map((row) => row.value), ...[...lines.values()].flat().flatMap((line) => [line.from.value, line.to.value])];
  const domain = { x: [from, to], y: [Math.min(...heights) / 1.5, Math.max(...heights) * 1.5] };
  const unnamed = [];
  for (const [panel, own] of lines) {
    const box = { width: layout.width, height: layout.height, x: domain.x.map(Math.log), y: domain.y.map(Math.log) };
    unnamed.push(...placeNames(own, rows.filter((row) => row.panel === panel), box));
    for (const { label, name, ...ends } of own) {
      for (const end of [ends.from, ends.to]) rows.push({ id: null, kind: 'roof', panel, series: `${panel} ${label}`, ...end });
      if (name) rows.push({ id: null, kind: 'name', panel, label, ...name });
    }
  }
  const scales = categoryScales(categoryNames('variant'));
  drawChart(body, 'roofline', 'roofline', {
    panels, columns: layout.columns, width: layout.width, height: layout.height, legendColumns: layout.legendColumns,
    xTicks: logTicks(domain.x), yTicks: logTicks(domain.y), xDomain: domain.x, yDomain: domain.y,
    categoryTitle: 'variant', ink: style('--text'), muted: style('--muted'), back: style('--back'), domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
  }, rows, {
    label: 'Roofline of each device',
    caption: `${note}Operations per byte are those of the workload: bytes that must be read and written at least, whatever a variant moves. Lines are roofs that were measured on the device. A problem that fits into a cache may lie above the line of memory.${unnamed.length > 0 ? ` Without a name, for want of room: ${distinct(unnamed).join(', ')}.` : ''}`,
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
  const scales = deviceScales(rows);
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
    const figure = (value) => (entry.metric.endsWith('_ns') ? duration(value) : significant(value));
    body.append(table([{ title: 'measured on', wrap: true }, { title: entry.axis }, { title: `published${entry.unit ? `, ${entry.unit}` : ''}`, number: true }, { title: 'published ratio', number: true },
      { title: 'measured', number: true }, { title: 'measured ratio', number: true }],
    entry.series.flatMap(({ key, entries }) => entries.map((own, place) => [place === 0 ? key : '', own.at, significant(own.published), times(own.published_ratio),
      pointButton(own.row, figure(own.measured)), own.measured_ratio === null ? '' : times(own.measured_ratio)])), { caption: title }));
  });
}
