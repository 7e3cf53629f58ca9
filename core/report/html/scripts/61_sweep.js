// Curves along one axis, with a panel for each device or variant.

const sweepChoice = { axis: undefined, panels: 'platform', category: 'variant', which: 'fastest' };

const categories = {
  variant: { label: 'variant', of: (point) => text('variant', point) },
  platform: { label: 'device', of: (point) => platformOf(point).label },
  run: { label: 'run', of: (point) => runOf(point).label },
  none: { label: 'one panel', of: () => '' },
};

// Colours stay with their names, whatever the filter leaves.
function categoryNames(key) {
  const points = allPoints.filter((point) => isTimed(point) && (filter.workload === everything || text('workload', point) === filter.workload));
  return sorted(distinct(points.map(categoryOf(key))));
}

function categoryOf(key) {
  return categories[key]?.of ?? ((point) => {
    const value = parameter(key, point);
    return value === undefined ? `no ${key}` : `${key}=${value}`;
  });
}

function drawSweep() {
  const body = sectionBody('sweep');
  clearCharts(body);
  const axes = axesOf(timedPoints);
  showSection('sweep', axes.length > 0);
  if (axes.length === 0) return;
  if (!axes.includes(sweepChoice.axis)) {
    // The axis that tells most: the one with the most values, tunables before problems.
    const size = (name) => distinct(timedPoints.map((point) => parameter(name, point))).length + (tunableNames.includes(name) ? 0.5 : 0);
    sweepChoice.axis = axes.reduce((best, name) => (size(name) > size(best) ? name : best));
  }
  const { axis } = sweepChoice;
  const choose = (key) => (value) => {
    sweepChoice[key] = value;
    if (key === 'axis') filter.logX = undefined;
    drawSweep();
  };
  const others = axes.filter((name) => name !== axis);
  const categoryKeys = ['variant', 'platform', ...(report.runs.length > 1 ? ['run'] : []), ...others];
  if (!categoryKeys.includes(sweepChoice.category)) sweepChoice.category = 'variant';
  const named = (key) => ({ label: categories[key]?.label ?? key, value: key });

  const candidates = timedPoints.filter((point) => parameter(axis, point) !== undefined && quantities[filter.quantity].of(point) !== null);
  const panelOf = categories[sweepChoice.panels].of;
  const colourOf = categoryOf(sweepChoice.category);
  // A line holds everything but the axis; of tunables the fastest stands for all, unless all are wanted.
  const fixed = (point) => [panelOf(point), colourOf(point), platformOf(point).label, text('variant', point), problemText(point, [axis]),
    report.runs.length > 1 ? runOf(point).label : ''].join('\u0001');
  const seriesOf = sweepChoice.which === 'fastest' ? fixed : (point) => `${fixed(point)}\u0001${tunablesText(point, [axis])}`;
  const winners = [...groupBy(candidates, (point) => `${seriesOf(point)}\u0001${parameter(axis, point)}`).values()].map(fastestOf);
  const { points, note } = thinned(winners, (point) => [panelOf(point), colourOf(point), parameter(axis, point)].join('\u0001'));
  const { rows, title } = figuresOf(filter.quantity, points);
  for (const row of rows) {
    Object.assign(row, { x: parameter(axis, row.id), panel: panelOf(row.id) || 'all', category: colourOf(row.id), series: seriesOf(row.id) });
  }
  const order = new Map(sorted(distinct(rows.map((row) => row.x))).map((value, index) => [value, index]));
  rows.sort((a, b) => a.panel.localeCompare(b.panel) || a.category.localeCompare(b.category) || order.get(a.x) - order.get(b.x));
  // The last point of a line says what else it is, where lines of one colour differ in more than the axis.
  for (const [, line] of groupBy(rows, (row) => row.series)) {
    const last = line[line.length - 1];
    const rest = [sweepChoice.category === 'variant' || sweepChoice.panels === 'variant' ? '' : text('variant', last.id), shortProblem(last.id, [axis, sweepChoice.category]),
      sweepChoice.which === 'all' ? tunablesText(last.id, [axis, sweepChoice.category]) : ''];
    if (order.size > 1 && last.x === [...order.keys()][order.size - 1]) last.end = rest.filter(Boolean).join(' ') || null;
  }
  const places = rows.map((row) => row.x);
  const values = rows.flatMap((row) => [row.value]);
  const logX = filter.logX ?? spansDecades(places, 8);
  const logY = filter.logY ?? spansDecades(values, 8);
  const place = placeAxis(places, axis, logX);
  const panels = sorted(distinct(rows.map((row) => row.panel)));
  const layout = panelLayout(panels.length);
  const scales = categoryScales(categoryNames(sweepChoice.category));

  body.append(element('div', { class: 'controls' },
    select('Axis', axes.map(named), axis, choose('axis')),
    select('Colour and shape', categoryKeys.map(named), sweepChoice.category, choose('category')),
    select('Panels', ['platform', 'variant', 'none'].map(named), sweepChoice.panels, choose('panels')),
    others.some((name) => tunableNames.includes(name)) ? select('Other tunables', [{ label: 'the fastest of them', value: 'fastest' }, { label: 'a line for each', value: 'all' }], sweepChoice.which, choose('which')) : null,
    place.type === 'quantitative' ? check('logarithmic axis', logX, (value) => { filter.logX = value; drawSweep(); }) : null,
    check('logarithmic figures', logY, (value) => { filter.logY = value; drawSweep(); })));
  drawChart(body, 'sweep', 'sweep', {
    panels, columns: layout.columns, width: layout.width, height: layout.height, legendColumns: layout.legendColumns,
    xType: place.type, xScale: place.scale, xAxis: place.axis, xSort: place.sort,
    yScale: scaleOf(logY, values), yTitle: title, ink: style('--text'), yTicks: ticksOf(logY, values), categoryTitle: categories[sweepChoice.category]?.label ?? sweepChoice.category,
    domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
  }, rows, {
    label: `${title} along ${axis}`,
    caption: `${note}${title} along ${axis}, median with its 95 % interval (mostly smaller than the mark). ${filter.measure ?? ''}.` +
      (sweepChoice.which === 'fastest' && others.some((name) => tunableNames.includes(name)) ? ' Of several values of other tunables, the fastest.' : ''),
  });
}
