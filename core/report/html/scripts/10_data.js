// The data of the report and the questions that everything else asks of it. A point is a number: the place of
// its values in the columns.

const report = JSON.parse(document.getElementById('data').textContent);
const chartTemplates = JSON.parse(document.getElementById('charts').textContent);

const columns = report.points;
const pointCount = columns.count;

// A column of one value comes as that value; three members hold a column for each name.
function whole(column) {
  if (Array.isArray(column)) return column;
  if (column?.values) return { values: column.values, codes: whole(column.codes) };
  return new Array(pointCount).fill(column);
}
for (const [name, column] of Object.entries(columns)) {
  if (name === 'count') continue;
  const named = ['problem', 'tunables', 'resources'].includes(name);
  columns[name] = named ? Object.fromEntries(Object.entries(column).map(([key, inner]) => [key, whole(inner)])) : whole(column);
}

function codedValue(column, point) {
  const code = column.codes[point];
  return code < 0 ? undefined : column.values[code];
}

const text = (name, point) => codedValue(columns[name], point);
const number = (name, point) => columns[name][point];
const isTimed = (point) => columns.timed[point] === 1;
const platformOf = (point) => report.platforms[columns.platform[point]];
const runOf = (point) => report.runs[columns.run[point]];
const resource = (metric, point) => (columns.resources[metric] ? columns.resources[metric][point] : null);

const problemNames = Object.keys(columns.problem);
const tunableNames = Object.keys(columns.tunables);
const parameterNames = [...new Set([...problemNames, ...tunableNames])];

// A parameter of a point, or its layout, cache or launch mode; undefined if it has none of that name.
function parameter(name, point) {
  if (['layout', 'cache', 'launch'].includes(name)) return text(name, point) || undefined;
  const own = columns.problem[name] && codedValue(columns.problem[name], point);
  if (own !== undefined) return own;
  return columns.tunables[name] && codedValue(columns.tunables[name], point);
}

function parametersText(names, point, without = []) {
  return names
    .filter((name) => !without.includes(name))
    .map((name) => [name, parameter(name, point)])
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

const problemText = (point, without) => parametersText(problemNames, point, without);
const tunablesText = (point, without) => parametersText([...tunableNames, 'layout'], point, without);

function pointLabel(point) {
  const parts = [`${text('workload', point)}/${text('variant', point)} @ ${platformOf(point).label}`];
  parts.push(problemText(point), tunablesText(point));
  if (report.runs.length > 1) parts.push(`(${runOf(point).label})`);
  return parts.filter(Boolean).join(' ');
}

const measureText = (point) =>
  `basis ${text('basis', point)}, cache ${text('cache', point)}, launch ${text('launch', point)}`;

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

const allPoints = Array.from({ length: pointCount }, (_, point) => point);

const distinct = (values) => [...new Set(values.filter((value) => value !== undefined && value !== null && value !== ''))];

const platformPlaces = new Map(report.platforms.map(({ label }, place) => [label, place]));

// Numbers by size, devices in one order everywhere, texts by their own.
function sorted(values) {
  const copy = [...values];
  if (copy.every((value) => platformPlaces.has(value))) return copy.sort((a, b) => platformPlaces.get(a) - platformPlaces.get(b));
  return copy.every((value) => typeof value === 'number')
    ? copy.sort((a, b) => a - b)
    : copy.sort((a, b) => String(a).localeCompare(String(b), 'en', { numeric: true }));
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

// The program ranks (core/report/rank.hpp); place 0 does not compete. Points of several problems are only ordered by time.
const competes = (point) => number('place', point) > 0;
const sameProblem = (a, b) => number('comparison', a) === number('comparison', b) && number('platform', a) === number('platform', b);
const byRank = (a, b) => competes(b) - competes(a) || (sameProblem(a, b) ? number('best', b) - number('best', a) || number('place', a) - number('place', b) : 0);
const byTime = (a, b) => byRank(a, b) || number('median_ns', a) - number('median_ns', b);
const fastestOf = (points) => points.reduce((a, b) => (byTime(a, b) > 0 ? b : a));
const markOf = (point) => (number('best', point) === 1 || number('own_best', point) === 1 ? '★ ' : number('place', point) === 1 ? '= ' : '');

const whyBehind = (point) => (competes(point) ? '' : number('older', point) === 1 ? 'of an older run' : 'cannot win');

// Have two runs the same lines, so that only the run tells them apart?
const linesOfRuns = groupBy(allPoints.filter(isTimed), (point) => [platformOf(point).label, text('workload', point), text('variant', point)].join('\u0001'));
const runsShareLines = [...linesOfRuns.values()].some((points) => distinct(points.map((point) => runOf(point).label)).length > 1);

// Points that could be shown as a result: timed, and not there to show a mistake.
const isRight = (point) => isTimed(point) && text('expect', point) === 'right';

// What tells the problems of a workload apart; all of it where there is only one.
const shortNames = new Map([...groupBy(allPoints, (point) => text('workload', point))].map(([workload, points]) => {
  const representatives = [...groupBy(points, (point) => problemText(point)).values()].map(([first]) => first);
  return [workload, varyingNames(problemNames, representatives)];
}));

function shortProblem(point, without = []) {
  const names = shortNames.get(text('workload', point));
  return names.length > 0 ? parametersText(names, point, without) : without.length > 0 ? '' : problemText(point);
}
