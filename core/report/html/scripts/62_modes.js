// The variants of one problem, the fastest first.

const modesChoice = { comparison: undefined, log: undefined, which: 'fastest' };

const anyOfComparison = new Map(allPoints.filter((point) => number('comparison', point) !== null).map((point) => [number('comparison', point), point]));

const comparisonLabel = (comparison) => `${report.comparisons[comparison].workload} ${shortProblem(anyOfComparison.get(comparison))}`;

// A row for each of these points, the fastest first: bars from zero, or dots where the axis is logarithmic.
function drawWays(body, name, points, quantity, { width, log: wanted, label, caption }) {
  const severalRuns = distinct(points.map((point) => columns.run[point])).length > 1;
  const { rows, title } = figuresOf(quantity, [...points].sort(byTime));
  const values = rows.map((row) => row.value);
  const log = wanted ?? spansDecades(values, 50);
  rows.forEach((row, index) => Object.assign(row, {
    order: index, category: platformOf(row.id).label,
    label: [`${markOf(row.id)}${quantityText(quantity, row.id)}`, variantText(row.id), platformOf(row.id).label,
      severalRuns ? runOf(row.id).label : '', whyBehind(row.id)].filter(Boolean).join(' · '),
  }));
  const scales = deviceScales(rows);
  const stroke = { stroke: style('--text'), strokeWidth: 1 };
  drawChart(body, name, 'ways', {
    width, mark: log ? { type: 'point', filled: true, size: 120, opacity: 1, ...stroke } : { type: 'bar', ...stroke },
    xScale: scaleOf(log, values), xTitle: title, xTicks: ticksOf(log, values), categoryTitle: 'device', ink: style('--text'), legendColumns: Math.max(1, Math.floor(width / 190)),
    domain: scales.domain, colours: scales.colours,
  }, rows, { label, caption: `${title}; lines are the ranges of the samples. ★ the fastest of its device, or the fastest that is not a vendor library; = ties with it. ${caption}` });
}

function drawModes() {
  const body = sectionBody('modes');
  clearCharts(body);
  const groups = groupBy(timedPoints.filter(isRight), (point) => number('comparison', point));
  const several = [...groups.keys()].filter((key) => groups.get(key).length > 1);
  showSection('modes', several.length > 0);
  if (several.length === 0) return;
  if (!several.includes(modesChoice.comparison)) {
    // The problem that most devices have done, the largest of these.
    const weight = (key) => [report.comparisons[key].platforms.length, number('flops', groups.get(key)[0]) || number('bytes', groups.get(key)[0])];
    modesChoice.comparison = several.reduce((best, key) => {
      const [a, b] = [weight(key), weight(best)];
      return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]) ? key : best;
    });
  }
  const all = groups.get(modesChoice.comparison);
  const wayOf = (point) => [platformOf(point).label, text('variant', point), text('layout', point), columns.run[point],
    modesChoice.which === 'all' ? tunablesText(point) : ''].join('\u0001');
  const ways = [...groupBy(all, wayOf).values()].map(fastestOf);
  const limit = 60;
  const chosen = [...ways].sort(byTime).slice(0, limit);
  const log = modesChoice.log ?? spansDecades(figuresOf(filter.quantity, chosen).rows.map((row) => row.value), 50);
  body.append(element('div', { class: 'controls' },
    select('Problem', several.map((key) => ({ label: comparisonLabel(key), value: key })), modesChoice.comparison, (value) => {
      modesChoice.comparison = value;
      drawModes();
    }),
    select('Other tunables', [{ label: 'the fastest of them', value: 'fastest' }, { label: 'a row for each', value: 'all' }], modesChoice.which, (value) => {
      modesChoice.which = value;
      drawModes();
    }),
    check('logarithmic', log, (value) => { modesChoice.log = value; drawModes(); })));
  drawWays(body, 'modes', chosen, filter.quantity, {
    width: Math.max(180, contentWidth() - 30), log, label: `Variants of ${comparisonLabel(modesChoice.comparison)}`,
    caption: `${filter.measure ?? ''}.${modesChoice.which === 'fastest' ? ' Of each variant, the fastest of its tunables.' : ''}` +
      (ways.length > limit ? ` Drawn: the fastest ${limit} of ${count(ways.length)}.` : ''),
  });
}
