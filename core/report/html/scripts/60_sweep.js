// Curves along one axis, with a panel for each device or variant, and a figure over two axes: of one workload.

const kindOf = (key) => (key === 'none' ? () => '' : filterKeys[key]?.of ?? ((point) => (parameter(key, point) === undefined ? `no ${key}` : `${key}=${parameter(key, point)}`)));
const kindNamed = (key) => ({ label: filterKeys[key]?.label ?? key, value: key });

// The points of a workload: of the chosen one, that of the answer to shown points, or the first that competes.
function sweptPoints() {
  const names = distinct(timedPoints.map((point) => of('workload', point)));
  const asked = report.headlines.find(({ rows }) => rows.some((point) => timedPoints.includes(point)));
  const first = asked ? asked.rows[0] : timedPoints.find(competes) ?? timedPoints[0];
  const workload = names.includes(choices.sweep.workload) || first === undefined ? choices.sweep.workload : of('workload', first);
  const points = timedPoints.filter((point) => of('workload', point) === workload);
  const axes = axesOf(points);
  return { names, workload, points, axes, axis: [choices.sweep.axis, asked?.axis, axes[0]].find((name) => axes.includes(name)) };
}

// Curves of rows {id, value, low, high, x, panel, category, series}; `names` are the categories.
function drawCurves(body, name, rows, { quantity, axis, logX, logY, caption, ...more }) {
  const { title } = quantities.get(quantity);
  drawChart(body, name, 'sweep', rows, {
    panels: sorted(distinct(rows.map((row) => row.panel))), columns: 1, ...placeAxis(rows.map((row) => row.x), axis, logX),
    ...valueAxis('y', logY, rows.map((row) => row.value), labelsOf(quantity)), yTitle: title,
    label: `${title} along ${axis}`, caption: `${title} along ${axis}. ${caption}`, ...more,
  });
}

// What a line is called: what the reader chose, with everything else that tells it from the others of its panel, unless
// that makes too many names. From all points of the workload, so that colours stay with their names whatever the filter leaves.
function lineNames(axis, { category, panels, which, workload }) {
  const points = everyTimed.filter((point) => of('workload', point) === workload && parameter(axis, point) !== undefined);
  // Parameters of the problem that have one value for each of the axis (m and k beside n) do not tell lines apart.
  const places = [...groupBy(points, (point) => parameter(axis, point)).values()];
  const followers = problemNames.filter((name) => name !== axis && places.every((own) => distinct(own.map((point) => parameter(name, point))).length === 1));
  const without = [axis, category, 'dtype', ...followers];  // the panel names the type
  const told = [...varyingNames(problemNames, points), ...(which === 'all' ? varyingNames([...tunableNames, 'layout'], points) : [])].filter((name) => !without.includes(name));
  const short = (point) => kindOf(category)(point) + (report.runs_repeat && category !== 'run' ? ` · ${runOf(point).label}` : '');
  const long = (point) => words(short(point), category === 'variant' || panels === 'variant' ? '' : of('variant', point), parametersText(told, point));
  const name = [long, short].find((candidate) => distinct(points.map(candidate)).length <= 24) ?? short;
  return { name, names: sorted(distinct(points.map(name))), followers };
}

function drawSweep() {
  const { names: workloads, workload, points: all, axes, axis } = sweptPoints();
  const body = openSection('sweep', axes.length > 0);
  if (!body) return;
  const choice = { panels: 'platform', which: 'fastest', ...choices.sweep, workload };
  const choose = chooser('sweep', () => {
    drawSweep();
    drawHeatmap();
  });
  const others = axes.filter((name) => name !== axis);
  const categoryKeys = ['variant', 'platform', ...(report.runs.length > 1 ? ['run'] : []), ...others];
  if (!categoryKeys.includes(choice.category)) choice.category = 'variant';

  const candidates = all.filter((point) => parameter(axis, point) !== undefined && of(filter.quantity, point) !== null);
  const panelOf = (point) => words(kindOf(choice.panels)(point), [axis, choice.category].includes('dtype') ? '' : typeOf(point));
  const { name: nameOf, names, followers } = lineNames(axis, choice);
  // A line holds everything but the axis; of tunables the fastest stands for all, unless all are wanted.
  const seriesOf = (point) => keyOf(panelOf(point), nameOf(point), deviceOf(point), of('variant', point), problemText(point, [axis, ...followers]), of('run', point),
    choice.which === 'all' ? tunablesText(point, [axis]) : '');
  const { points, note } = thinned(fastestOfEach(candidates, (point) => keyOf(seriesOf(point), parameter(axis, point))), (point) => keyOf(panelOf(point), nameOf(point), parameter(axis, point)));
  const rows = figuresOf(filter.quantity, points).map((row) => ({ ...row, x: parameter(axis, row.id), panel: panelOf(row.id) || 'all', category: nameOf(row.id), series: seriesOf(row.id).replaceAll('\u0001', ' ') }));
  const places = sorted(distinct(rows.map((row) => row.x)));
  rows.sort((a, b) => a.panel.localeCompare(b.panel) || a.category.localeCompare(b.category) || places.indexOf(a.x) - places.indexOf(b.x));
  const above = places.length > 1 && places.every((place) => place > 0);
  const logX = above && (choice.logX ?? spansDecades(places, 8));
  const logY = choice.logY ?? spansDecades(rows.map((row) => row.value), 8);
  const tuned = others.some((name) => tunableNames.includes(name));
  body.append(controls(
    workloads.length > 1 ? select('Workload', options(workloads), workload, choose('workload')) : null,
    select('Axis', options(axes), axis, (value) => { delete choices.sweep.logX; choose('axis')(value); }),
    select('Colour and shape', categoryKeys.map(kindNamed), choice.category, choose('category')),
    select('Panels', [...['platform', 'variant'].map(kindNamed), { label: 'one panel', value: 'none' }], choice.panels, choose('panels')),
    tuned ? select('Other tunables', [{ label: 'the fastest of them', value: 'fastest' }, { label: 'a line for each', value: 'all' }], choice.which, choose('which')) : null,
    above ? check('logarithmic axis', logX, choose('logX')) : null,
    check('logarithmic figures', logY, choose('logY'))));
  drawCurves(body, 'sweep', rows, {
    quantity: filter.quantity, axis, logX, logY, ...panelLayout(distinct(rows.map((row) => row.panel)).length), names, categoryTitle: kindNamed(choice.category).label.toLowerCase(),
    caption: `${note}Medians with the range of the samples. ${filter.measure}.${choice.which === 'fastest' && tuned ? ' Other tunables have their fastest values.' : ''}`,
  });
}

function drawHeatmap() {
  const choice = choices.heatmap;
  const { title, text } = quantities.get(filter.quantity);
  const { points: all, axis: first } = sweptPoints();
  const candidates = all.filter((point) => of('right', point) === 1 && of(filter.quantity, point) !== null);
  // Pairs of axes that points have both of, with the axis of the curves first.
  const having = (pair) => candidates.filter((point) => pair.every((name) => parameter(name, point) !== undefined));
  const axes = axesOf(candidates).slice(0, 12).sort((a, b) => (b === first) - (a === first));
  const pairs = axes.flatMap((a, index) => axes.slice(index + 1).map((b) => [a, b])).filter((pair) => pair.every((name) => axesOf(having(pair)).includes(name)));
  const body = openSection('heatmap', pairs.length > 0);
  if (!body) return;
  const pair = pairs.find((one) => one.join() === choice.pair) ?? pairs[0];
  const [x, y] = pair;
  const variants = sorted(distinct(having(pair).map((point) => of('variant', point))));
  const variant = variants.includes(choice.variant) ? choice.variant : undefined;
  const pool = having(pair).filter((point) => variant === undefined || of('variant', point) === variant);
  const panelOf = (point) => words(deviceOf(point), pair.includes('dtype') ? '' : typeOf(point));
  const placeOf = (point) => keyOf(panelOf(point), parameter(x, point), parameter(y, point));
  const { points, note } = thinned(fastestOfEach(pool, placeOf), placeOf);
  const values = points.map((point) => of(filter.quantity, point));
  const panels = sorted(distinct(points.map(panelOf)));
  const layout = panelLayout(panels.length);
  const [across, down] = pair.map((name) => sorted(distinct(points.map((point) => parameter(name, point)))));
  const width = Math.min(layout.width - 20, Math.max(180, across.length * 70));
  // In pixels of its font; a number without its unit would say something else.
  const cellText = (own) => (own.length * 6.2 < width / across.length ? own : '');
  const choose = chooser('heatmap', drawHeatmap);
  body.append(controls(
    select('Axes', pairs.map((one) => ({ label: one.join(' × '), value: one.join() })), pair.join(), choose('pair')),
    select('Variant', [{ label: 'the fastest' }, ...options(variants)], variant, choose('variant'))));
  drawChart(body, 'heatmap', 'heatmap', points.map((point, index) => ({ id: point, value: values[index], x: parameter(x, point), y: parameter(y, point), panel: panelOf(point), label: cellText(of(text, point)) })), {
    panels, columns: layout.columns, width, xTitle: x, yTitle: y, xSort: across, ySort: down.reverse(), valueTitle: title, valueLabels: labelsOf(filter.quantity),
    colourScale: spansDecades(values, 8) ? 'log' : 'linear',
    label: `${title} over ${x} and ${y}`, caption: `${note}${title} of the fastest point of each cell${variant ? ` of ${variant}` : ''}. ${filter.measure}.`,
  });
}
