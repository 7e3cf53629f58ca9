// Which points are shown, and the address that keeps what the reader chose. One way of measuring is always chosen: times of
// different bases are never in one chart.

const filterKeys = {
  workload: { label: 'Workload', of: (point) => of('workload', point) },
  platform: { label: 'Device', of: deviceOf },
  variant: { label: 'Variant', of: (point) => of('variant', point) },
  backend: { label: 'Backend', of: (point) => platformOf(point).backend },
  run: { label: 'Run', of: (point) => runOf(point).label },
  status: { label: 'Status', of: (point) => of('status', point) },
};

// What the reader chose. In `filter` and `parameter` a list of texts for each name, of which none is empty; in `show` the
// measure, the quantity and the row that others are compared with; and what the controls of each section say.
const choices = Object.create(null);
const lists = ['filter', 'parameter'];
const filter = {};  // the measure and the quantity that are shown, and the quantities that are known
let place = '';  // the section that the address names

function resetChoices() {
  for (const part of [...lists, 'show', 'sweep', 'modes', 'vendors', 'heatmap', 'history', 'points']) choices[part] = Object.create(null);
}
resetChoices();

// `#SECTION&filter.platform=cuda:0&sweep.axis=tile`; a name with several values occurs as often.
function address() {
  const chosen = Object.entries(choices).flatMap(([part, own]) => Object.entries(own).flatMap(([key, value]) => [value ?? []].flat().map((one) => [`${part}.${key}`, one])));
  return `#${[place, new URLSearchParams(chosen.filter(([, value]) => value !== '')).toString()].filter(Boolean).join('&')}`;
}

function keepAddress() {
  if (address() !== (window.location.hash || '#')) window.history.replaceState(null, '', address());
}

function readAddress() {
  resetChoices();
  place = '';
  for (const [name, text] of new URLSearchParams(window.location.hash.slice(1))) {
    const [part, key] = name.split(/\.(.*)/s);
    if (text === '') place = name;
    else if (part === 'parameter' || (part === 'filter' && Object.hasOwn(filterKeys, key))) (choices[part][key] ??= []).push(text);
    else if (part !== 'filter' && part in choices) choices[part][key] = /^(true|false|0|[1-9]\d{0,9})$/.test(text) ? JSON.parse(text) : text;
  }
}

// Sets what a control of a section says and draws the section anew.
const chooser = (section, draw) => (key) => (value) => {
  choices[section][key] = value;
  keepAddress();
  draw();
};

function passing(points, { measure = filter.measure } = {}) {
  const demands = [
    ...(measure ? [(point) => of('measured_as', point) === measure] : []),
    ...Object.entries(choices.filter).map(([key, texts]) => (point) => texts.includes(String(filterKeys[key].of(point)))),
    ...Object.entries(choices.parameter).map(([name, texts]) => (point) => parameter(name, point) === undefined || texts.includes(String(parameter(name, point)))),
  ];
  return points.filter((point) => demands.every((fits) => fits(point)));
}

let shownPoints = [];  // all that pass the filter
let timedPoints = [];  // those of them with a time

function applyFilter() {
  const possible = [...groupBy(passing(everyTimed, { measure: null }), (point) => of('measured_as', point))];
  const wanted = [choices.show.measure, filter.measure].find((measure) => possible.some(([own]) => own === measure));
  filter.measure = wanted ?? possible.reduce((best, entry) => (entry[1].length > best[1].length ? entry : best), [filter.measure, []])[0];
  shownPoints = passing(allPoints);
  timedPoints = shownPoints.filter(isTimed);
  relateTo(choices.show.row);
  filter.known = [...quantities.keys()].filter((name) => timedPoints.some((point) => of(name, point) !== null));
  filter.quantity = [choices.show.quantity, ...filter.known].find((name) => filter.known.includes(name)) ?? 'time';
}

const options = (values) => values.map((value) => ({ label: String(value), value }));

// Values of a list to tick; where none is ticked all are shown.
function several(label, values, part, key) {
  const ticked = choices[part][key] ?? [];
  const box = folded(`${label}: ${ticked.join(', ') || 'all'}`, element('div', { class: 'values' }, values.map(String).map((text) => check(text, ticked.includes(text), (on) => {
    choices[part][key] = on ? [...ticked, text] : ticked.filter((one) => one !== text);
    if (choices[part][key].length === 0) delete choices[part][key];
    if (key === 'workload') {
      choices.parameter = Object.create(null);
      delete choices.filter.variant;
    }
    update();
  }, `${part}.${key}=${text}`))));
  box.dataset.filter = `${part}.${key}`;
  return box;
}

function drawFilters() {
  const form = byId('filters');
  const { workload } = choices.filter;
  const ofWorkload = allPoints.filter((point) => !workload || workload.includes(of('workload', point)));
  const measures = sorted(distinct(ofWorkload.filter(isTimed).map((point) => of('measured_as', point))));
  const change = chooser('show', update);
  const more = axesOf(ofWorkload).map((name) => several(name, sorted(distinct(ofWorkload.map((point) => parameter(name, point)))), 'parameter', name));
  const box = more.length > 0 ? folded('Parameters', element('div', { class: 'more' }, more)) : '';
  if (box) box.dataset.filter = 'parameters';
  const parts = [
    ...Object.entries(filterKeys).map(([key, { label, of: value }]) => [label, sorted(distinct((key === 'workload' ? allPoints : ofWorkload).map(value))), 'filter', key])
      .filter(([, values]) => values.length > 1).map((own) => several(...own)),
    measures.length > 1 ? select('Measured as', options(measures), filter.measure, change('measure')) : '',
    filter.known.length > 1 ? select('Show', filter.known.map((name) => ({ label: quantities.get(name).label, value: name })), filter.quantity, change('quantity')) : '',
    button('Reset', () => { resetChoices(); update(); }), box,
  ];
  // What was open and had the focus has it again.
  const open = [...form.querySelectorAll('details[open]')].map(({ dataset }) => dataset.filter);
  const { name: focused } = form.contains(document.activeElement) ? document.activeElement : {};
  form.replaceChildren(...parts.filter(Boolean));
  for (const own of form.querySelectorAll('details')) own.open = open.includes(own.dataset.filter) || (own === box && Object.keys(choices.parameter).length > 0);
  if (focused) form.elements.namedItem(focused)?.focus();
  const untimed = shownPoints.length - timedPoints.length;
  byId('count').textContent = `${plural(shownPoints.length, 'point')} of ${count(pointCount)} shown${untimed > 0 ? `, ${count(untimed)} of them without a time` : ''}; ${filter.measure ?? ''}${
    filter.quantity === 'relative' ? `; ${quantities.get('relative').label}` : ''}`;
}
