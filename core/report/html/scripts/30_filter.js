// Which points are shown. One way of measuring is always chosen: times of different bases are never in one chart.

const everything = Symbol('all');

const filterKeys = {
  workload: { label: 'Workload', of: (point) => of('workload', point) },
  platform: { label: 'Device', of: deviceOf },
  variant: { label: 'Variant', of: (point) => of('variant', point) },
  backend: { label: 'Backend', of: (point) => platformOf(point).backend },
  run: { label: 'Run', of: (point) => runOf(point).label },
  status: { label: 'Status', of: (point) => of('status', point) },
};

const filter = {};
const choices = {};  // of each section: what its own controls say

function resetFilter() {
  for (const key of Object.keys(filterKeys)) filter[key] = everything;
  Object.assign(filter, { parameters: {}, measure: undefined, quantity: 'time' });
  for (const section of ['sweep', 'modes', 'vendors', 'heatmap', 'history', 'points']) choices[section] = {};
}
resetFilter();

// Sets what a control of a section says and draws the section anew.
const chooser = (section, draw) => (key) => (value) => {
  choices[section][key] = value;
  draw();
};

function passing(points, { measure = filter.measure } = {}) {
  const demands = [
    ...(measure ? [(point) => of('measured_as', point) === measure] : []),
    ...Object.entries(filterKeys).filter(([key]) => filter[key] !== everything).map(([key, { of: value }]) => (point) => value(point) === filter[key]),
    ...Object.entries(filter.parameters).filter(([, value]) => value !== everything)
      .map(([name, value]) => (point) => (parameter(name, point) ?? value) === value),
  ];
  return points.filter((point) => demands.every((fits) => fits(point)));
}

let shownPoints = [];  // all that pass the filter
let timedPoints = [];  // those of them with a time

function applyFilter() {
  const possible = [...groupBy(passing(everyTimed, { measure: null }), (point) => of('measured_as', point))];
  if (possible.length > 0 && !possible.some(([measure]) => measure === filter.measure)) {
    filter.measure = possible.reduce((best, entry) => (entry[1].length > best[1].length ? entry : best))[0];
  }
  shownPoints = passing(allPoints);
  timedPoints = shownPoints.filter(isTimed);
}

const options = (values) => values.map((value) => ({ label: String(value), value }));
const orAll = (values) => [{ label: 'all', value: everything }, ...options(values)];

function drawFilters() {
  const form = byId('filters');
  const ofWorkload = allPoints.filter((point) => filter.workload === everything || of('workload', point) === filter.workload);
  const timed = ofWorkload.filter(isTimed);
  const change = (key) => (value) => {
    filter[key] = value;
    if (key === 'workload') Object.assign(filter, { parameters: {}, variant: everything });
    update();
  };
  const one = (label, values, key, all) => (values.length > 1 ? select(label, all ? orAll(values) : options(values), filter[key], change(key)) : null);
  const known = [...quantities.keys()].filter((name) => timed.some((point) => of(name, point) !== null));
  if (!known.includes(filter.quantity) && known.length > 0) [filter.quantity] = known;
  const more = axesOf(ofWorkload).map((name) => select(name, orAll(sorted(distinct(ofWorkload.map((point) => parameter(name, point))))),
    filter.parameters[name] ?? everything, (value) => {
      filter.parameters[name] = value;
      update();
    }));
  const open = form.querySelector('details')?.open || Object.values(filter.parameters).some((value) => value !== everything);
  const box = more.length > 0 ? folded('Parameters', element('div', { class: 'more' }, more)) : '';
  if (box) box.open = open;
  const parts = [
    ...Object.entries(filterKeys).map(([key, { label, of: value }]) => one(label, sorted(distinct((key === 'workload' ? allPoints : ofWorkload).map(value))), key, true)),
    one('Measured as', sorted(distinct(timed.map((point) => of('measured_as', point)))), 'measure', false),
    known.length > 1 ? select('Show', known.map((name) => ({ label: quantities.get(name).label, value: name })), filter.quantity, change('quantity')) : null,
    button('Reset', () => { resetFilter(); update(); }), box,
  ];
  form.replaceChildren(...parts.filter(Boolean));
  const untimed = shownPoints.length - timedPoints.length;
  byId('count').textContent = `${plural(shownPoints.length, 'point')} of ${count(pointCount)} shown${untimed > 0 ? `, ${count(untimed)} of them without a time` : ''}; ${filter.measure ?? ''}`;
}
