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
  Object.assign(choices.points, { page: 0 }, choice);
  drawPointList();
}

function drawPointList() {
  const { page = 0, search = '', by, down = false, skipped = false } = choices.points;
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
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
  const key = (title) => ({ title, key: true });
  const number = (title) => ({ title, number: true });
  body.append(heading('Runs'), table([key('run'), 'name', 'state', key('begun'), 'points', 'benchctl'], report.runs.map((run) =>
    [run.label, run.name, run.state, run.created_at, Object.entries(run.points).map(([status, points]) => `${count(points)} ${status}`).join(', '), run.benchctl]), { caption: 'Runs' }));
  const known = report.platforms.filter((platform) => platform.known);
  if (known.length > 0) {
    body.append(heading('Devices'), table([key('lane'), 'device', 'kind', 'driver', 'architecture', number('units'), number('memory'), 'hardware'], known.map(({ label, device, memory }) =>
      [label, device.name, device.type, device.driver, device.architecture, device.compute_units || '', memory, device.physical]), { caption: 'Devices' }));
  }
  for (const { label, device } of known) {
    const properties = Object.entries(device.properties ?? {});
    if (properties.length > 0) body.append(folded(`Properties of ${label}`, facts(properties, `Properties of ${label}`)));
  }
  const roofs = report.runs.flatMap((run) => run.roofs.map((cells) => [run.label, ...cells]));
  if (roofs.length > 0) body.append(heading('Roofs, measured'), table([key('run'), key('device'), 'roof', number('measured'), number('±'), number('clock')], roofs, { caption: 'Roofs' }));

  const limit = 6;
  const runs = report.runs.slice(0, limit);
  const records = runs.map((run) => new Map(run.environment.map(([name, ...entry]) => [name, entry])));
  const names = distinct(records.flatMap((record) => [...record.keys()]));
  const differing = new Set(report.differing);
  const several = report.runs.length > 1;
  const part = (own, caption) => table([key('key'), 'for a comparison', ...runs.map((run) => run.label)], own.map((name) =>
    [name, records.find((record) => record.has(name)).get(name)[1].replace('_', ' '), ...records.map((record) => record.get(name)?.[0] ?? 'not recorded')]), { caption });
  const first = names.filter((name) => !several || differing.has(name));
  const rest = names.filter((name) => !first.includes(name));
  body.append(heading(several ? 'What differs between the runs' : 'Record of the machine'), first.length > 0 ? part(first, 'Environment') : element('p', {}, 'Nothing.'),
    rest.length > 0 ? folded(`${count(rest.length)} entries that are the same in all`, part(rest, 'Environment that does not differ')) : '',
    report.runs.length > limit ? muted(`Shown: ${limit} of ${count(report.runs.length)} runs.`) : '',
    ...runs.map((run) => folded(`Config and command of ${run.label}`, element('p', {}, element('code', {}, run.command)), element('pre', {}, run.config),
      run.events.length > 0 ? table([key('time'), 'event'], run.events, { caption: `Events of ${run.label}` }) : null)));
}

function drawHead() {
  const texts = {
    title: report.title, 'notes-title': plural(report.warnings.length, 'note'),
    subtitle: `${plural(report.runs.length, 'run')}, ${plural(pointCount, 'point')}, ${plural(report.platforms.filter(({ known }) => known).length, 'device')}; made ${report.generated.slice(0, 10)}`,
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
  applyFilter();
  drawFilters();
  for (const draw of sections) draw();
  announce(`${plural(shownPoints.length, 'point')} shown`);
}

function setTheme(name) {
  theme = name;
  document.documentElement.dataset.theme = name;
  byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  byId('theme').setAttribute('aria-pressed', String(name === 'dark'));
}

function changeTheme(name) {
  if (name === theme) return;
  setTheme(name);
  update();
}

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
prefersDark.addEventListener('change', (event) => changeTheme(event.matches ? 'dark' : 'light'));
byId('theme').addEventListener('click', () => changeTheme(theme === 'dark' ? 'light' : 'dark'));
byId('print').addEventListener('click', () => window.print());
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('detail').addEventListener('click', (event) => event.target === event.currentTarget && event.currentTarget.close());
// Paper is white.
let themeBeforePrint;
window.addEventListener('beforeprint', () => {
  themeBeforePrint = theme;
  changeTheme('light');
});
window.addEventListener('afterprint', () => changeTheme(themeBeforePrint));
let lastWidth = contentWidth();
let resizing;
window.addEventListener('resize', () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    if (contentWidth() === lastWidth) return;
    lastWidth = contentWidth();
    update();
  }, 150);
});

setTheme(prefersDark.matches ? 'dark' : 'light');
drawHead();
update();
drawEnvironment();
document.documentElement.dataset.ready = 'true';
