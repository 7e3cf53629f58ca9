// Points over the runs of a store: `report.history`, which `benchctl history` puts in, has the series and their steps.

const historyChoice = { series: undefined };

// The page's own point of a run and its number there.
const pointOfRun = new Map();
if (report.history) for (const point of allPoints) pointOfRun.set(`${number('run', point)}:${number('ordinal', point)}`, point);

const historyPoint = (entry) => pointOfRun.get(`${entry.run}:${entry.point}`);
const runName = (entry) => `${report.runs[entry.run].label}, ${report.runs[entry.run].created_at.slice(0, 16).replace('T', ' ')}`;
const ratioWords = ({ ratio, interval }) => `${significant(ratio)}${interval[0] === null || interval[1] === null ? '' : ` [${significant(interval[0])}, ${significant(interval[1])}]`}`;

function stepWords(series, step) {
  return `${report.runs[series.points[step.at].run].label}: ×${ratioWords(step)}`;
}

function changeWords(series) {
  return [...series.steps.map((step) => stepWords(series, step)), ...series.drifts.map((drift) => `drift: ×${ratioWords(drift)}`),
    ...series.disturbed.map((place) => `${report.runs[series.points[place].run].label} disturbed`)].join('; ');
}

// Levels between steps: the geometric mean of the medians of undisturbed runs.
function levelsOf(series) {
  const bounds = [0, ...series.steps.map((step) => step.at), ...series.points.flatMap((point, place) => (point.cut ? [place] : [])), series.points.length];
  const places = sorted([...new Set(bounds)]);
  return places.slice(0, -1).map((from, index) => {
    const own = series.points.slice(from, places[index + 1]).filter((point) => !series.disturbed.includes(series.points.indexOf(point)));
    return { from, to: places[index + 1], level: Math.exp(own.reduce((sum, point) => sum + Math.log(point.median_ns), 0) / own.length) };
  });
}

// A drift is a line through the level in the middle of its stretch.
function onLine(level, drift, place) {
  return level.level * drift.ratio ** ((place - drift.from) / (drift.to - drift.from) - 0.5);
}

function drawHistoryChart(body, series) {
  const unit = commonTimeUnit(series.points.map((point) => point.median_ns));
  const words = { same: 'as in the run before', changed: 'something else changed, too', cut: 'not comparable with the runs before', disturbed: 'far from its level' };
  const levels = levelsOf(series);
  const rows = series.points.map((point, place) => {
    const stretch = levels.findIndex((level) => place >= level.from && place < level.to);
    const step = series.steps.find((candidate) => candidate.at === place);
    const drift = series.drifts.find((candidate) => place >= candidate.from && place <= candidate.to);
    const scaled = (ns) => (ns === null ? null : ns / unit.ns);
    return {
      id: historyPoint(point), run: runName(point), value: scaled(point.median_ns), low: scaled(point.ci_low_ns), high: scaled(point.ci_high_ns),
      level: scaled(drift ? onLine(levels[stretch], drift, place) : levels[stretch].level), stretch, category: series.disturbed.includes(place) ? words.disturbed : point.cut ? words.cut : point.changes.length > 0 ? words.changed : words.same,
      step: step ? `×${significant(step.ratio, 3)}` : null,
    };
  });
  const domain = Object.values(words).filter((word) => rows.some((row) => row.category === word));
  const scales = categoryScales(Object.values(words));
  const kept = domain.map((word) => Object.values(words).indexOf(word));
  drawChart(body, 'history', 'history', {
    width: Math.max(260, Math.min(contentWidth() - 110, 160 + rows.length * 60)), runs: rows.map((row) => row.run), yTitle: `Median time (${unit.name})`,
    domain, colours: kept.map((index) => scales.colours[index]), shapes: kept.map((index) => scales.shapes[index]),
    accent: palettes[theme][0], ink: style('--text'),
  }, rows, { label: `Median time over runs of ${series.label}`, caption: `${series.label}. Rules are 95 % intervals, lines the levels between steps, or the drift; ×1.1 is 10 % slower than before.` });
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
  const size = (series) => (series.steps.length + series.drifts.length > 0 ? 1e6 : 0) + Math.abs(Math.log(series.change.ratio));
  const ranked = [...all].sort((a, b) => size(b) - size(a));
  const chosen = ranked.includes(historyChoice.series) ? historyChoice.series : ranked[0];
  const limit = 300;
  body.append(element('p', {}, `Tested for changes: ${count(report.history.tested)} series; with at most 5 % there is a false step among all, and with as many a false drift. Changes of up to ${percent(report.history.threshold)} are not shown.`));
  body.append(element('div', { class: 'controls' }, select('Point', ranked.slice(0, limit).map((series) => ({ label: series.label, value: series })), chosen, (series) => {
    historyChoice.series = series;
    drawHistory();
  })));
  drawHistoryChart(body, chosen);
  drawChanges(body, chosen);
  body.append(element('h3', {}, 'All points'), table(
    [{ title: 'point', wrap: true }, { title: 'runs', number: true }, { title: 'first', number: true }, { title: 'newest', number: true }, { title: 'newest / first', number: true }, { title: 'changes', wrap: true }],
    ranked.slice(0, limit).map((series) => [
      element('button', { type: 'button', class: 'plain', onclick: () => { historyChoice.series = series; drawHistory(); } }, series.label),
      count(series.points.length), duration(series.points[0].median_ns), duration(series.points.at(-1).median_ns),
      series.points.length > 1 ? ratioWords(series.change) : '', changeWords(series)]),
    { caption: 'Points over runs' }));
  if (ranked.length > limit) body.append(element('p', { class: 'muted' }, `and ${count(ranked.length - limit)} more; filters show them`));
}
