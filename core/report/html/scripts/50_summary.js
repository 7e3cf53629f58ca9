// The answer to each title with a chart, tables that the program made, and what has no time and why.

const answersDrawn = 3;  // with a chart; the sentences of more are listed

function drawAnswerChart(box, name, { axis, quantity, rows: points, beside }, width) {
  const caption = `${of('measured_as', points[0])}.`;
  if (axis === '') {
    drawWays(box, name, points, quantity, { width, label: 'The fastest ways', caption });
    return;
  }
  const places = sorted(distinct(points.map((point) => parameter(axis, point))));
  const yardstick = (point) => [variantText(point), deviceOf(point), of('aside', point)].filter(Boolean).join(' · ');
  const rows = [
    ...figuresOf(quantity, points).map((row) => ({ ...row, x: parameter(axis, row.id), category: deviceOf(row.id) })),
    // A yardstick has one time for the whole axis.
    ...figuresOf(quantity, beside).flatMap((row) => places.map((x) => ({ ...row, x, category: yardstick(row.id) }))),
  ].map((row) => ({ ...row, panel: ' ', series: row.category }));
  drawCurves(box, name, rows, { quantity, axis, width, height: 200, logX: spansDecades(places, 8), logY: spansDecades(rows.map(({ value }) => value), 8),
    categoryTitle: 'device', names: [...deviceNames, ...distinct(beside.map(yardstick))], caption });
}

// One line a device.
const answerLines = ({ title, about, lines, more }) => element('div', {},
  distinct(report.headlines.map((headline) => headline.title)).length > 1 ? muted(title) : null, element('p', { class: 'sentence' }, about),
  table(['', '', '', ''].map(longHead), lines.map(([row, device, answer, ...rest]) => [device, row === null ? answer : pointButton(row, answer), ...rest]), { caption: about }),
  more.map((sentence) => muted(sentence)));

function drawAnswer() {
  const body = byId('answer');
  clearCharts(body);
  report.headlines.slice(0, answersDrawn).forEach((headline, index) => {
    const chart = element('div');
    body.append(element('div', { class: 'answer' }, answerLines(headline), chart));
    if (headline.rows.length > 1) drawAnswerChart(chart, `answer_${index}`, headline, Math.max(180, chart.clientWidth - 90));
  });
  const rest = report.headlines.slice(answersDrawn);
  if (rest.length > 0) body.append(element('ul', {}, rest.map((headline) => element('li', {}, answerLines(headline)))));
}

// Columns of points: {title, kind, cell, by}, where `by` is what they are sorted by; medians come first, for narrow screens.
function pointColumns() {
  const [median, ...others] = factsShown('t').map(({ id, label, by }) =>
    ({ title: label, kind: by !== '' ? 'number' : id === 'status' ? 'key' : 'wrap', by: (point) => of(by || id, point), cell: (point) => of(id, point) }));
  const label = (point) => words(`${of('workload', point)}/${of('variant', point)}`, problemText(point), tunablesText(point));
  return [
    { ...longHead('point'), by: label, cell: (point) => element('span', {}, of('mark', point), pointButton(point, label(point))) }, median,
    { ...shortHead('device'), by: (point) => of('platform', point), cell: deviceOf },
    ...(report.runs_repeat ? [{ ...shortHead('run'), by: (point) => of('run', point), cell: (point) => runOf(point).label }] : []), ...others,
    ...(quantities.has('relative') ? [{ ...numberHead('vs chosen'), by: (point) => of('relative', point), cell: (point) => of('relative_text', point) }] : []),
  ];
}

const pointTable = (points, sort) => table(pointColumns(), points.map((point) => pointColumns().map(({ cell }) => cell(point))), { caption: 'Points', sort });

// Rows of which the filter shows the points that they are about; all but the first of many are folded.
function drawSection(body, { title, note, after, heads, by_problem: byProblem, rows }) {
  const limit = 40;
  const timed = new Set(timedPoints);
  const shown = rows.filter(([about]) => timed.has(about));
  if (shown.length === 0) return;
  const part = (own) => table(heads, [...groupBy(own, ([about]) => (byProblem ? comparisonLabel(about) : ''))].flatMap(([problem, ofProblem]) =>
    [...(byProblem ? [problem] : []), ...ofProblem.map(([, ...cells]) => cells.map(shownCell))]), { caption: title });
  body.append(title === 'Fastest of each device' ? '' : heading(title), note ? muted(note) : '', part(shown.slice(0, limit)), after ? muted(after) : '');
  if (shown.length > limit) body.append(folded(`${count(shown.length - limit)} more`, part(shown.slice(limit))));
}

// What has no time, by status and reason: failures first, the most frequent of them first.
function drawUntimed(body, untimed) {
  const limit = 100;
  const skipped = ([point]) => of('status', point) === 'skipped';
  const groups = [...groupBy(untimed, (point) => keyOf(of('status', point), of('reason', point))).values()].sort((a, b) => skipped(a) - skipped(b) || b.length - a.length);
  body.append(heading(`${plural(untimed.length, 'point')} without a time`), table([numberHead('points'), shortHead('status'), longHead('reason'), longHead('for example')],
    groups.slice(0, limit).map(([first, ...others]) => [count(1 + others.length), of('status', first), of('reason', first), pointButton(first, pointLabel(first))]),
    { caption: 'Points without a time, by reason' }), groups.length > limit ? muted(`and ${count(groups.length - limit)} more reasons`) : '');
}

function drawSummary() {
  const body = openSection('summary', true);
  if (timedPoints.length === 0) body.append(element('p', {}, pointCount === 0 ? 'There is no point in these runs.' : 'No shown point has a time.'));
  for (const section of report.sections) drawSection(body, section);
  const untimed = shownPoints.filter((point) => !isTimed(point));
  if (untimed.length > 0) drawUntimed(body, untimed);
}

// A row for each of these points, the fastest first: bars from zero, or dots where the axis is logarithmic.
function drawWays(body, name, points, quantity, { width, log: wanted, label, caption }) {
  const severalRuns = distinct(points.map((point) => of('run', point))).length > 1;
  const { text, title, label: unit, labels } = quantities.get(quantity);
  const rows = figuresOf(quantity, [...points].sort(byOrder)).map((row, order) => ({ ...row, order, category: deviceOf(row.id),
    label: [of('mark', row.id) + of(text, row.id) + (labels === 'numbers' ? ` ${unit}` : ''), variantText(row.id), deviceOf(row.id), severalRuns ? runOf(row.id).label : '', of('aside', row.id)].filter(Boolean).join(' · ') }));
  const values = rows.map((row) => row.value);
  const log = wanted ?? spansDecades(values, 50);
  const stroke = { stroke: style('--text'), strokeWidth: 1 };
  drawChart(body, name, 'ways', rows, {
    width, mark: log ? { type: 'point', filled: true, size: 120, opacity: 1, ...stroke } : { type: 'bar', ...stroke }, ...valueAxis('x', log, values, labelsOf(quantity)), xTitle: title,
    names: deviceNames, label, caption: `${title}; lines are the ranges of the samples. ★ the fastest of its device, or the fastest that is not a vendor library; = ties with it. ${caption}`,
  });
}

// The variants of one problem.
function drawModes() {
  const several = comparisonsOf(timedPoints.filter((point) => of('right', point) === 1)).filter((points) => points.length > 1);
  const body = openSection('modes', several.length > 0);
  if (!body) return;
  const choice = choices.modes;
  const choose = chooser('modes', drawModes);
  const numberOf = ([first]) => of('comparison', first);
  const points = several.find((own) => numberOf(own) === choice.comparison) ?? several.find((own) => own.includes(report.headlines[0]?.rows[0])) ?? several[0];
  const limit = 60;
  const ways = fastestOfEach(points, (point) => keyOf(deviceOf(point), of('variant', point), of('layout', point), of('run', point), choice.which === 'all' ? tunablesText(point) : ''));
  const chosen = ways.slice(0, limit);
  const log = choice.log ?? spansDecades(figuresOf(filter.quantity, chosen).map((row) => row.value), 50);
  body.append(controls(
    select('Problem', several.map((own) => ({ label: comparisonLabel(own[0]), value: numberOf(own) })), numberOf(points), choose('comparison')),
    select('Other tunables', [{ label: 'the fastest of them' }, { label: 'a row for each', value: 'all' }], choice.which, choose('which')),
    check('logarithmic', log, choose('log'))));
  drawWays(body, 'modes', chosen, filter.quantity, {
    width: fullWidth(), log, label: `Variants of ${comparisonLabel(points[0])}`,
    caption: `${filter.measure}.${choice.which === 'all' ? '' : ' Each variant has its fastest tunables.'}${ways.length > limit ? ` Drawn: the fastest ${limit} of ${count(ways.length)}.` : ''}`,
  });
}
