// Charts: Vega-Lite specifications made from the templates, drawn by Vega without compiling any code.

const palettes = {
  light: ['#0072b2', '#d55e00', '#00805c', '#a63d86', '#b07500', '#2a9fd6', '#5f5f5f', '#882255'],
  dark: ['#5aaef0', '#ff8a4c', '#2fc79a', '#e08cc3', '#f0b429', '#9ad7f7', '#b8b8b8', '#d98aa6'],
};
// One fewer than colours: sixteen categories and more still differ in one of the two.
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-right'];

let theme;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// `{{name}}` becomes the value of that name; members without one are left out.
function filled(template, values) {
  if (typeof template === 'string') return /^\{\{\w+\}\}$/.test(template) ? values[template.slice(2, -2)] : template;
  if (Array.isArray(template)) return template.map((entry) => filled(entry, values));
  if (template === null || typeof template !== 'object') return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, values)]).filter(([, value]) => value !== undefined));
}

const deviceNames = sorted(distinct(everyTimed.map(deviceOf)));

// How the labels of axes are written: times in the largest unit that leaves 1.
const plainLabels = "datum.value >= 1e4 || (datum.value > 0 && datum.value < 1e-3) ? format(datum.value, '.3~s') : format(datum.value, '.4~r')";
const timeLabels = `datum.value === 0 ? '0' : ${[[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']].map(([ns, unit]) => `datum.value >= ${ns} ? format(datum.value / ${ns}, '.6~r') + ' ${unit}' : `).join('')}format(datum.value, '.6~r') + ' ns'`;
const ratioLabels = "format(datum.value, '.4~r') + '×'";
const axisLabels = { times: timeLabels, shares: "format(datum.value, '.3~p')", numbers: plainLabels, ratios: ratioLabels };
const labelsOf = (quantity) => axisLabels[quantities.get(quantity).labels];

const positive = (values) => values.filter((value) => value > 0);
const spansDecades = (values, ratio) => positive(values).length > 1 && Math.max(...positive(values)) / Math.min(...positive(values)) >= ratio;

// A tick of a logarithmic axis is labelled if its first digit is one of these.
const logLabels = (labels, values) => `indexof('${spansDecades(values, 100) ? '13' : '125'}', substring(format(datum.value, 'e'), 0, 1)) < 0 ? '' : ${labels}`;

// Scale and labels of an axis of values: logarithmic, or linear from zero (or from the least with `near`).
function valueAxis(prefix, log, values, labels, near = false) {
  const logarithmic = log && positive(values).length > 0;
  return {
    [`${prefix}Scale`]: logarithmic ? { type: 'log', nice: false, padding: 12 } : near ? { zero: false, padding: 14 } : { type: 'linear', zero: true, nice: true },
    [`${prefix}Labels`]: logarithmic ? logLabels(labels, values) : labels,
  };
}

// An axis over what is on it: numbers at their places, anything else one after the other.
function placeAxis(values, title, log) {
  const own = sorted(distinct(values));
  const numeric = own.every((value) => typeof value === 'number');
  if (!numeric || own.length < 2) return { xType: 'ordinal', xAxis: { title, labelAngle: numeric ? 0 : -35, labelOverlap: numeric || own.length > 10, labelLimit: 160 }, xSort: own, zoomed: ['y'] };
  const labels = "datum.value >= 1e5 ? format(datum.value, '.3~s') : format(datum.value, ',~r')";
  const { xScale, xLabels } = valueAxis('x', log, own, labels, true);
  const ticks = own.length <= 14 ? { values: own, labelExpr: labels } : { labelExpr: xLabels };
  return { xType: 'quantitative', xScale, xAxis: { title, ...ticks, labelOverlap: 'greedy', grid: true }, zoomed: ['x', 'y'] };
}

const markLimit = 3000;

// At most so many marks: the fastest of each place, of these evenly many; the chart says so.
function thinned(points, placeOf) {
  if (points.length <= markLimit) return { points, note: '' };
  const best = fastestOfEach(points, placeOf);
  const kept = best.filter((_, index) => index % Math.ceil(best.length / markLimit) === 0);
  return { points: kept, note: `Drawn: ${count(kept.length)} of ${count(points.length)} points, the fastest of each place. Filters show the others. ` };
}

const charts = new Map();  // figure's name to {view, spec}

async function save(name, kind) {
  const { view, spec } = charts.get(name);
  // XML has no control characters, whatever names hold.
  const content = { svg: async () => (await view.toSVG()).replace(/[^\t\n\r -\uffff]/g, ' '), spec: async () => JSON.stringify(spec, null, 1) };
  const url = kind === 'png' ? await view.toImageURL('png', 2) : URL.createObjectURL(new Blob([await content[kind]()], { type: kind === 'svg' ? 'image/svg+xml' : 'application/json' }));
  const link = element('a', { href: url, download: `benchctl_${name}.${kind === 'spec' ? 'vl.json' : kind}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// What the program says of a point where it is shown: 't'able, 'g'lance, 'd'etails or 'r'esources.
const factsShown = (where) => report.facts.filter(({ shown }) => shown.includes(where));
const factsOf = (point, where) => factsShown(where).map(({ id, label, meaning }) => [label, of(id, point), meaning]);

const tooltip = byId('tooltip');
const hideTooltip = () => { tooltip.hidden = true; };

function showTooltip(point, x, y) {
  tooltip.replaceChildren(element('strong', {}, pointLabel(point)), facts([...factsOf(point, 'g'), ...relativeFact(point)], 'Point'));
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - box.width - 6))}px`;
  tooltip.style.top = `${y + 16 + box.height < window.innerHeight ? y + 16 : Math.max(4, y - box.height - 12)}px`;
}

const isPoint = (id) => Number.isInteger(id);

// Arrow keys go from point to point, Enter opens one.
function steerByKeys(box, view, order) {
  let place = -1;
  box.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      place = (place + step + order.length) % order.length;
      view.signal('focus', order[place]).run();
      const frame = box.getBoundingClientRect();
      showTooltip(order[place], frame.left + 60, Math.max(10, frame.top));
      announce(`${pointLabel(order[place])}: ${of('median', order[place])}`);
      event.preventDefault();
    } else if (event.key === 'Enter' && place >= 0) {
      event.preventDefault();  // or the key would press the button that the dialog gives the focus to
      showDetail(order[place]);
    } else if (event.key === 'Escape') hideTooltip();
  });
  box.addEventListener('blur', () => {
    hideTooltip();
    place = -1;
    view.signal('focus', -1).run();
  });
}

// For charts whose template has the parameter `zoom`: buttons for its axes of numbers.
function zoomButtons(view, scales) {
  const axes = scales.filter(({ domainRaw }) => domainRaw).map(({ name, domainRaw }) => [name, `zoom_${/"(.*)"/.exec(domainRaw.signal)[1]}`]);
  const zoom = (factor) => () => {
    for (const [name, signal] of axes) {
      const scale = view.scale(name);
      view.signal(signal, factor && (scale.type === 'log' ? vega.zoomLog : vega.zoomLinear)(scale.domain(), null, factor));
    }
    view.runAsync();
  };
  return axes.length > 0 ? [button('Zoom in', zoom(0.7)), button('Zoom out', zoom(1 / 0.7)), button('Whole', zoom(null))] : [];
}

// Draws a chart into a figure of its own. `rows` with an `id` are points. `names` have the same colours in every chart;
// those that occur as categories get colour and shape: always both, so that none has to be told by colour.
async function drawChart(parent, name, template, rows, { caption = '', label = name, names = [], ...values }) {
  const colours = palettes[theme];
  const kept = names.map((category, index) => ({ category, index })).filter(({ category }) => rows.some((row) => row.category === category));
  const entry = 40 + 7 * Math.min(38, Math.max(...kept.map(({ category }) => category.length)));  // of the legend, in pixels
  const looks = { ...Object.fromEntries(['text', 'muted', 'back', 'line'].map((part) => [part, style(`--${part}`)])), accent: colours[0] };
  const spec = filled(chartTemplates[template], {
    ...looks,
    legendColumns: Math.max(1, Math.floor(values.width * (values.columns ?? 1) / entry)), domain: kept.map(({ category }) => category),
    colours: kept.map(({ index }) => colours[index % colours.length]), shapes: kept.map(({ index }) => shapes[index % shapes.length]), ...values,
  });
  spec.data = { values: rows };
  const order = rows.map((row) => row.id).filter(isPoint);
  const box = element('div', { class: 'chart', tabindex: '0', role: 'group', 'data-chart': name,
    'aria-label': `${label}. Arrow keys go from point to point, Enter opens one; "Table" lists them.` });
  const list = element('div', { hidden: true });
  const toggle = button('Table', () => {
    if (list.childElementCount === 0) list.append(pointTable(order.slice(0, 500)));
    list.hidden = !list.hidden;
    toggle.setAttribute('aria-expanded', String(!list.hidden));
  }, { 'aria-expanded': 'false' });
  const actions = element('div', { class: 'chart-actions' }, order.length > 0 ? toggle : null,
    ['svg', 'png', 'spec'].map((kind) => button(kind === 'spec' ? 'Vega-Lite' : kind.toUpperCase(), () => save(name, kind), { 'data-save': kind })));
  const captioned = element('figcaption', {}, caption);
  parent.append(element('figure', { 'data-figure': name }, box, actions, captioned, list));
  // Vega-Lite warns of what is meant here, such as axes shared by layers.
  const compiled = vegaLite.compile(spec, { config: filled(chartTemplates.config, looks), logger: vega.logger(vega.Error) }).spec;
  const view = new vega.View(vega.parse(compiled, null, { ast: true }), { renderer: 'svg', container: box, hover: true, expr: expressionInterpreter, logLevel: vega.Error });
  view.tooltip(() => {});
  view.addEventListener('pointermove', (event, item) => {
    if (isPoint(item?.datum?.id)) showTooltip(item.datum.id, event.clientX, event.clientY);
    else hideTooltip();
  });
  view.addEventListener('pointerout', hideTooltip);
  view.addEventListener('click', (event, item) => isPoint(item?.datum?.id) && showDetail(item.datum.id));
  charts.set(name, { view, spec });
  const zoomable = zoomButtons(view, compiled.scales);
  if (zoomable.length > 0) {
    actions.append(...zoomable);
    captioned.append(element('span', { class: 'no-print' }, ' To zoom, turn the wheel with Ctrl; drag to move.'));
  }
  await view.runAsync();
  // The box has a name, and keys and the table tell of its points: marks would be read out as so many nameless ones.
  box.querySelector('svg').setAttribute('aria-hidden', 'true');
  if (order.length > 0) steerByKeys(box, view, order);
}

function clearCharts(body) {
  for (const box of body.querySelectorAll('[data-chart]')) {
    charts.get(box.dataset.chart)?.view.finalize();
    charts.delete(box.dataset.chart);
  }
  body.replaceChildren();
}

const contentWidth = () => byId('content').clientWidth;
const fullWidth = () => Math.max(180, contentWidth() - 44);

// Panels side by side: how many, and how wide one is.
function panelLayout(panels) {
  const width = contentWidth();
  const beside = Math.max(1, Math.min(width < 620 ? 1 : width < 1000 ? 2 : 3, panels));
  return { columns: beside, width: Math.max(180, Math.floor((width - 84 - 26 * beside) / beside)), height: width < 620 ? 240 : 300 };
}
