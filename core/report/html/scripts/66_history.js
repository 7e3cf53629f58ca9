// Points over the runs of a store: `report.history`, which `benchctl history` puts in, has the series.

const historyChoice = { series: undefined };

// The page's own point of a run and its number there.
const pointOfRun = new Map();
if (report.history) for (const point of allPoints) pointOfRun.set(`${number('run', point)}:${number('ordinal', point)}`, point);

const historyPoint = (entry) => pointOfRun.get(`${entry.run}:${entry.point}`);
const runName = (entry) => `${report.runs[entry.run].label}, ${report.runs[entry.run].created_at.slice(0, 16).replace('T', ' ')}`;
const newestOverFirst = (series) => series.points.at(-1).median_ns / series.points[0].median_ns;

function drawHistoryChart(body, series) {
  const unit = commonTimeUnit(series.points.map((point) => point.median_ns));
  const words = { same: 'as in the run before', changed: 'something else changed, too', cut: 'not comparable with the runs before' };
  let stretch = 0;
  const rows = series.points.map((point) => {
    if (point.cut) stretch += 1;
    const scaled = (ns) => (ns === null ? null : ns / unit.ns);
    return {
      id: historyPoint(point), run: runName(point), value: scaled(point.median_ns), low: scaled(point.ci_low_ns), high: scaled(point.ci_high_ns),
      stretch, category: point.cut ? words.cut : point.changes.length > 0 ? words.changed : words.same,
    };
  });
  drawChart(body, 'history', 'history', {
    width: Math.max(260, Math.min(contentWidth() - 110, 160 + rows.length * 60)), runs: rows.map((row) => row.run), yTitle: `Median time (${unit.name})`,
    ...categoryScales(Object.values(words), rows.map((row) => row.category)), accent: palettes[theme][0],
  }, rows, { label: `Median time over runs of ${series.label}`, caption: `${series.label}. Rules are 95 % intervals within a run.` });
}

function drawChanges(body, series) {
  const changed = series.points.filter((point) => point.changes.length > 0);
  if (changed.length === 0) return;
  body.append(element('h3', {}, 'What else changed'), element('ul', {}, changed.flatMap((point) => point.changes.map((change) =>
    element('li', {}, `${runName(point)}: ${change}${point.cut ? ' (not comparable with the runs before)' : ''}`)))));
}

function drawHistory() {
  const body = sectionBody('history');
  clearCharts(body);
  const shown = new Set(report.history ? passing(allPoints, 'measure') : []);
  const all = report.history ? report.history.series.filter((series) => shown.has(historyPoint(series.points.at(-1)))) : [];
  showSection('history', all.length > 0);
  if (all.length === 0) return;
  const size = (series) => Math.abs(Math.log(newestOverFirst(series)));
  const ranked = [...all].sort((a, b) => size(b) - size(a));
  const chosen = ranked.includes(historyChoice.series) ? historyChoice.series : ranked[0];
  const limit = 300;
  body.append(element('div', { class: 'controls' }, select('Point', ranked.slice(0, limit).map((series) => ({ label: series.label, value: series })), chosen, (series) => {
    historyChoice.series = series;
    drawHistory();
  })));
  drawHistoryChart(body, chosen);
  drawChanges(body, chosen);
  body.append(element('h3', {}, 'All points'), table(
    [{ title: 'point', wrap: true }, { title: 'runs', number: true }, { title: 'first', number: true }, { title: 'newest', number: true }, { title: 'newest / first', number: true }],
    ranked.slice(0, limit).map((series) => [
      element('button', { type: 'button', class: 'plain', onclick: () => { historyChoice.series = series; drawHistory(); } }, series.label),
      count(series.points.length), duration(series.points[0].median_ns), duration(series.points.at(-1).median_ns),
      series.points.length > 1 ? significant(newestOverFirst(series)) : '']),
    { caption: 'Points over runs' }));
  if (ranked.length > limit) body.append(element('p', { class: 'muted' }, `and ${count(ranked.length - limit)} more; filters show them`));
}
