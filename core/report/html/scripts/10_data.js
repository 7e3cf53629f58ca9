// The data of the report and the questions that everything else asks of it. A point is a number: the place of
// its values in the columns.

const report = JSON.parse(document.getElementById('data').textContent);
const chartTemplates = JSON.parse(document.getElementById('charts').textContent);

const columns = report.points;
const pointCount = columns.count;

// A column of one value comes as that value; three members hold a column for each name.
function whole(column) {
  if (Array.isArray(column)) return column;
  if (column?.values) return whole(column.codes).map((code) => (code < 0 ? undefined : column.values[code]));
  return new Array(pointCount).fill(column);
}
for (const [name, column] of Object.entries(columns)) {
  if (name === 'count') continue;
  const named = ['problem', 'tunables', 'resources'].includes(name);
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
const variantText = (point) => words(of('variant', point), of('vendor', point) === 1 && !of('variant', point).includes('vendor') ? '(vendor)' : '', tunablesText(point));
const measureText = (point) => `basis ${of('basis', point)}, cache ${of('cache', point)}, launch ${of('launch', point)}`;

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

// Axes can be anything of a point that has several values among the points.
const axesOf = (points) => varyingNames([...new Set([...problemNames, ...tunableNames]), 'layout'], points);

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

// The program ranks (core/report/rank.hpp); place 0 does not compete. Points of several problems are only ordered by time.
const competes = (point) => of('place', point) > 0;
const sameProblem = (a, b) => of('comparison', a) === of('comparison', b) && of('platform', a) === of('platform', b);
const byTime = (a, b) => competes(b) - competes(a) || (sameProblem(a, b) ? of('best', b) - of('best', a) || of('place', a) - of('place', b) : 0) ||
  of('median_ns', a) - of('median_ns', b);
const fastestOf = (points) => points.reduce((a, b) => (byTime(a, b) > 0 ? b : a));
// The fastest of each group of points.
const fastestOfEach = (points, key) => [...groupBy(points, key).values()].map(fastestOf);
const markOf = (point) => (of('best', point) === 1 || of('own_best', point) === 1 ? '★ ' : of('place', point) === 1 ? '= ' : '');

// Points that could be shown as a result: timed, and not there to show a mistake.
const isRight = (point) => isTimed(point) && of('expect', point) === 'right';

// Have two runs the same lines, so that only the run tells them apart?
const runsShareLines = [...groupBy(everyTimed, (point) => keyOf(deviceOf(point), of('workload', point), of('variant', point))).values()]
  .some((points) => distinct(points.map((point) => of('run', point))).length > 1);

// What tells the problems of a workload apart; all of it where there is only one.
const shortNames = new Map([...groupBy(allPoints, (point) => of('workload', point))].map(([workload, points]) =>
  [workload, varyingNames(problemNames, [...groupBy(points, (point) => problemText(point)).values()].map(([first]) => first))]));

function shortProblem(point, without = []) {
  const names = shortNames.get(of('workload', point));
  return names.length > 0 ? parametersText(names, point, without) : without.length > 0 ? '' : problemText(point);
}

const anyOfComparison = new Map(everyTimed.map((point) => [of('comparison', point), point]));
const comparisonLabel = (comparison) => words(report.comparisons[comparison].workload, shortProblem(anyOfComparison.get(comparison)));

// What charts can show of a point: `column` has the values, `text` the same for readers.
const quantities = {
  time: { label: 'median time', title: 'Median time', column: 'median_ns', text: 'median', lower: true },
  gflops: { label: 'GFLOP/s', title: 'Rate (GFLOP/s)', column: 'gflops', text: 'gflops', unit: ' GFLOP/s' },
  gbytes: { label: 'GB/s', title: 'Rate (GB/s)', column: 'gbytes_per_s', text: 'gbytes_per_s', unit: ' GB/s' },
  access: { label: 'time per access', title: 'Time per access', column: 'ns_per_access', text: 'access_text', lower: true },
  roof: { label: 'share of the roof', title: 'Share of the measured roof', column: 'roof_fraction', text: 'roof_text' },
  datasheet: { label: 'share of the datasheet', title: 'Share of the datasheet\'s peak', column: 'datasheet_share', text: 'datasheet_text' },
};

// Rows of a chart: the quantity of these points, with the range of the time turned into its own.
function figuresOf(name, points) {
  const { column, lower } = quantities[name];
  return points.filter((point) => of(column, point) !== null).map((point) => {
    const [value, ...ends] = [column, 'low_ns', 'high_ns'].map((key) => of(key, point));
    const range = ends.map((end) => (!ends[0] ? null : value * (lower ? end / of('median_ns', point) : of('median_ns', point) / end)));
    return { id: point, value, low: range[lower ? 0 : 1], high: range[lower ? 1 : 0] };
  });
}
