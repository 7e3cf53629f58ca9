// Curves along one axis, with a panel for each device or variant.

const sweepChoice = { workload: undefined, axis: undefined, panels: 'platform', category: 'variant', which: 'fastest' };

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
  const of = categories[key]?.of ?? ((point) => {
    const value = parameter(key, point);
    return value === undefined ? `no ${key}` : `${key}=${value}`;
  });
  // Lines of two runs have names and colours of their own.
  return runsShareLines && key !== 'run' ? (point) => `${of(point)} · ${runOf(point).label}` : of;
}

// Parameters of the problem that have one value for each of the axis (m and k beside n) are not what tells lines apart.
function followersOf(axis, points) {
  const groups = [...groupBy(points, (point) => parameter(axis, point)).values()];
  return problemNames.filter((name) => name !== axis && groups.every((own) => distinct(own.map((point) => parameter(name, point))).length === 1));
}

// Lines of more than one point; all where there is none.
function linesOf(rows) {
  const lines = [...groupBy(rows, (row) => row.series).values()];
  const longer = lines.filter((line) => line.length > 1);
  return longer.length > 0 ? longer : lines;
}

// Where a place lies on its axis, from 0 to 1.
function shareOfAxis(places, log) {
  const own = sorted(distinct(places));
  if (!own.every((place) => typeof place === 'number')) return (place) => (own.indexOf(place) + 0.5) / own.length;
  const at = log ? Math.log : Number;
  const [from, to] = [at(own[0]), at(own[own.length - 1])];
  return (place) => (to > from ? (at(place) - from) / (to - from) : 0.5);
}

const letterWidth = 6.2;  // of the font of names, in pixels, on average

// Says at the end of a line what it is, where there is room: not within a twentieth of the height of another, and
// within its panel, to the left of its end or to the right. Near the top a name is below its mark. Hovering tells the rest.
function labelEnds(rows, log, logX, width, labelOf) {
  const share = shareOfAxis(rows.map((row) => row.x), logX);
  const height = (value) => (log ? Math.log(value) : value);
  const [low, high] = [Math.min, Math.max].map((extreme) => height(extreme(...rows.map((row) => row.value))));
  for (const [, ofPanel] of groupBy(rows, (row) => row.panel)) {
    const taken = [];
    // Single marks beside lines have no end.
    const named = linesOf(ofPanel);
    // What all lines have in common tells none of them apart.
    if (named.length > 1 && distinct(named.map((line) => labelOf(line[line.length - 1]))).length < 2) continue;
    for (const line of named) {
      const last = line[line.length - 1];
      const at = (height(last.value) - low) / (high - low || 1);
      const endsHigh = at > 0.9;
      const place = endsHigh ? at - 0.1 : at;
      const label = labelOf(last);
      const length = label.length * letterWidth;
      const [before, after] = [share(last.x) * width, (1 - share(last.x)) * width];
      if (label === '' || Math.max(before, after) < length || taken.some((other) => Math.abs(other - place) < 0.06)) continue;
      taken.push(place);
      Object.assign(last, { end: label, endsLeft: before < length, endsHigh });
    }
  }
}

// Curves of rows {id, value, low, high, x, panel, category, series}; `names` are the categories.
function drawCurves(body, name, rows, { title, axis, width, height, columns: beside = 1, logX, logY, categoryTitle, names, label, caption }) {
  const values = rows.map((row) => row.value);
  const place = placeAxis(rows.map((row) => row.x), axis, logX);
  const scales = categoryScales(names, rows.map((row) => row.category));
  drawChart(body, name, 'sweep', {
    panels: sorted(distinct(rows.map((row) => row.panel))), columns: beside, width, height, legendColumns: Math.max(1, Math.floor(width * beside / 190)),
    xType: place.type, xScale: place.scale, xAxis: place.axis, xSort: place.sort,
    yScale: scaleOf(logY, values), yTitle: title, ink: style('--text'), back: style('--back'), labelLimit: Math.round(width * 0.9), yTicks: ticksOf(logY, values), categoryTitle,
    domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
  }, rows, { label, caption });
}

// How much an axis tells: many values, and on many of the points.
function axisSize(name, points) {
  const having = points.filter((point) => parameter(name, point) !== undefined);
  return distinct(having.map((point) => parameter(name, point))).length * Math.sqrt(having.length / points.length);
}

function drawSweep() {
  const body = sectionBody('sweep');
  clearCharts(body);
  const axes = axesOf(timedPoints);
  showSection('sweep', axes.length > 0);
  if (axes.length === 0) return;
  if (!axes.includes(sweepChoice.axis) || sweepChoice.workload !== filter.workload) {
    // The axis that the answer is about, or that tells most.
    const asked = report.headlines.find((headline) => axes.includes(headline.axis) && headline.rows.some((point) => timedPoints.includes(point)));
    sweepChoice.axis = asked?.axis ?? axes.reduce((best, name) => (axisSize(name, timedPoints) > axisSize(best, timedPoints) ? name : best));
    sweepChoice.workload = filter.workload;
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
  const followers = followersOf(axis, candidates);
  // A line holds everything but the axis; of tunables the fastest stands for all, unless all are wanted.
  const fixed = (point) => [panelOf(point), colourOf(point), platformOf(point).label, text('variant', point), problemText(point, [axis, ...followers]),
    report.runs.length > 1 ? runOf(point).label : ''].join('\u0001');
  const seriesOf = sweepChoice.which === 'fastest' ? fixed : (point) => `${fixed(point)}\u0001${tunablesText(point, [axis])}`;
  const winners = [...groupBy(candidates, (point) => `${seriesOf(point)}\u0001${parameter(axis, point)}`).values()].map(fastestOf);
  const { points, note } = thinned(winners, (point) => [panelOf(point), colourOf(point), parameter(axis, point)].join('\u0001'));
  const { rows, title } = figuresOf(filter.quantity, points);
  for (const row of rows) {
    Object.assign(row, { x: parameter(axis, row.id), panel: panelOf(row.id) || 'all', category: colourOf(row.id), series: seriesOf(row.id).replaceAll('\u0001', ' ') });
  }
  const order = new Map(sorted(distinct(rows.map((row) => row.x))).map((value, index) => [value, index]));
  rows.sort((a, b) => a.panel.localeCompare(b.panel) || a.category.localeCompare(b.category) || order.get(a.x) - order.get(b.x));
  const places = rows.map((row) => row.x);
  const values = rows.map((row) => row.value);
  const positive = places.every((own) => own > 0);
  const logX = positive && (filter.logX ?? spansDecades(places, 8));
  const logY = filter.logY ?? spansDecades(values, 8);
  const numeric = placeAxis(places, axis, logX).type === 'quantitative';
  const layout = panelLayout(distinct(rows.map((row) => row.panel)).length);
  // Lines of one colour may differ in more than the axis; what all have one value of needs no saying.
  const onLines = linesOf(rows).flat();
  const common = problemNames.filter((name) => distinct(onLines.map((row) => parameter(name, row.id))).length === 1);
  labelEnds(rows, logY, logX, layout.width, ({ id }) => [sweepChoice.category === 'variant' || sweepChoice.panels === 'variant' ? '' : text('variant', id),
    shortProblem(id, [axis, sweepChoice.category, ...followers, ...common]), sweepChoice.which === 'all' ? tunablesText(id, [axis, sweepChoice.category]) : ''].filter(Boolean).join(' '));

  body.append(element('div', { class: 'controls' },
    select('Axis', axes.map(named), axis, choose('axis')),
    select('Colour and shape', categoryKeys.map(named), sweepChoice.category, choose('category')),
    select('Panels', ['platform', 'variant', 'none'].map(named), sweepChoice.panels, choose('panels')),
    others.some((name) => tunableNames.includes(name)) ? select('Other tunables', [{ label: 'the fastest of them', value: 'fastest' }, { label: 'a line for each', value: 'all' }], sweepChoice.which, choose('which')) : null,
    numeric && positive ? check('logarithmic axis', logX, (value) => { filter.logX = value; drawSweep(); }) : null,
    check('logarithmic figures', logY, (value) => { filter.logY = value; drawSweep(); })));
  drawCurves(body, 'sweep', rows, {
    title, axis, columns: layout.columns, width: layout.width, height: layout.height, logX, logY,
    categoryTitle: categories[sweepChoice.category]?.label ?? sweepChoice.category, names: categoryNames(sweepChoice.category),
    label: `${title} along ${axis}`,
    caption: `${note}${title} along ${axis}, median with the range of the samples. ${filter.measure ?? ''}.` +
      (sweepChoice.which === 'fastest' && others.some((name) => tunableNames.includes(name)) ? ' Of several values of other tunables, the fastest.' : ''),
  });
}
