// Everything about one point.

const samplesPlace = new Map(report.samples.point.map((point, place) => [point, place]));

function sampleCharts(body, point) {
  const place = samplesPlace.get(point);
  if (place === undefined) {
    if (number('n_samples', point) !== null) {
      body.append(element('p', { class: 'muted' }, `The samples of this point are not in this file, which holds those of ${count(report.samples_of.shown)} of ${count(report.samples_of.points)} points; the store has them all.`));
    }
    return;
  }
  const [all, from, step] = ['of', 'from', 'step'].map((name) => report.samples[name][place]);
  const times = report.samples.steps[place].map((steps) => from + step * steps);
  if (times.length < all) {
    body.append(element('p', { class: 'muted' }, `${count(times.length)} of ${count(all)} samples, evenly chosen.`));
  }
  const unit = commonTimeUnit(times);
  const scaled = (name) => (number(name, point) === null ? null : number(name, point) / unit.ns);
  const width = Math.max(180, Math.min(400, document.getElementById('detail').clientWidth / (window.innerWidth < 760 ? 1 : 2) - 110));
  const common = { width, median: scaled('median_ns'), low: scaled('low_ns'), high: scaled('high_ns'), accent: palettes[theme][0], ink: style('--text'), muted: style('--muted') };
  const rows = times.map((ns, index) => ({ index: index + 1, value: ns / unit.ns }));
  const pair = element('div', { class: 'pair' });
  body.append(element('h3', {}, 'Samples'), pair);
  const [left, right] = [element('div'), element('div')];
  pair.append(left, right);
  drawChart(left, 'samples', 'samples', { ...common, yTitle: `Time (${unit.name})` }, rows, { label: 'Samples in the order in which they were taken', caption: 'In the order in which they were taken; line and band: median and range.' });
  drawChart(right, 'distribution', 'distribution', { ...common, xTitle: `Time (${unit.name})` }, rows, { label: 'Distribution of the samples', caption: 'Their distribution; line: median. Outliers are kept.' });
}

// What was read of the device while the samples were taken: clocks, power, temperature.
function traceCharts(body, point) {
  const traces = Object.entries(report.samples.traces).map(([metric, ofPoints]) => [metric, ofPoints[samplesPlace.get(point)] ?? []])
    .filter(([, values]) => values.length > 0);
  if (traces.length === 0) return;
  body.append(element('h3', {}, 'Clocks, power and temperature'));
  const label = (metric) => report.metrics[metric]?.label ?? metric;
  const unit = (metric) => report.metrics[metric]?.unit ?? '';
  const constant = traces.filter(([, values]) => values.every((value) => value === values[0]));
  if (constant.length > 0) {
    body.append(element('p', {}, `The same in every block of samples: ${constant.map(([metric, values]) => `${label(metric)} ${significant(values[0])} ${unit(metric)}`).join(', ')}.`));
  }
  const pair = element('div', { class: 'pair' });
  body.append(pair);
  const width = Math.max(180, Math.min(400, document.getElementById('detail').clientWidth / (window.innerWidth < 760 ? 1 : 2) - 110));
  for (const [metric, values] of traces) {
    if (constant.some(([name]) => name === metric)) continue;
    const place = element('div');
    pair.append(place);
    const rows = values.map((value, index) => ({ index: index + 1, value }));
    drawChart(place, `trace_${metric}`, 'trace', { width, yTitle: `${label(metric)} (${unit(metric)})`, accent: palettes[theme][0] }, rows,
      { label: `${label(metric)} of every block of samples`, caption: report.metrics[metric]?.doc ?? '' });
  }
}

function showDetail(point) {
  const dialog = document.getElementById('detail');
  clearCharts(dialog);
  const close = element('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  dialog.append(element('div', { class: 'head' }, element('h2', { id: 'detail-title' }, pointLabel(point)), close));
  const status = text('status', point);
  dialog.append(element('p', {}, element('span', { class: 'status' }, status), `: ${report.statuses[status] ?? ''}`));
  if (text('reason', point)) dialog.append(element('pre', {}, text('reason', point)));
  if (!dialog.open) dialog.showModal();
  const facts = [
    ['median', duration(number('median_ns', point))], ['range', rangeText(point)],
    ['minimum', duration(number('min_ns', point))], ['quartiles', `${duration(number('p25_ns', point))} to ${duration(number('p75_ns', point))}`],
    ['maximum', duration(number('max_ns', point))], ['spread (MAD)', duration(number('mad_ns', point))],
    ['samples', `${count(number('n_samples', point) ?? 0)}, of ${count(number('batch', point) ?? 1)} executions each`], ['sampling ended by', text('stop', point)],
    ['over the fastest of its device', times(number('versus_best', point))], ['remarks', text('remarks', point)],
  ];
  const more = [
    ['measured as', measureText(point)], ['run', `${runOf(point).label} (${runOf(point).name})`],
    ['device', platformOf(point).known ? `${platformOf(point).device.name}, ${platformOf(point).device.driver}` : nothing],
    ['verified', number('verified', point) === null ? 'no' : number('verified', point) === 1 ? 'yes, before and after timing' : 'failed'],
    ['error', number('error_norm', point) === null ? '' : number('error_norm', point).toExponential(2)],
    ['rate', ['gflops', 'gbytes', 'access'].filter((name) => quantities[name].of(point) !== null).map((name) => quantityText(name, point)).join(', ')],
    ['note', text('note', point)], ['reused from an older run', number('reused', point) === 1 ? 'yes' : ''],
  ];
  const list = (rows) => table([{ title: '', key: true }, { title: '', wrap: true }], rows.filter(([, value]) => value && value !== nothing));
  dialog.append(element('div', { class: 'pair' }, number('n_samples', point) === null ? null : list(facts), list(more)));
  sampleCharts(dialog, point);
  traceCharts(dialog, point);
  const metrics = Object.keys(columns.resources).filter((metric) => resource(metric, point) !== null);
  if (metrics.length > 0) {
    dialog.append(element('h3', {}, 'Resources and counted figures'), table([{ title: 'figure', key: true }, { title: 'value', number: true }, { title: 'meaning', wrap: true }],
      metrics.map((metric) => [report.metrics[metric]?.label ?? metric, metric.endsWith('_ns') ? duration(resource(metric, point)) : `${significant(resource(metric, point))} ${report.metrics[metric]?.unit ?? ''}`, report.metrics[metric]?.doc ?? ''])));
  }
  const notes = Object.entries(text('notes', point) ?? {});
  if (notes.length > 0) dialog.append(element('h3', {}, 'Notes'), table([{ title: '', key: true }, { title: '', wrap: true }], notes));
  close.focus();
}
