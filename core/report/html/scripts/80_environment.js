// All points as a table, and what they were measured on.

const pageSize = 50;
const pointsChoice = { page: 0, words: '', by: undefined, down: false, skipped: false };

// Nothing comes last, whichever way the others go.
function ordered(points, { by }, down) {
  const sign = down ? -1 : 1;
  return [...points].sort((a, b) => {
    const [left, right] = [by(a), by(b)];
    const missing = (value) => value === null || value === undefined || value === '';
    if (missing(left) || missing(right)) return missing(left) - missing(right);
    return sign * (typeof left === 'number' ? left - right : left.localeCompare(right, 'en', { numeric: true }));
  });
}

function choosePoints(choice) {
  Object.assign(pointsChoice, { page: 0 }, choice);
  drawPointList();
}

function drawPointList() {
  const words = pointsChoice.words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = shownPoints.filter((point) => {
    const label = `${pointLabel(point)} ${text('status', point)} ${text('reason', point)}`.toLowerCase();
    return words.every((word) => label.includes(word));
  });
  const skipped = found.filter((point) => text('status', point) === 'skipped');
  const kept = pointsChoice.skipped ? found : found.filter((point) => text('status', point) !== 'skipped');
  const shown = pointColumns(kept);
  const by = shown.find(({ title }) => title === pointsChoice.by);
  const list = by ? ordered(kept, by, pointsChoice.down) : kept;
  const pages = Math.max(1, Math.ceil(list.length / pageSize));
  pointsChoice.page = Math.min(pointsChoice.page, pages - 1);
  const turn = (step) => () => choosePoints({ page: pointsChoice.page + step });
  const first = pointsChoice.page * pageSize;
  const choose = (title) => choosePoints({ by: title, down: pointsChoice.by === title && !pointsChoice.down });
  document.getElementById('point-list').replaceChildren(
    element('p', { class: 'muted', id: 'point-count' }, `${plural(list.length, 'point')}${words.length > 0 ? ' found' : ''}`),
    skipped.length === 0 ? '' : element('button', { type: 'button', 'aria-pressed': String(pointsChoice.skipped), onclick: () => choosePoints({ skipped: !pointsChoice.skipped }) },
      `${pointsChoice.skipped ? 'Hide' : 'Show'} ${count(skipped.length)} skipped`),
    pointTable(list.slice(first, first + pageSize), { shown, sort: { by: pointsChoice.by, down: pointsChoice.down, choose } }),
    pages > 1 ? element('div', { class: 'controls' },
      element('button', { type: 'button', disabled: pointsChoice.page === 0, onclick: turn(-1) }, 'Previous'),
      element('span', {}, `Page ${pointsChoice.page + 1} of ${count(pages)}`),
      element('button', { type: 'button', disabled: pointsChoice.page + 1 >= pages, onclick: turn(1) }, 'Next')) : '');
}

function drawPoints() {
  const search = element('input', { type: 'search', oninput: () => choosePoints({ words: search.value }) });
  search.value = pointsChoice.words;
  sectionBody('points').replaceChildren(element('div', { class: 'controls' }, element('label', {}, 'Search', search)), element('div', { id: 'point-list' }));
  drawPointList();
}

const bytes = (value) => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = value > 0 ? Math.min(4, Math.floor(Math.log2(value) / 10)) : 0;
  return `${significant(value / 2 ** (10 * power), 4)} ${units[power]}`;
};

function drawDevices(body) {
  const known = report.platforms.filter((platform) => platform.known);
  if (known.length === 0) return;
  body.append(element('h3', {}, 'Devices'), table([{ title: 'lane', key: true }, { title: 'device', wrap: true }, { title: 'kind' }, { title: 'driver', wrap: true }, { title: 'architecture' },
    { title: 'units', number: true }, { title: 'memory', number: true }, { title: 'hardware', wrap: true }],
  known.map(({ label, device }) => [label, device.name, device.type, device.driver, device.architecture, device.compute_units ? count(device.compute_units) : nothing,
    device.limits.memory_bytes ? bytes(device.limits.memory_bytes) : nothing, device.physical]), { caption: 'Devices' }));
  for (const platform of known.filter(({ device }) => Object.keys(device.properties ?? {}).length > 0)) {
    body.append(element('details', {}, element('summary', {}, `Properties of ${platform.label}`), table([{ title: 'property', key: true }, { title: 'value', wrap: true }], Object.entries(platform.device.properties))));
  }
  const roofs = report.runs.flatMap((run) => run.roofs.map(([lane, probe, rate, halfWidth, clock]) => [run.label, lane, probe,
    probe === 'launch' ? duration(1e9 / rate) : `${significant(rate / 1e9)} ${isArithmetic(probe) ? 'GFLOP/s' : 'GB/s'}`,
    halfWidth === null ? nothing : percent(halfWidth), clock > 0 ? `${significant(clock)} MHz` : nothing]));
  if (roofs.length > 0) {
    body.append(element('h3', {}, 'Roofs, measured'), table([{ title: 'run', key: true }, { title: 'device', key: true }, { title: 'roof' }, { title: 'measured', number: true },
      { title: '±', number: true }, { title: 'clock', number: true }], roofs, { caption: 'Roofs' }));
  }
}

function drawEnvironment() {
  const body = sectionBody('environment');
  body.replaceChildren();
  body.append(element('h3', {}, 'Runs'), table([{ title: 'run', key: true }, { title: 'name' }, { title: 'state' }, { title: 'begun', key: true }, { title: 'points', wrap: true }, { title: 'benchctl' }],
    report.runs.map((run) => [run.label, run.name, run.state, run.created_at, Object.entries(run.points).map(([status, points]) => `${count(points)} ${status}`).join(', '), run.benchctl]), { caption: 'Runs' }));
  drawDevices(body);
  const keys = distinct(report.runs.flatMap((run) => run.environment.map(([key]) => key)));
  const differing = new Set(report.differing);
  const limit = 6;
  const runs = report.runs.slice(0, limit);
  const value = (run, key) => run.environment.find(([name]) => name === key)?.[1] ?? 'not recorded';
  const classOf = (key) => report.runs.flatMap((run) => run.environment).find(([name]) => name === key)[2].replace('_', ' ');
  const several = report.runs.length > 1;
  const heads = [{ title: 'key', key: true }, { title: 'for a comparison' }, ...(several ? [{ title: 'between runs' }] : []), ...runs.map((run) => ({ title: run.label, wrap: true }))];
  const row = (key) => [key, classOf(key), ...(several ? [differing.has(key) ? 'differs' : ''] : []), ...runs.map((run) => value(run, key))];
  const [first, rest] = several ? [keys.filter((key) => differing.has(key)), keys.filter((key) => !differing.has(key))] : [keys, []];
  body.append(element('h3', {}, several ? 'What differs between the runs' : 'Record of the machine'));
  body.append(first.length > 0 ? table(heads, first.map(row), { caption: 'Environment' }) : element('p', {}, 'Nothing.'));
  if (rest.length > 0) body.append(element('details', {}, element('summary', {}, `${count(rest.length)} entries that are the same in all`), table(heads, rest.map(row), { caption: 'Environment that does not differ' })));
  if (report.runs.length > limit) body.append(element('p', { class: 'muted' }, `Shown: ${limit} of ${count(report.runs.length)} runs.`));
  for (const run of runs) {
    body.append(element('details', {}, element('summary', {}, `Config and command of ${run.label}`), element('p', {}, element('code', {}, run.command)), element('pre', {}, run.config),
      run.events.length > 0 ? table([{ title: 'time', key: true }, { title: 'event', wrap: true }], run.events) : null));
  }
}
