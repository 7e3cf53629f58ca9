// All points as a table, what they were measured on, and what starts the page and keeps it up to date.

const pageSize = 50;

// Nothing comes last, whichever way the others go.
function ordered(points, by, down) {
  const missing = (value) => (value ?? '') === '';
  return points.map((point) => [by(point), point]).sort(([a], [b]) => {
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    return (down ? -1 : 1) * (typeof a === 'number' ? a - b : a.localeCompare(b, 'en', { numeric: true }));
  }).map(([, point]) => point);
}

function choosePoints(choice) {
  Object.assign(choices.points, { page: undefined }, choice);
  keepAddress();
  drawPointList();
}

function drawPointList() {
  const { page = 0, search = '', by, down = false, skipped = false } = choices.points;
  const wanted = String(search).toLowerCase().split(/\s+/).filter(Boolean);
  const found = shownPoints.filter((point) => {
    const label = words(pointLabel(point), of('status', point), of('reason', point)).toLowerCase();
    return wanted.every((word) => label.includes(word));
  });
  const kept = found.filter((point) => skipped || of('status', point) !== 'skipped');
  const left = found.filter((point) => of('status', point) === 'skipped').length;
  const column = pointColumns().find(({ title }) => title === by);
  const list = column ? ordered(kept, column.by, down) : kept;
  const pages = Math.max(1, Math.ceil(list.length / pageSize));
  const first = Math.min(page, pages - 1) * pageSize;
  const turn = (label, to) => button(label, () => choosePoints({ page: to }), { disabled: to < 0 || to >= pages });
  byId('point-list').replaceChildren(
    element('p', { class: 'muted', id: 'point-count' }, `${plural(list.length, 'point')}${wanted.length > 0 ? ' found' : ''}`),
    left === 0 ? '' : button(`${skipped ? 'Hide' : 'Show'} ${count(left)} skipped`, () => choosePoints({ skipped: !skipped }), { 'aria-pressed': String(skipped) }),
    pointTable(list.slice(first, first + pageSize), { by, down, choose: (title) => choosePoints({ by: title, down: by === title && !down }) }),
    pages > 1 ? controls(turn('Previous', page - 1), element('span', {}, `Page ${page + 1} of ${count(pages)}`), turn('Next', page + 1)) : '');
}

function drawPoints() {
  const search = element('input', { type: 'search', oninput: () => choosePoints({ search: search.value }) });
  search.value = choices.points.search ?? '';
  openSection('points', true).append(controls(element('label', {}, 'Search', search)), element('div', { id: 'point-list' }));
  drawPointList();
}

function drawEnvironment() {
  const body = openSection('environment', true);
  for (const { title, heads, rows } of report.environment.filter((own) => own.rows.length > 0)) {
    body.append(heading(title), table(heads.map((head) => ({ title: head })), rows, { caption: title }));
  }
  body.append(...report.runs.map((run) => folded(`Config and command of ${run.label}`, element('p', {}, element('code', {}, run.command)), element('pre', {}, run.config),
    run.events.length > 0 ? table([shortHead('time'), longHead('event')], run.events, { caption: `Events of ${run.label}` }) : null)));
}

function drawHead() {
  const texts = {
    title: report.title, 'notes-title': plural(report.warnings.length, 'note'),
    subtitle: `${plural(report.runs.length, 'run')}, ${plural(pointCount, 'point')}, ${plural(deviceNames.length, 'device')}; made ${report.generated.slice(0, 10)}`,
    footer: `benchctl ${report.benchctl}, ${report.generated}. Charts by Vega ${vega.version} and Vega-Lite ${vegaLite.version}.`,
  };
  for (const [id, text] of Object.entries(texts)) byId(id).textContent = text;
  byId('notes').hidden = report.warnings.length === 0;
  document.querySelector('#notes ul').replaceChildren(...report.warnings.map((warning) => element('li', {}, warning)));
  byId('contents').replaceChildren(...[...document.querySelectorAll('main > section')].filter(({ id }) => id !== 'notes' || report.warnings.length > 0)
    .map(({ id }) => element('a', { href: `#${id}` }, byId(`${id}-title`).textContent)));
}

const sections = [drawAnswer, drawSummary, drawHistory, drawSweep, drawModes, drawVendors, drawRoofline, drawPredicted, drawPublished, drawHeatmap, drawPoints];

function update() {
  keepAddress();
  applyFilter();
  drawFilters();
  for (const draw of sections) draw();
  announce(`${plural(shownPoints.length, 'point')} shown`);
}

function setTheme(name, anew = false) {
  if (name === theme && !anew) return;
  theme = name;
  document.documentElement.dataset.theme = name;
  byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  byId('theme').setAttribute('aria-pressed', String(name === 'dark'));
  update();
}

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
prefersDark.addEventListener('change', (event) => setTheme(event.matches ? 'dark' : 'light'));
byId('theme').addEventListener('click', () => setTheme(theme === 'dark' ? 'light' : 'dark'));
byId('print').addEventListener('click', () => window.print());
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('detail').addEventListener('click', (event) => event.target === event.currentTarget && event.currentTarget.close());
// Paper is white and as wide as A4.
let themeBeforePrint;
function setPaper(paper) {
  document.documentElement.classList.toggle('paper', paper);
  if (paper) themeBeforePrint = theme;
  setTheme(paper ? 'light' : themeBeforePrint, true);
}
window.addEventListener('beforeprint', () => setPaper(true));
window.addEventListener('afterprint', () => setPaper(false));
// When charts have their heights.
const showPlace = () => setTimeout(() => byId(place)?.scrollIntoView());
window.addEventListener('hashchange', () => {
  const anchor = /^#(\w+)$/.exec(window.location.hash);
  if (anchor) {  // a link of the page: what was chosen stays
    [, place] = anchor;
    keepAddress();
    return;
  }
  readAddress();
  update();
  showPlace();
});
let lastWidth = contentWidth();
let resizing;
window.addEventListener('resize', () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    if (contentWidth() !== lastWidth) update();
    lastWidth = contentWidth();
  }, 150);
});

readAddress();
drawHead();
setTheme(prefersDark.matches ? 'dark' : 'light');
drawEnvironment();
showPlace();
document.documentElement.dataset.ready = 'true';
