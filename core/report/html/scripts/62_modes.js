// All ways to compute one problem, the fastest first.

const modesChoice = { comparison: undefined, log: undefined, which: 'fastest' };

const anyOfComparison = new Map(allPoints.filter((point) => number('comparison', point) !== null).map((point) => [number('comparison', point), point]));

const comparisonLabel = (comparison) => `${report.comparisons[comparison].workload} ${shortProblem(anyOfComparison.get(comparison))}`;

function drawModes() {
  const body = sectionBody('modes');
  clearCharts(body);
  const groups = groupBy(timedPoints.filter(mayWin), (point) => number('comparison', point));
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
  const severalRuns = distinct(ways.map((point) => columns.run[point])).length > 1;
  const limit = 60;
  const chosen = [...ways].sort((a, b) => number('median_ns', a) - number('median_ns', b)).slice(0, limit);
  const { rows, title } = figuresOf(filter.quantity, chosen);
  const values = rows.map((row) => row.value);
  const log = modesChoice.log ?? spansDecades(values, 50);
  const smallest = Math.min(...values.filter((value) => value > 0));
  rows.forEach((row, index) => Object.assign(row, {
    order: index, base: log ? smallest / 2 : 0, category: platformOf(row.id).label,
    label: `${number('best', row.id) === 1 ? '★ ' : ''}${quantityText(filter.quantity, row.id)} · ${variantText(row.id)} · ${platformOf(row.id).label}${severalRuns ? ` · ${runOf(row.id).label}` : ''}`,
  }));
  const layout = panelLayout(1);
  const scales = categoryScales(categoryNames('platform'));
  body.append(element('div', { class: 'controls' },
    select('Problem', several.map((key) => ({ label: comparisonLabel(key), value: key })), modesChoice.comparison, (value) => {
      modesChoice.comparison = value;
      drawModes();
    }),
    select('Other tunables', [{ label: 'the fastest of them', value: 'fastest' }, { label: 'a bar for each', value: 'all' }], modesChoice.which, (value) => {
      modesChoice.which = value;
      drawModes();
    }),
    check('logarithmic', log, (value) => { modesChoice.log = value; drawModes(); })));
  drawChart(body, 'modes', 'bars', {
    width: Math.max(180, contentWidth() - 30), xScale: log ? { type: 'log', nice: false, domainMin: smallest / 2 } : { zero: true },
    xTitle: title, xTicks: ticksOf(log, values), categoryTitle: 'device', stroke: style('--text'), ink: style('--text'), legendColumns: layout.legendColumns,
    domain: scales.domain, colours: scales.colours,
  }, rows, {
    label: `All ways to compute ${comparisonLabel(modesChoice.comparison)}`,
    caption: `${comparisonLabel(modesChoice.comparison)}. ${title}; lines are 95 % intervals. ★ fastest of its device, or not to be told apart from it. ${filter.measure ?? ''}.${modesChoice.which === 'fastest' ? ' Of each variant, the fastest of its tunables.' : ''}` +
      (log ? ' The axis is logarithmic: lengths of bars do not compare, their ends do.' : '') +
      (ways.length > limit ? ` Drawn: the fastest ${limit} of ${count(ways.length)}.` : ''),
  });
}
