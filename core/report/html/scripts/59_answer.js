// The answer to each title in a sentence, with a chart beside it.

const answersDrawn = 3;  // with a chart; the sentences of more are listed

function drawAnswerChart(box, name, { axis, quantity, rows: points, beside }, width) {
  const measure = measureText(points[0]);
  if (axis === '') {
    drawWays(box, name, points, quantity, { width, label: 'The fastest ways', caption: `${measure}.` });
    return;
  }
  const { rows, title } = figuresOf(quantity, [...points, ...beside]);
  const figureOf = new Map(rows.map((row) => [row.id, row]));
  const places = sorted(distinct(points.map((point) => parameter(axis, point))));
  const lines = [
    ...points.map((point) => ({ ...figureOf.get(point), x: parameter(axis, point), category: platformOf(point).label })),
    // A yardstick has one time for the whole axis.
    ...beside.flatMap((point) => places.map((x) => ({ ...figureOf.get(point), x, category: `${variantText(point)} · ${platformOf(point).label}` }))),
  ].filter(({ id }) => id !== undefined);
  for (const line of lines) Object.assign(line, { panel: ' ', series: line.category });
  drawCurves(box, name, lines, { title, axis, width, height: 200, logX: spansDecades(places, 8), logY: spansDecades(lines.map(({ value }) => value), 8), categoryTitle: 'device',
    names: [...deviceNames, ...distinct(beside.map((point) => `${variantText(point)} · ${platformOf(point).label}`))],
    label: `${title} along ${axis}`, caption: `${title} along ${axis}. ${measure}.` });
}

// One line a device.
function answerLines({ about, lines, more }) {
  return element('div', {}, element('p', { class: 'sentence' }, about),
    table(['device', 'answer', 'time', 'factors'].map(() => ({ title: '', wrap: true })),
      lines.map(({ device, answer, time, factors, row }) => [device, row === null ? answer : pointButton(row, answer), time, factors]), { caption: about }),
    more.map((words) => element('p', { class: 'muted' }, words)));
}

function drawAnswer() {
  const body = document.getElementById('answer');
  clearCharts(body);
  const titles = distinct(report.headlines.map(({ title }) => title));
  const told = report.headlines;
  told.slice(0, answersDrawn).forEach((headline, index) => {
    const chart = element('div');
    body.append(element('div', { class: 'answer' },
      element('div', {}, titles.length > 1 ? element('p', { class: 'muted' }, headline.title) : null, answerLines(headline)), chart));
    if (headline.rows.length > 1) drawAnswerChart(chart, `answer_${index}`, headline, Math.max(180, chart.clientWidth - 90));
  });
  if (told.length > answersDrawn) {
    body.append(element('ul', {}, told.slice(answersDrawn).map((headline) => element('li', {}, titles.length > 1 ? headline.title : null, answerLines(headline)))));
  }
}
