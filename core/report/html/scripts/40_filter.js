// Which points are shown. One way of measuring is always chosen: times of different bases are never in one chart.

const everything = Symbol('all');

const filter = {
  workload: everything, platform: everything, backend: everything, type: everything, variant: everything, run: everything,
  measure: undefined, status: everything, parameters: {}, quantity: 'time', logX: undefined, logY: undefined,
};

const backendOf = (point) => platformOf(point).backend;
const typeOf = (point) => (platformOf(point).known ? platformOf(point).device.type : undefined);

const filterKeys = {
  workload: { label: 'Workload', of: (point) => text('workload', point) },
  variant: { label: 'Variant', of: (point) => text('variant', point) },
  backend: { label: 'Backend', of: backendOf },
  type: { label: 'Kind of device', of: typeOf },
  platform: { label: 'Device', of: (point) => platformOf(point).label },
  run: { label: 'Run', of: (point) => runOf(point).label },
  status: { label: 'Status', of: (point) => text('status', point) },
};

// Points that pass what is chosen; `without` names a choice that is left aside.
function passing(points, without) {
  const demands = [];
  if (filter.measure !== undefined && without !== 'measure') demands.push((point) => measureText(point) === filter.measure);
  for (const [key, { of }] of Object.entries(filterKeys)) {
    if (filter[key] !== everything) demands.push((point) => of(point) === filter[key]);
  }
  for (const [name, value] of Object.entries(filter.parameters)) {
    if (value !== everything) demands.push((point) => (parameter(name, point) ?? value) === value);
  }
  return points.filter((point) => demands.every((fits) => fits(point)));
}

let shownPoints = [];  // all that pass the filter
let timedPoints = [];  // those of them with a time

function applyFilter() {
  shownPoints = passing(allPoints);
  timedPoints = shownPoints.filter(isTimed);
}

function options(values, all = 'all') {
  return [...(all ? [{ label: all, value: everything }] : []), ...values.map((value) => ({ label: String(value), value }))];
}

function pickMeasure() {
  const possible = [...groupBy(passing(allPoints, 'measure').filter(isTimed), measureText)];
  if (possible.length === 0) return;
  if (!possible.some(([measure]) => measure === filter.measure)) {
    filter.measure = possible.reduce((best, entry) => (entry[1].length > best[1].length ? entry : best))[0];
  }
}

function change(key, value) {
  filter[key] = value;
  if (key === 'workload') {
    filter.parameters = {};
    filter.variant = everything;
    filter.logX = filter.logY = undefined;
  }
  update();
}

// Axes can be anything of a point that has several values among the shown points.
function axesOf(points) {
  return varyingNames([...parameterNames, 'layout'], points);
}

function drawFilters() {
  const form = document.getElementById('filters');
  const ofWorkload = allPoints.filter((point) =>
    filter.workload === everything || text('workload', point) === filter.workload);
  const choices = (key, points) => sorted(distinct(points.map(filterKeys[key].of)));
  const controls = [];
  for (const key of ['workload', 'platform', 'variant', 'backend', 'type', 'run', 'status']) {
    const values = choices(key, key === 'workload' ? allPoints : ofWorkload);
    if (values.length > 1) {
      controls.push(select(filterKeys[key].label, options(values), filter[key], (value) => change(key, value)));
    }
  }
  const measures = sorted(distinct(ofWorkload.filter(isTimed).map(measureText)));
  if (measures.length > 1) {
    controls.push(select('Measured as', options(measures, null), filter.measure, (value) => change('measure', value)));
  }
  const known = Object.keys(quantities).filter((name) => ofWorkload.some((point) => isTimed(point) && quantities[name].of(point) !== null));
  if (!known.includes(filter.quantity) && known.length > 0) filter.quantity = known[0];
  if (known.length > 1) {
    controls.push(select('Show', known.map((name) => ({ label: quantities[name].label, value: name })), filter.quantity,
      (value) => change('quantity', value)));
  }
  const axes = axesOf(ofWorkload);
  const more = axes.map((name) => select(name, options(sorted(distinct(ofWorkload.map((point) => parameter(name, point))))),
    filter.parameters[name] ?? everything, (value) => {
      filter.parameters[name] = value;
      update();
    }));
  const wasOpen = form.querySelector('details')?.open || Object.values(filter.parameters).some((value) => value !== everything);
  const untimed = shownPoints.length - timedPoints.length;
  form.replaceChildren(...controls,
    element('button', { type: 'button', onclick: resetFilter }, 'Reset'),
    more.length > 0 ? element('details', { open: Boolean(wasOpen) }, element('summary', {}, 'Parameters'), element('div', { class: 'more' }, more)) : '');
  document.getElementById('count').textContent = `${plural(shownPoints.length, 'point')} of ${count(pointCount)} shown` +
    (untimed > 0 ? `, ${count(untimed)} of them without a time` : '') + `; ${filter.measure ?? ''}`;
}

function resetFilter() {
  for (const key of Object.keys(filterKeys)) filter[key] = everything;
  Object.assign(filter, { parameters: {}, measure: undefined, quantity: 'time', logX: undefined, logY: undefined });
  startWithWorkload();
  update();
}

// One workload at a time is what can be read; the first is chosen.
function startWithWorkload() {
  const timed = allPoints.filter(isTimed);
  const names = distinct((timed.length > 0 ? timed : allPoints).map((point) => text('workload', point)));
  const real = names.filter((name) => name !== 'peaks');
  if (names.length > 1) filter.workload = real[0] ?? names[0];
}
