// Charts: Vega-Lite specifications made from the templates, drawn by Vega without compiling any code.

const palettes = {
  light: ['#0072b2', '#d55e00', '#00805c', '#a63d86', '#b07500', '#2a9fd6', '#5f5f5f', '#882255'],
  dark: ['#5aaef0', '#ff8a4c', '#2fc79a', '#e08cc3', '#f0b429', '#9ad7f7', '#b8b8b8', '#d98aa6'],
};
// One fewer than colours: sixteen categories and more still differ in one of the two.
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-right'];

let theme = 'light';

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function chartConfig() {
  const [textColour, muted, line, back] = ['--text', '--muted', '--line', '--back'].map(style);
  return {
    background: back,
    font: 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
    view: { stroke: line },
    axis: { labelColor: textColour, titleColor: textColour, gridColor: line, domainColor: muted, tickColor: muted, labelFontSize: 12, titleFontSize: 13, titleFontWeight: 600, gridOpacity: 0.7 },
    legend: { labelColor: textColour, titleColor: textColour, labelFontSize: 12, titleFontSize: 12, labelLimit: 280, symbolSize: 90 },
    header: { labelColor: textColour, titleColor: textColour, labelFontSize: 13, labelFontWeight: 600, labelLimit: 340 },
    title: { color: textColour },
    text: { color: textColour },
    rule: { color: muted },
  };
}

// `{{name}}` alone becomes the value, within a longer text its words.
function filled(template, values) {
  if (typeof template === 'string') {
    const whole = /^\{\{(\w+)\}\}$/.exec(template);
    if (whole) return values[whole[1]];
    return template.replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name]));
  }
  if (Array.isArray(template)) return template.map((entry) => filled(entry, values));
  if (template !== null && typeof template === 'object') {
    return Object.fromEntries(Object.entries(template)
      .map(([key, value]) => [key, filled(value, values)])
      .filter(([, value]) => value !== undefined));
  }
  return template;
}

// Colour and shape of categories: always both, so that none has to be told by colour. Of `names`, which have the same
// colours in every chart, those that occur.
function categoryScales(names, occurring = names) {
  const colours = palettes[theme];
  const kept = names.map((name, index) => ({ name, index })).filter(({ name }) => occurring.includes(name));
  return {
    domain: kept.map(({ name }) => name),
    colours: kept.map(({ index }) => colours[index % colours.length]),
    shapes: kept.map(({ index }) => shapes[index % shapes.length]),
  };
}

const deviceNames = sorted(distinct(allPoints.filter(isTimed).map((point) => platformOf(point).label)));
const deviceScales = (rows) => categoryScales(deviceNames, rows.map((row) => row.category));

function scaleOf(log, values) {
  const known = values.filter((value) => value > 0);
  return log && known.length > 0 ? { type: 'log', nice: false, padding: 12 } : { type: 'linear', zero: true, nice: true };
}

// Places for the labels of a logarithmic axis: powers of ten, with 2 and 5 between where there is room.
function logTicks(values) {
  const known = values.filter((value) => value > 0);
  if (known.length === 0) return undefined;
  const [from, to] = [Math.min(...known), Math.max(...known)];
  const decades = Math.log10(to / from);
  const steps = decades > 4 ? [1] : decades > 2 ? [1, 3] : [1, 2, 5];
  const every = decades > 8 ? 2 : 1;
  const ticks = [];
  for (let power = Math.floor(Math.log10(from)) - 1; power <= Math.ceil(Math.log10(to)) + 1; power += every) {
    // Written out, since 10 ** -1 * 3 is no 0.3.
    for (const step of steps) ticks.push(Number(`${step}e${power}`));
  }
  return ticks;
}

const ticksOf = (log, values) => (log ? logTicks(values) : undefined);

const spansDecades = (values, ratio) => {
  const known = values.filter((value) => value > 0);
  return known.length > 1 && Math.max(...known) / Math.min(...known) >= ratio;
};

// An axis over what is on it: numbers at their places, anything else one after the other.
function placeAxis(values, title, log) {
  const own = sorted(distinct(values));
  const numeric = own.every((value) => typeof value === 'number');
  const shown = own.length <= 14 ? own : log && own[0] > 0 ? logTicks(own).filter((tick) => tick >= own[0] && tick <= own[own.length - 1]) : undefined;
  const big = "datum.value >= 1e5 ? format(datum.value, '.3~s') : format(datum.value, ',~r')";
  if (!numeric || own.length < 2) return { type: 'ordinal', scale: undefined, axis: { title, labelAngle: numeric ? 0 : -35, labelOverlap: numeric || own.length > 10, labelLimit: 160 }, sort: own };
  return {
    type: 'quantitative',
    scale: log && own[0] > 0 ? { type: 'log', nice: false, padding: 14 } : { zero: false, nice: false, padding: 14 },
    axis: { title, values: shown, labelExpr: big, labelOverlap: true, grid: true },
    sort: undefined,
  };
}

// At most so many marks; more are thinned, and the chart says so.
const markLimit = 3000;

// Keeps the fastest of each place first, then evenly many of the rest.
function thinned(points, placeOf) {
  if (points.length <= markLimit) return { points, note: '' };
  const best = [...groupBy(points, placeOf).values()].map(fastestOf);
  const kept = best.length <= markLimit ? best
    : Array.from({ length: markLimit }, (_, index) => best[Math.floor(index * best.length / markLimit)]);
  return {
    points: kept,
    note: `Drawn: ${count(kept.length)} of ${count(points.length)} points (the fastest of each place` +
      (best.length > markLimit ? ', and of these evenly many' : '') + '). Filters show the others. ',
  };
}

const charts = new Map();  // figure's name to {view, spec, rows}

function download(name, url) {
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

async function save(name, kind) {
  const { view, spec } = charts.get(name);
  const file = `benchctl_${name}.${kind === 'spec' ? 'vl.json' : kind}`;
  if (kind === 'png') {
    download(file, await view.toImageURL('png', 2));
    return;
  }
  // XML has no control characters, whatever names hold.
  const [content, type] = kind === 'svg'
    ? [(await view.toSVG()).replace(/[^\t\n\r -\uffff]/g, ' '), 'image/svg+xml'] : [JSON.stringify(spec, null, 1), 'application/json'];
  const url = URL.createObjectURL(new Blob([content], { type }));
  download(file, url);
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Everything about a point that a glance should give.
function tooltipContent(point) {
  const rows = [
    ['median', duration(number('median_ns', point))],
    ['range', rangeText(point)], ['remarks', text('remarks', point)],
    ['samples', `${count(number('n_samples', point))}${number('batch', point) > 1 ? ` of ${count(number('batch', point))} executions` : ''}`],
    ['rate', ['gflops', 'gbytes'].map((name) => (quantities[name].of(point) === null ? null : quantityText(name, point))).filter(Boolean).join(', ')],
    ['of roof', resource('roof_fraction', point) === null ? '' : percent(resource('roof_fraction', point))],
    ['of datasheet', number('datasheet_share', point) === null ? '' : percent(number('datasheet_share', point))],
    ['verified', number('verified', point) === null ? 'no' : number('verified', point) === 1 ? `yes, error ${significant(number('error_norm', point), 2) === nothing ? nothing : number('error_norm', point).toExponential(1)}` : 'failed'],
    ['status', text('status', point)],
    ...['registers', 'occupancy', 'spill_bytes', 'static_shared_bytes', 'local_bytes']
      .filter((metric) => resource(metric, point) !== null)
      .map((metric) => [report.metrics[metric].label, `${significant(resource(metric, point))} ${report.metrics[metric].unit}`]),
  ];
  return [
    element('strong', {}, pointLabel(point)),
    element('table', {}, element('tbody', {}, rows.filter(([, value]) => value).map(([key, value]) =>
      element('tr', {}, element('td', {}, key), element('td', {}, value))))),
  ];
}

const tooltip = document.getElementById('tooltip');

function showTooltip(point, x, y) {
  tooltip.replaceChildren(...tooltipContent(point));
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - box.width - 6))}px`;
  tooltip.style.top = `${y + 16 + box.height < window.innerHeight ? y + 16 : Math.max(4, y - box.height - 12)}px`;
}

function hideTooltip() {
  tooltip.hidden = true;
}

const pointOf = (item) => (item && item.datum && Number.isInteger(item.datum.id) ? item.datum.id : null);

// Arrow keys go from point to point, Enter opens one.
function steerByKeys(box, view, rows) {
  const order = rows.map((row) => row.id).filter((id) => Number.isInteger(id));
  let place = -1;
  box.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && order.length > 0) {
      place = (place + step + order.length) % order.length;
      view.signal('focus', order[place]).run();
      const frame = box.getBoundingClientRect();
      showTooltip(order[place], frame.left + 60, Math.max(10, frame.top));
      announce(`${pointLabel(order[place])}: ${duration(number('median_ns', order[place]))}`);
      event.preventDefault();
    } else if (event.key === 'Enter' && place >= 0) {
      event.preventDefault();  // or the key would press the button that the dialog gives the focus to
      hideTooltip();
      showDetail(order[place]);
    } else if (event.key === 'Escape') {
      hideTooltip();
    }
  });
  box.addEventListener('blur', () => {
    hideTooltip();
    place = -1;
    view.signal('focus', -1).run();
  });
}

function rowsTable(rows) {
  const ids = rows.map((row) => row.id).filter((id) => Number.isInteger(id)).slice(0, 500);
  return pointTable(ids);
}

// Draws a chart into a figure of its own. `rows` with an `id` are points.
async function drawChart(parent, name, template, values, rows, { caption = '', label } = {}) {
  const spec = filled(chartTemplates[template], values);
  spec.data = { values: rows };
  const box = element('div', { class: 'chart', tabindex: '0', role: 'group', 'data-chart': name,
    'aria-label': `${label ?? name}. Arrow keys go from point to point, Enter opens one; "Table" lists them.` });
  const list = element('div', { hidden: true });
  const toggle = element('button', { type: 'button', 'aria-expanded': 'false', onclick: () => {
    if (list.childElementCount === 0) list.append(rowsTable(rows));
    list.hidden = !list.hidden;
    toggle.setAttribute('aria-expanded', String(!list.hidden));
  } }, 'Table');
  const hasPoints = rows.some((row) => Number.isInteger(row.id));
  const figure = element('figure', { 'data-figure': name },
    box,
    element('div', { class: 'chart-actions' },
      hasPoints ? toggle : null,
      ...['svg', 'png', 'spec'].map((kind) => element('button', { type: 'button', 'data-save': kind, onclick: () => save(name, kind) },
        kind === 'spec' ? 'Vega-Lite' : kind.toUpperCase()))),
    element('figcaption', {}, caption), list);
  parent.append(figure);
  const compiled = vegaLite.compile(spec, { config: chartConfig(), logger: quietLogger }).spec;
  const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
    renderer: 'svg', container: box, hover: true, expr: expressionInterpreter, logLevel: vega.Error,
  });
  view.tooltip(() => {});
  view.addEventListener('pointermove', (event, item) => {
    const point = pointOf(item);
    if (point === null) hideTooltip();
    else showTooltip(point, event.clientX, event.clientY);
  });
  view.addEventListener('pointerout', hideTooltip);
  view.addEventListener('click', (event, item) => {
    const point = pointOf(item);
    if (point === null) return;
    hideTooltip();
    showDetail(point);
  });
  charts.set(name, { view, spec, rows });
  await view.runAsync();
  // The box has a name, and keys and the table tell of its points: marks would be read out as so many nameless ones.
  box.querySelector('svg').setAttribute('aria-hidden', 'true');
  if (hasPoints) steerByKeys(box, view, rows);
  return view;
}

// Vega-Lite warns of what is meant here, such as axes shared by layers.
const quietLogger = { level() { return this; }, warn() { return this; }, info() { return this; }, debug() { return this; },
  error(...words) { console.error(...words); return this; } };

function clearCharts(body) {
  for (const box of body.querySelectorAll('[data-chart]')) {
    charts.get(box.dataset.chart)?.view.finalize();
    charts.delete(box.dataset.chart);
  }
  body.replaceChildren();
}

const contentWidth = () => document.getElementById('content').clientWidth;

// Panels side by side: how many, and how wide one is.
function panelLayout(panels) {
  const width = contentWidth();
  const side = width < 620 ? 1 : width < 1000 ? 2 : 3;
  const beside = Math.max(1, Math.min(side, panels));
  return { columns: beside, width: Math.max(180, Math.floor((width - 84 - 26 * beside) / beside)), height: width < 620 ? 240 : 300,
    legendColumns: Math.max(1, Math.floor(width / 190)) };
}
