// Points over the runs of a store (`report.history`, which `benchctl history` puts in), and everything about one point.

// The page's own point of a run and its number there.
const pointOfRun = new Map(report.history ? allPoints.map((point) => [keyOf(of('run', point), of('ordinal', point)), point]) : []);
const historyPoint = (entry) => pointOfRun.get(keyOf(entry.run, entry.point));
const runName = (entry) => `${report.runs[entry.run].label}, ${report.runs[entry.run].created_at.slice(0, 16).replace('T', ' ')}`;

function drawHistoryChart(body, { label, points }) {
  const kind = { same: 'as in the run before', changed: 'something else changed, too', cut: 'not comparable with the runs before' };
  let stretch = 0;
  const rows = points.map((point) => ({
    id: historyPoint(point), run: runName(point), value: point.median_ns, low: point.ci_low_ns === null ? null : Math.max(0, point.ci_low_ns), high: point.ci_high_ns,
    stretch: point.cut ? stretch += 1 : stretch, category: point.cut ? kind.cut : point.changes.length > 0 ? kind.changed : kind.same,
  }));
  const ends = rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  drawChart(body, 'history', 'history', rows, {
    // An axis from zero where the times spread that far; else from the least, or a change of a percent could not be seen.
    width: Math.max(180, Math.min(contentWidth() - 110, 160 + rows.length * 60)), runs: rows.map((row) => row.run), ...valueAxis('y', false, ends, timeLabels, Math.min(...ends) > Math.max(...ends) / 2),
    names: Object.values(kind), label: `Median time over runs of ${label}`, caption: `${label}. Rules are 95 % intervals within a run.`,
  });
}

function drawHistory() {
  const shown = new Set(shownPoints);
  const ranked = (report.history?.series ?? []).filter(({ points }) => shown.has(historyPoint(points.at(-1))));
  const body = openSection('history', ranked.length > 0);
  if (!body) return;
  const choose = chooser('history', drawHistory)('series');
  const chosen = ranked.find(({ label }) => label === choices.history.series) ?? ranked[0];
  body.append(controls(select('Point', options(ranked.map(({ label }) => label)), chosen.label, choose)));
  drawHistoryChart(body, chosen);
  const changes = chosen.points.flatMap((point) => point.changes.map((change) => `${runName(point)}: ${change}${point.cut ? ' (not comparable with the runs before)' : ''}`));
  if (changes.length > 0) body.append(heading('What else changed'), element('ul', {}, changes.map((change) => element('li', {}, change))));
  body.append(heading('All points'), table([longHead('point'), ...report.history.heads.map(numberHead)],
    ranked.map((series) => [button(series.label, () => choose(series.label), { class: 'plain' }), ...series.cells]), { caption: 'Points over runs' }));
}

const samplesPlace = new Map(report.samples.point.map((point, place) => [point, place]));
const halfOfDialog = () => Math.max(180, Math.min(400, byId('detail').clientWidth / (window.innerWidth < 760 ? 1 : 2) - 110));

function sampleCharts(body, point) {
  const place = samplesPlace.get(point);
  if (place === undefined) {
    if (of('n_samples', point) !== null) body.append(muted(`The samples of this point are not in this file, which holds those of ${count(samplesPlace.size)} of ${count(report.samples.points)} points; the store has them all.`));
    return;
  }
  const [all, from, step, near] = ['of', 'from', 'step', 'near'].map((name) => report.samples[name][place]);
  const rows = report.samples.steps[place].map((steps, index) => ({ index: index + 1, value: from + step * steps }));
  if (rows.length < all) body.append(muted(`${count(rows.length)} of ${count(all)} samples, evenly chosen.`));
  const [median, low, high] = ['time', 'time_low', 'time_high'].map((name) => of(name, point));
  const common = { width: halfOfDialog(), median, low, high, labels: timeLabels };
  const [left, right] = [element('div'), element('div')];
  body.append(heading('Samples'), element('div', { class: 'pair' }, left, right));
  drawChart(left, 'samples', 'samples', rows, { ...common, label: 'Samples in the order in which they were taken', caption: 'In the order in which they were taken; line and band: median and range.' });
  // One far sample must not press all others into one bar: the outermost bars hold what lies farther out.
  const drawn = rows.map(({ value }) => ({ value: near ? Math.min(Math.max(value, near[0]), near[1]) : value }));
  const far = rows.filter(({ value }, index) => value !== drawn[index].value).length;
  drawChart(right, 'distribution', 'distribution', drawn, { ...common, label: 'Distribution of the samples',
    caption: `Their distribution; line: median.${far > 0 ? ` Farther out than shown, in the outermost bars: ${count(far)}.` : ''}` });
}

// What was read of the device while the samples were taken: clocks, power, temperature. One number stands for all blocks.
function traceCharts(body, point) {
  const traces = report.samples.traces.map(({ values, ...about }) => ({ ...about, values: values[samplesPlace.get(point)] ?? [] }));
  const constant = traces.filter(({ values }) => !Array.isArray(values)).map(({ label, values, unit }) => `${label} ${values} ${unit}`);
  const changing = traces.filter(({ values }) => values.length > 0);
  if (constant.length + changing.length === 0) return;
  const pair = element('div', { class: 'pair' });
  body.append(heading('Clocks, power and temperature'), constant.length > 0 ? element('p', {}, `The same in every block of samples: ${constant.join(', ')}.`) : '', pair);
  for (const { metric, values, label, unit, doc } of changing) {
    const place = element('div');
    pair.append(place);
    drawChart(place, `trace_${metric}`, 'trace', values.map((value, index) => ({ index: index + 1, value })), { width: halfOfDialog(), yTitle: `${label} (${unit})`, label: `${label} of every block of samples`, caption: doc });
  }
}

function showDetail(point) {
  hideTooltip();
  const dialog = byId('detail');
  clearCharts(dialog);
  const close = button('Close', () => dialog.close());
  const compare = button('Compare others with this', () => {
    dialog.close();
    Object.assign(choices.show, { row: point, quantity: 'relative' });
    update();
  });
  const status = of('status', point);
  dialog.append(element('div', { class: 'head' }, element('h2', { id: 'detail-title' }, pointLabel(point)), isTimed(point) ? compare : null, close),
    element('p', {}, element('span', { class: 'status' }, status), `: ${report.statuses[status] ?? ''}`), of('reason', point) ? element('pre', {}, of('reason', point)) : '');
  if (!dialog.open) dialog.showModal();
  dialog.append(facts([...factsOf(point, 'd'), ...relativeFact(point)], 'Figures'));
  sampleCharts(dialog, point);
  traceCharts(dialog, point);
  const resources = factsOf(point, 'r').filter(([, text]) => text);
  if (resources.length > 0) dialog.append(heading('Resources and counted figures'), table([shortHead('figure'), numberHead('value'), longHead('meaning')], resources, { caption: 'Resources' }));
  close.focus();
}
