// Devices side by side on identical problems, and measurements beside models: roofs, predictions, what others have published.

function drawVendors() {
  // The fastest point of each device, for each problem that several have done.
  const shared = comparisonsOf(timedPoints.filter(competes)).map((points) => fastestOfEach(points, (point) => of('platform', point))).filter((best) => best.length > 1);
  const body = openSection('vendors', shared.length > 0);
  if (!body) return;
  const platforms = distinct(shared.flat().map((point) => of('platform', point))).sort((a, b) => a - b);
  const baseline = platforms.includes(choices.vendors.baseline) ? choices.vendors.baseline : platforms[0];
  const baseOf = (best) => best.find((point) => of('platform', point) === baseline);
  const limit = 30;
  const withBase = shared.filter(baseOf);
  const rows = withBase.slice(0, limit).flatMap((best) => best.map((point) =>
    ({ id: point, value: of('time', baseOf(best)) / of('time', point), category: deviceOf(point), problem: comparisonLabel(point) })));
  const values = rows.map((row) => row.value);
  const { label } = report.platforms[baseline];
  body.append(controls(select('Baseline', platforms.map((platform) => ({ label: report.platforms[platform].label, value: platform })), baseline, chooser('vendors', drawVendors)('baseline'))));
  drawChart(body, 'vendors', 'speedup', rows, {
    width: fullWidth(), problems: distinct(rows.map((row) => row.problem)), ...valueAxis('x', spansDecades(values, 8), values, ratioLabels, true), xTitle: `Times as fast as the fastest of ${label}`,
    names: deviceNames, label: `Devices compared with ${label}`,
    caption: `The fastest variant of each device against the fastest of ${label}: ratio of the medians. ${filter.measure}.${withBase.length > limit ? ` Drawn: ${limit} of ${count(withBase.length)} problems.` : ''}`,
  });
}

function drawRoofline() {
  const placed = timedPoints.filter((point) => of('intensity', point) !== null && of('gflops', point) !== null && platformOf(point).roofs.length > 0);
  const body = openSection('roofline', placed.length > 0);
  if (!body) return;
  const { points, note } = thinned(placed, (point) => keyOf(deviceOf(point), of('variant', point), of('comparison', point)));
  const platforms = distinct(points.map((point) => of('platform', point))).sort((a, b) => a - b).map((index) => report.platforms[index]);
  const kindIn = (point) => words(of('variant', point), typeOf(point));
  // Without an arithmetic roof the lines of memory would have no end.
  const lacking = (bytes, what) => platforms.filter(({ roofs }) => !roofs.some((roof) => roof.of_bytes === bytes)).map(({ label }) => ` No ${what} roof was measured on ${label}.`).join('');
  const marks = points.map((point) => ({ id: point, kind: 'point', panel: deviceOf(point), category: kindIn(point), x: of('intensity', point), value: of('gflops', point) }))
    .sort((a, b) => a.panel.localeCompare(b.panel) || a.x - b.x);
  const lines = platforms.flatMap(({ label, roofs }) => roofs.map((roof) => ({ ...roof, panel: label })));
  const heights = [...marks.map((row) => row.value), ...lines.flatMap(({ ends }) => ends.map(({ value }) => value))];
  const yDomain = [Math.min(...heights) / 1.5, Math.max(...heights) * 2.5];
  const layout = panelLayout(platforms.length);
  // Rates in bytes are named at their left ends, others at their right: those that are 16 pixels below the one before.
  const gap = 16 / layout.height * Math.log(yDomain[1] / yDomain[0]);
  const unnamed = [];
  let last;
  for (const line of lines) {
    const end = line.ends[line.of_bytes ? 0 : 1];
    const near = last?.panel === line.panel && last.of_bytes === line.of_bytes && Math.log(last.height / end.value) < gap;
    if (near) unnamed.push(line.label);
    else last = { ...line, height: end.value };
    marks.push(...line.ends.map((own) => ({ kind: 'roof', panel: line.panel, series: `${line.panel} ${line.label}`, ...own })), ...(near ? [] : [{ kind: 'name', panel: line.panel, label: line.label, right: !line.of_bytes, ...end }]));
  }
  drawChart(body, 'roofline', 'roofline', marks, {
    panels: platforms.map(({ label }) => label), ...layout, xDomain: report.intensities, yDomain, xLabels: logLabels(plainLabels, report.intensities), yLabels: logLabels(plainLabels, yDomain),
    categoryTitle: 'variant', names: sorted(distinct(everyTimed.map(kindIn))), label: 'Roofline of each device',
    caption: `${note}Operations per byte are those of the workload: bytes that must be read and written at least, whatever a variant moves. Lines are roofs that were measured on the device.${lacking(false, 'arithmetic')}${lacking(true, 'memory')} A problem that fits into a cache may lie above the line of memory.${unnamed.length > 0 ? ` Without a name, for want of room: ${distinct(unnamed).join(', ')}.` : ''}`,
  });
}

function drawPredicted() {
  const known = timedPoints.filter((point) => of('predicted_ns', point) > 0);
  const body = openSection('predicted', known.length > 0);
  if (!body) return;
  const { points, note } = thinned(known, (point) => keyOf(deviceOf(point), of('variant', point), of('comparison', point)));
  const kindOn = (point) => words(deviceOf(point), typeOf(point));
  const rows = figuresOf('time', points).map((row) => ({ ...row, x: of('predicted_ns', row.id), category: kindOn(row.id) })).sort((a, b) => a.category.localeCompare(b.category) || a.x - b.x);
  const [xs, ys] = [rows.map((row) => row.x), rows.map((row) => row.value)];
  const [from, to] = [Math.min(...xs), Math.max(...xs) * (rows.length === 1 ? 1.5 : 1)];
  // Names of lines stand beside the frame, where no point is; a narrow page has room for none, and the caption tells them.
  const wide = contentWidth() >= 620;
  const diagonal = [[1, 'as predicted'], [2, 'twice as long'], [10, 'ten times as long']].filter(([factor]) => factor < 2 || from * factor < Math.max(...ys) * 1.2)
    .flatMap(([factor, series]) => [{ x: from, y: from * factor, series }, { x: to, y: to * factor, series, label: wide ? series : undefined }]);
  drawChart(body, 'predicted', 'predicted', rows, {
    width: Math.min(760, Math.max(180, contentWidth() - (wide ? 190 : 90))), height: wide ? 380 : 280, xLabels: logLabels(timeLabels, xs), yLabels: logLabels(timeLabels, ys), diagonal,
    names: sorted(distinct(everyTimed.map(kindOn))), label: 'Predicted and measured times',
    caption: `${note}Predicted: the least time that the counted traffic and operations take under the roofs measured on the device. Lines: as predicted, twice and ten times as long.`,
  });
  const farthest = known.sort((a, b) => of('missed_by', b) - of('missed_by', a)).slice(0, 10);
  body.append(heading('Farthest from the prediction'), table([longHead('point'), ...['predicted', 'measured', 'ratio'].map(numberHead)],
    farthest.map((point) => [pointButton(point, pointLabel(point)), ...['predicted', 'median', 'vs_predicted'].map((name) => of(name, point))]), { caption: 'Farthest from the prediction' }));
}

// A series by as few words as tell it from the others.
function seriesLabels(axis, series) {
  const short = series.map(({ entries: [{ row }] }) => words(deviceOf(row), axis === 'variant' ? '' : of('variant', row), shortProblem(row, [axis]), axis === 'variant' ? '' : tunablesText(row, [axis])));
  return new Set(short).size === short.length ? short : series.map(({ key }) => key);
}

function drawPublished() {
  const shown = new Set(timedPoints);
  const all = report.published.map((entry) => ({ ...entry, series: entry.series.filter(({ entries }) => entries.every(({ row }) => shown.has(row))) })).filter(({ series }) => series.length > 0);
  const body = openSection('published', all.length > 0);
  if (!body) return;
  const limit = 7;
  all.forEach(({ title, figure, heads, axis, base, series }, index) => {
    const drawn = series.slice(0, limit);
    const labels = seriesLabels(axis, drawn);
    const theirs = new Map(series.flatMap(({ entries }) => entries.map(({ at, published }) => [at, published])));
    const rows = [
      ...[...theirs].map(([x, value]) => ({ kind: 'published', x, value, category: 'published' })),
      ...drawn.flatMap(({ entries }, place) => entries.filter(({ measured }) => measured !== null).map(({ row, at, measured }) => ({ id: row, kind: 'measured', x: at, value: measured, category: labels[place] }))),
    ];
    const values = rows.map((row) => row.value);
    body.append(heading(title));
    drawChart(body, `published_${index}`, 'published', rows, {
      width: Math.min(700, Math.max(180, contentWidth() - 90)), height: 260, places: [...theirs.keys()], xTitle: axis, yTitle: `${figure}, ratio to ${base}`,
      ...valueAxis('y', spansDecades(values, 8), values, ratioLabels), names: distinct(rows.map((row) => row.category)), label: `Published and measured: ${title}`,
      caption: `Each figure over the one at ${base}: machines of different ages compare as ratios only.${series.length > limit ? ` Drawn: ${limit} of ${count(series.length)} series.` : ''}`,
    });
    body.append(table(heads, series.flatMap(({ entries }) => entries.map(({ cells }) => cells.map(shownCell))), { caption: title }));
  });
}
