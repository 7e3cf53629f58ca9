// The data of the report and the questions that everything else asks of it. A point is a number: the place of
// its values in the columns.

const report = JSON.parse(document.getElementById('data').textContent);
const chartTemplates = JSON.parse(document.getElementById('charts').textContent);

const columns = report.points;
const pointCount = columns.count;

// A column of one value comes as that value; two members hold a column for each name.
function whole(column) {
  if (Array.isArray(column)) return column;
  if (column?.values) return whole(column.codes).map((code) => (code < 0 ? undefined : column.values[code]));
  return new Array(pointCount).fill(column);
}
for (const [name, column] of Object.entries(columns)) {
  if (name === 'count') continue;
  const named = ['problem', 'tunables'].includes(name);
  columns[name] = named ? Object.fromEntries(Object.entries(column).map(([key, inner]) => [key, whole(inner)])) : whole(column);
}

// A text or a number of a point; null where there is none.
const of = (name, point) => columns[name][point];
const isTimed = (point) => of('timed', point) === 1;
const platformOf = (point) => report.platforms[of('platform', point)];
const deviceOf = (point) => platformOf(point).label;
const runOf = (point) => report.runs[of('run', point)];

const problemNames = Object.keys(columns.problem);
const tunableNames = Object.keys(columns.tunables);

// A parameter of a point, or its layout, cache or launch mode; undefined if it has none of that name.
function parameter(name, point) {
  if (['layout', 'cache', 'launch'].includes(name)) return of(name, point) || undefined;
  return columns.problem[name]?.[point] ?? columns.tunables[name]?.[point] ?? undefined;
}

const parametersText = (names, point, without = []) => names.filter((name) => !without.includes(name) && parameter(name, point) !== undefined)
  .map((name) => `${name}=${parameter(name, point)}`).join(' ');
const problemText = (point, without) => parametersText(problemNames, point, without);
const tunablesText = (point, without) => parametersText([...tunableNames, 'layout'], point, without);
const words = (...parts) => parts.filter(Boolean).join(' ');
const keyOf = (...parts) => parts.join('\u0001');

const pointLabel = (point) => words(`${of('workload', point)}/${of('variant', point)} @ ${deviceOf(point)}`, problemText(point), tunablesText(point),
  report.runs.length > 1 ? `(${runOf(point).label})` : '');
const variantText = (point) => words(of('variant', point), tunablesText(point));

const count = (value) => value.toLocaleString('en-US');
const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

const distinct = (values) => [...new Set(values.filter((value) => value !== undefined && value !== null && value !== ''))];

// Parameters that vary among points; of several that always agree (m and k with n) one stands for all.
function varyingNames(names, points) {
  const seen = new Map();
  for (const name of names) {
    const values = points.map((point) => parameter(name, point));
    if (distinct(values).length < 2) continue;
    const key = JSON.stringify(values.map((value) => value ?? null));
    if (!seen.has(key) || name === 'n') seen.set(key, name);
  }
  return [...seen.values()];
}

// Axes can be anything of a point that has several values among the points; its type is seldom asked for.
const axesOf = (points) => varyingNames([...new Set([...problemNames.filter((name) => name !== 'dtype'), ...tunableNames]), 'layout', 'dtype'], points);

const platformPlaces = new Map(report.platforms.map(({ label }, place) => [label, place]));

// Numbers by size, devices in one order everywhere, texts by their own.
function sorted(values) {
  if (values.every((value) => platformPlaces.has(value))) return [...values].sort((a, b) => platformPlaces.get(a) - platformPlaces.get(b));
  return [...values].sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true })));
}

function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) {
    const own = key(item);
    if (!groups.has(own)) groups.set(own, []);
    groups.get(own).push(item);
  }
  return groups;
}

const allPoints = Array.from({ length: pointCount }, (_, point) => point);
const everyTimed = allPoints.filter(isTimed);

// The element type, where the points of the workload have several: these are never one line, one cell or one colour.
const typedWorkloads = new Set([...groupBy(everyTimed, (point) => of('workload', point))]
  .filter(([, points]) => distinct(points.map((point) => parameter('dtype', point))).length > 1).map(([workload]) => workload));
const typeOf = (point) => (typedWorkloads.has(of('workload', point)) ? parameter('dtype', point) : undefined);

// The program ranks (core/store/rank.hpp) and puts all points in an order, the fastest first.
const competes = (point) => of('competes', point) === 1;
const byOrder = (a, b) => of('order', a) - of('order', b);
// The fastest of each group of points.
const fastestOfEach = (points, key) => [...groupBy([...points].sort(byOrder), key).values()].map(([first]) => first);

// What tells the problems of a workload apart; all of it where there is only one.
const shortNames = new Map([...groupBy(allPoints, (point) => of('workload', point))].map(([workload, points]) =>
  [workload, varyingNames(problemNames, [...groupBy(points, (point) => problemText(point)).values()].map(([first]) => first))]));

function shortProblem(point, without = []) {
  const names = shortNames.get(of('workload', point));
  return names.length > 0 ? parametersText(names, point, without) : without.length > 0 ? '' : problemText(point);
}

// Comparisons are numbered in the order of the config.
const comparisonsOf = (points) => [...groupBy(points, (point) => of('comparison', point))].sort(([a], [b]) => a - b).map(([, own]) => own);
const comparisonLabel = (point) => words(of('workload', point), shortProblem(point));

// What charts can show of a point: a column of the same name has the values, `text` names that of the texts.
const quantities = new Map(report.quantities.map((quantity) => [quantity.id, quantity]));

// Rows of a chart: the quantity of these points, with its range.
const figuresOf = (name, points) => points.filter((point) => of(name, point) !== null)
  .map((point) => ({ id: point, value: of(name, point), low: of(`${name}_low`, point), high: of(`${name}_high`, point) }));

// Speed relative to a row: on each problem, the time of the same variant of that row's device and run over that of a point.
let related;
function relateTo(row) {
  if (row === related) return;
  related = row;
  quantities.delete('relative');
  if (!everyTimed.includes(row)) return;
  const wayOf = (point) => keyOf(deviceOf(point), variantText(point), of('run', point));
  const problemOf = (point) => keyOf(of('workload', point), problemText(point), of('measured_as', point));
  const bases = new Map(everyTimed.filter((point) => wayOf(point) === wayOf(row)).map((point) => [problemOf(point), of('time', point)]));
  const ratios = allPoints.map((point) => (isTimed(point) && bases.has(problemOf(point)) ? bases.get(problemOf(point)) / of('time', point) : null));
  const none = ratios.map(() => null);
  Object.assign(columns, { relative: ratios, relative_low: none, relative_high: none, relative_text: ratios.map((ratio) => (ratio === null ? '' : `${Number(ratio.toPrecision(3))}×`)) });
  const own = everyTimed.filter((point) => of('workload', point) === of('workload', row) && of('variant', point) === of('variant', row));
  const name = words(of('variant', row), parametersText(varyingNames([...tunableNames, 'layout'], own), row), '@', deviceOf(row), report.runs.length > 1 ? `(${runOf(row).label})` : '');
  quantities.set('relative', { label: `speed relative to ${name}`, title: `Times as fast as ${name}`, text: 'relative_text', labels: 'ratios' });
}
const relativeFact = (point) => (quantities.has('relative') ? [[quantities.get('relative').title, of('relative_text', point)]] : []);
