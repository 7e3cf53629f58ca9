// The answer to each title with a chart, tables that the program made, and what has no time and why.

const answersDrawn = 3;  // with a chart; the sentences of more are listed

function drawAnswerChart(box, name, { axis, quantity, rows: points, beside }, width) {
  const caption = `${measureText(points[0])}.`;
  if (axis === '') {
    drawWays(box, name, points, quantity, { width, label: 'The fastest ways', caption });
    return;
  }
  const places = sorted(distinct(points.map((point) => parameter(axis, point))));
  const yardstick = (point) => `${variantText(point)} · ${deviceOf(point)}`;
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
  table(['', '', '', ''], lines.map(({ device, answer, time, factors, row }) => [device, row === null ? answer : pointButton(row, answer), time, factors]), { caption: about }),
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

// Columns of points: {title, cell, by}, where `by` is what they are sorted by; medians come first, for narrow screens.
function pointColumns() {
  const [median, ...others] = factsShown('t').map(({ id, label, by }) => ({ title: label, number: by !== '', wrap: by === '' && id !== 'status', by: (point) => of(by || id, point), cell: (point) => of(id, point) }));
  const label = (point) => words(`${of('workload', point)}/${of('variant', point)}`, problemText(point), tunablesText(point));
  return [
    { title: 'point', wrap: true, by: label, cell: (point) => element('span', {}, markOf(point), pointButton(point, label(point))) }, median,
    { title: 'device', key: true, by: (point) => of('platform', point), cell: deviceOf },
    ...(runsShareLines ? [{ title: 'run', key: true, by: (point) => of('run', point), cell: (point) => runOf(point).label }] : []), ...others,
  ];
}

const pointTable = (points, sort) => table(pointColumns(), points.map((point) => pointColumns().map(({ cell }) => cell(point))), { caption: 'Points', sort });

// Rows of which the filter shows the points that they are about; the first of many, the others where they are asked for.
function drawSection(body, { title, note, after, heads, by_problem: byProblem, rows }) {
  const limit = 40;
  const timed = new Set(timedPoints);
  const shown = rows.filter(([about]) => timed.has(about));
  if (shown.length === 0) return;
  const cellOf = (cell) => (Array.isArray(cell) ? pointButton(cell[1], cell[0]) : cell);
  const columnsOf = heads.map((head) => ({ ...head, key: head.title === 'device', wrap: !head.number && head.title !== 'device' }));
  const part = (own) => table(columnsOf, own.flatMap(([about, ...cells], index) => [
    ...(byProblem && (index === 0 || of('comparison', own[index - 1][0]) !== of('comparison', about)) ? [comparisonLabel(of('comparison', about))] : []),
    cells.map(cellOf)]), { caption: title });
  body.append(title === 'Fastest of each device' ? '' : heading(title), note ? muted(note) : '', part(shown.slice(0, limit)), after ? muted(after) : '');
  if (shown.length > limit) {
    const rest = folded(`${count(shown.length - limit)} more`);
    rest.addEventListener('toggle', () => rest.childElementCount === 1 && rest.append(part(shown.slice(limit))));
    body.append(rest);
  }
}

function drawSummary() {
  const body = openSection('summary', true);
  if (timedPoints.length === 0) body.append(element('p', {}, pointCount === 0 ? 'There is no point in these runs.' : 'No shown point has a time.'));
  for (const section of report.sections) drawSection(body, section);
  const untimed = shownPoints.filter((point) => !isTimed(point));
  if (untimed.length === 0) return;
  const groups = [...groupBy(untimed, (point) => keyOf(of('status', point), of('reason', point))).values()]
    .sort((a, b) => (of('status', a[0]) === 'skipped') - (of('status', b[0]) === 'skipped') || b.length - a.length);
  body.append(heading(`${plural(untimed.length, 'point')} without a time`), table([{ title: 'points', number: true }, { title: 'status', key: true }, 'reason', 'for example'],
    groups.slice(0, 100).map(([first, ...others]) => [count(1 + others.length), element('span', { class: 'status', title: report.statuses[of('status', first)] }, of('status', first)),
      of('reason', first), pointButton(first, pointLabel(first))]), { caption: 'Points without a time, by reason' }));
  if (groups.length > 100) body.append(muted(`and ${count(groups.length - 100)} more reasons`));
}

// A row for each of these points, the fastest first: bars from zero, or dots where the axis is logarithmic.
function drawWays(body, name, points, quantity, { width, log: wanted, label, caption }) {
  const severalRuns = distinct(points.map((point) => of('run', point))).length > 1;
  const whyBehind = (point) => (competes(point) ? '' : of('older', point) === 1 ? 'of an older run' : 'cannot win');
  const { text, title, unit = '' } = quantities[quantity];
  const rows = figuresOf(quantity, [...points].sort(byTime)).map((row, order) => ({ ...row, order, category: deviceOf(row.id),
    label: [markOf(row.id) + of(text, row.id) + unit, variantText(row.id), deviceOf(row.id), severalRuns ? runOf(row.id).label : '', whyBehind(row.id)].filter(Boolean).join(' · ') }));
  const values = rows.map((row) => row.value);
  const log = wanted ?? spansDecades(values, 50);
  const stroke = { stroke: style('--text'), strokeWidth: 1 };
  drawChart(body, name, 'ways', rows, {
    width, mark: log ? { type: 'point', filled: true, size: 120, opacity: 1, ...stroke } : { type: 'bar', ...stroke }, ...valueAxis('x', log, values), xTitle: title, xLabels: labelsOf(quantity),
    names: deviceNames, label, caption: `${title}; lines are the ranges of the samples. ★ the fastest of its device, or the fastest that is not a vendor library; = ties with it. ${caption}`,
  });
}

// The variants of one problem.
function drawModes() {
  const groups = groupBy(timedPoints.filter(isRight), (point) => of('comparison', point));
  const several = [...groups.keys()].filter((key) => groups.get(key).length > 1);
  const body = openSection('modes', several.length > 0);
  if (!body) return;
  const choice = choices.modes;
  const choose = chooser('modes', drawModes);
  if (!several.includes(choice.comparison)) {
    // The problem that most devices have done, the largest of these.
    const weight = (key) => [report.comparisons[key].platforms.length, of('flops', groups.get(key)[0]) || of('bytes', groups.get(key)[0])];
    choice.comparison = several.map((key) => [key, ...weight(key)]).reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[2] > a[2]) ? b : a))[0];
  }
  const limit = 60;
  const ways = fastestOfEach(groups.get(choice.comparison), (point) => keyOf(deviceOf(point), of('variant', point), of('layout', point), of('run', point), choice.which === 'all' ? tunablesText(point) : ''));
  const chosen = ways.sort(byTime).slice(0, limit);
  const log = choice.log ?? spansDecades(figuresOf(filter.quantity, chosen).map((row) => row.value), 50);
  body.append(controls(
    select('Problem', several.map((key) => ({ label: comparisonLabel(key), value: key })), choice.comparison, choose('comparison')),
    select('Other tunables', [{ label: 'the fastest of them' }, { label: 'a row for each', value: 'all' }], choice.which, choose('which')),
    check('logarithmic', log, choose('log'))));
  drawWays(body, 'modes', chosen, filter.quantity, {
    width: fullWidth(), log, label: `Variants of ${comparisonLabel(choice.comparison)}`,
    caption: `${filter.measure}.${choice.which === 'all' ? '' : ' Each variant has its fastest tunables.'}${ways.length > limit ? ` Drawn: the fastest ${limit} of ${count(ways.length)}.` : ''}`,
  });
}
