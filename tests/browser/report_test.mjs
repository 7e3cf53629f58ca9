// Drives reports in Chromium. Arguments: the folder of the reports, that of the npm packages, the root of the tree.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, modules, tree] = process.argv.slice(2);
const require = createRequire(join(modules, 'x.js'));
const { chromium } = require('playwright-core');
const Ajv = require('ajv/dist/2020').default;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

// Reports by file: each is opened once, since that takes longer than most of what is done to it.
const pages = new Map();
let used = [];  // by the current test

// A report in a window of its own; everything that it complains of or asks for is kept.
async function open(file, { width = 1400, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 1000 }, offline: true, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true });
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  page.on('request', (request) => request.url().startsWith('blob:') || request.url().startsWith('data:') || page.requests.push(request.url()));
  await page.goto(`file://${join(folder, file)}`);
  const broken = new Promise((_, reject) => { page.once('pageerror', reject); });
  await Promise.race([page.waitForSelector('html[data-ready="true"]', { timeout: 60000 }), broken]);
  await drawn(page);
  used.push(page);
  return page;
}

const drawn = (page) => page.waitForFunction(() => [...document.querySelectorAll('[data-chart]')].every((box) => box.querySelector('svg')));

// The page of a report as it was when it opened.
async function report(file) {
  if (!pages.has(file)) pages.set(file, await open(file));
  const page = pages.get(file);
  if (!used.includes(page)) used.push(page);
  if (page.changed) {
    await page.evaluate(() => {
      document.getElementById('detail').close();
      [...document.querySelectorAll('#filters button')].find((button) => button.textContent === 'Reset').click();
    });
    await page.mouse.move(0, 0);
    if (page.viewportSize().width !== 1400) await resized(page, 1400);
    await drawn(page);
  }
  page.changed = false;
  return page;
}

async function resized(page, width) {
  page.changed = true;
  await page.evaluate(() => { document.querySelector('[data-chart]').dataset.old = 'true'; });
  await page.setViewportSize({ width, height: 1000 });
  await page.waitForSelector('[data-old]', { state: 'detached' });
  await drawn(page);
}

let failures = 0;
async function test(name, body) {
  used = [];
  try {
    await body();
    for (const page of used) assert.deepEqual(page.complaints, []);
    console.log(`ok      ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAILED  ${name}\n${String(error.stack).split('\n').slice(0, 8).join('\n')}`);
  }
}

const changing = async (file) => Object.assign(await report(file), { changed: true });

const marksOf = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('[data-chart]')].map((box) =>
  [box.dataset.chart, box.querySelectorAll('.mark-symbol path, .mark-rect path').length])));

// What a chart says in words: its title of an axis, or the names of its legend.
const wordsOf = (page, chart, role) => page.locator(`[data-chart="${chart}"] .role-${role} text`).allTextContents();

// The middle of a point's mark in a chart.
async function aMark(page, chart) {
  const mark = page.locator(`[data-chart="${chart}"] .mark-symbol.role-mark path`).first();
  await mark.scrollIntoViewIfNeeded();
  const box = await mark.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// Ticks a value of a filter, whose box it opens.
async function tick(page, name, value) {
  const box = page.locator(`#filters details[data-filter="${name}"]`);
  if (!(await box.evaluate((node) => node.open))) await box.locator('summary').click();
  await page.click(`#filters input[name="${name}=${value}"]`);
}

const selectNamed = (page, label) => page.locator('#filters label, .controls label').filter({ hasText: new RegExp(`^${label}`) }).locator('select').first();
const axisTitled = (page, title) => page.waitForFunction((wanted) => [...document.querySelectorAll('[data-chart="sweep"] .role-axis-title text')].some((node) => node.textContent === wanted), title);

await test('a report opens without network, error or warning, and its charts have marks', async () => {
  const page = await report('many.html');
  assert.equal(page.requests.length, 1, `asked for ${page.requests}`);
  const marks = await marksOf(page);
  for (const chart of ['sweep', 'modes', 'vendors', 'published_0', 'heatmap']) {
    assert.ok(marks[chart] > 2, `${chart} drew ${marks[chart]} marks`);
  }
  assert.match(await page.textContent('#summary'), /steady/);
  assert.match(await page.textContent('#summary'), /scripted failure/);
});

await test('hostile texts are shown and do nothing; no other script runs', async () => {
  const page = await report('many.html');
  assert.equal(await page.textContent('#title'), process.env.HOSTILE);
  assert.equal(await page.title(), process.env.HOSTILE);
  assert.ok((await page.textContent('#published')).includes(process.env.HOSTILE));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  // In a task of the page's own: what a debugger evaluates may do more.
  const ran = await page.evaluate(() => new Promise((resolve) => setTimeout(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 2';
    document.body.append(script);
    let evaluated = true;
    try { new Function('return 1')(); } catch { evaluated = false; }
    resolve([window.hacked, evaluated]);
  })));
  assert.deepEqual(ran, [undefined, false]);
  page.complaints = page.complaints.filter((text) => !/Content Security Policy/.test(text));
});

await test('hovering shows median, range, samples, verification and resources', async () => {
  const page = await changing('many.html');
  await page.mouse.move(...(await aMark(page, 'sweep')));
  await page.waitForSelector('#tooltip:not([hidden])');
  const shown = await page.textContent('#tooltip');
  for (const word of ['matmul/', 'median', 'range', 'samples', 'verified', 'yes', 'registers']) {
    assert.ok(shown.includes(word), `no "${word}" in: ${shown}`);
  }
});

await test('a click shows the point with its samples', async () => {
  const page = await changing('many.html');
  await page.mouse.click(...(await aMark(page, 'sweep')));
  await page.waitForSelector('#detail[open] [data-chart="distribution"] svg');
  const marks = await marksOf(page);
  assert.ok(marks.samples >= 30, `samples drew ${marks.samples} marks`);
  assert.ok(marks.distribution >= 1, `distribution drew ${marks.distribution} marks`);
  assert.match(await page.textContent('#detail h2'), /matmul\//);
  assert.match(await page.textContent('#detail'), /quartiles.*shortest and longest.*spread \(MAD\)/);
  // The scripted clock falls from block to block, the power does not change.
  await page.waitForSelector('#detail [data-chart="trace_sm_clock"] svg');
  assert.ok((await marksOf(page)).trace_sm_clock >= 2, 'the clock has a mark for every block');
  assert.match(await page.textContent('#detail'), /The same in every block of samples: power 250 W/);
  assert.equal(await page.locator('#detail [data-chart="trace_power"]').count(), 0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#detail:not([open])', { state: 'attached' });
  await page.click('#summary button:has-text("throws")');
  assert.match(await page.textContent('#detail pre'), /scripted failure/);
});

await test('keys reach every point', async () => {
  const page = await changing('many.html');
  await page.focus('[data-chart="sweep"]');
  await page.keyboard.press('ArrowRight');
  const first = await page.textContent('#tooltip strong');
  assert.ok((await page.textContent('#live')).startsWith(first.slice(0, 10)));
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await page.textContent('#tooltip strong'), first);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#detail[open]');
});

await test('charts can be taken away as SVG, PNG and specification with data', async () => {
  const page = await report('many.html');
  const taken = {};
  for (const kind of ['svg', 'png', 'spec']) {
    const waiting = page.waitForEvent('download');
    await page.click(`[data-figure="sweep"] [data-save="${kind}"]`);
    taken[kind] = readFileSync(await (await waiting).path());
  }
  assert.match(taken.svg.toString(), /^<svg[\s\S]*<\/svg>$/);
  const faults = await page.evaluate((svg) => [...new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('parsererror')].map((node) => node.textContent), taken.svg.toString());
  assert.deepEqual(faults, []);
  assert.equal(taken.png.subarray(1, 4).toString(), 'PNG');
  const spec = JSON.parse(taken.spec);
  assert.match(spec.$schema, /vega-lite/);
  assert.ok(spec.data.values.length > 5);
});

await test('on paper there are results and no controls', async () => {
  const page = await report('many.html');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('#filters').isVisible(), false);
  assert.equal(await page.locator('[data-chart="sweep"] svg').isVisible(), true);
  await page.emulateMedia({ media: 'screen' });
});

await test('nothing is wider than A4 on paper', async () => {
  for (const file of ['many.html', 'answer.html']) {
    const page = await changing(file);
    const widthOf = () => page.evaluate(() => document.querySelector('[data-chart="sweep"] svg').getBoundingClientRect().width);
    const before = await widthOf();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await drawn(page);
    const [paper, wide] = await page.evaluate(() => {
      const { right, width } = document.body.getBoundingClientRect();
      return [width, [...document.querySelectorAll('main table, main svg, main p, main pre')].filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > right + 1)
        .map((node) => `${node.tagName} ${node.textContent.slice(0, 60)}`)];
    });
    assert.ok(paper > 650 && paper < 705, `a page of ${paper} pixels`);
    assert.deepEqual(wide, []);
    assert.ok(await widthOf() < before, 'charts are drawn for the page');
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await drawn(page);
    assert.equal(await widthOf(), before);
  }
});

await test('the address keeps filters, controls and section', async () => {
  const page = await changing('answer.html');
  await page.click('#filter-box > summary');
  await tick(page, 'filter.platform', 'fake:1');
  await selectNamed(page, 'Axis').selectOption({ label: 'n' });
  await axisTitled(page, 'n');
  await page.click('#contents a[href="#points"]');
  const address = '#points&filter.platform=fake%3A1&sweep.axis=n';
  await page.waitForFunction((wanted) => window.location.hash === wanted, address);
  await page.click('#filter-box > summary');
  const other = await open(`answer.html${address}`);
  assert.match(await other.textContent('#count'), /^18 points of 38/);
  await axisTitled(other, 'n');
  await other.waitForFunction(() => document.getElementById('points').getBoundingClientRect().top < window.innerHeight && window.scrollY > 300);
  // Another address in the same page, and one that means nothing.
  await other.evaluate(() => { window.location.hash = '#sweep&parameter.n=16&parameter.n=8&filter.variant=noisy'; });
  await other.waitForFunction(() => /^4 points of 38/.test(document.getElementById('count').textContent));
  await other.evaluate(() => { window.location.hash = '#nothing&filter.__proto__=x&parameter.__proto__=y&constructor.a=1&sweep.axis=none&heatmap.pair=a&show.row=999&points.page=7'; });
  await other.waitForFunction(() => /^38 points of 38/.test(document.getElementById('count').textContent));
  await drawn(other);
  await other.context().close();
});

await test('speed relative to a row that the reader chose', async () => {
  const page = await changing('answer.html');
  await page.fill('#points input[type="search"]', 'fake:0 steady n=8 tile=2');
  await page.locator('#points tbody button').first().click();
  await page.click('#detail button:has-text("Compare others with this")');
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart="sweep"] .role-axis-title text')].some((node) => /^Times as fast as steady .*tile=2/.test(node.textContent)));
  await page.fill('#points input[type="search"]', '');
  const titles = await page.locator('#points thead th').allTextContents();
  const rows = await page.locator('#points tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(rows.length, 22);
  const ratios = (part) => rows.filter(([label]) => label.includes(part)).map((row) => parseFloat(row[titles.indexOf('vs chosen')]));
  // Twice as many tiles take half the time, on both problems and devices.
  for (const [part, ratio] of [['tile=2', 1], ['tile=4', 2], ['tile=8', 4]]) {
    assert.equal(ratios(part).length, 4);
    assert.ok(ratios(part).every((own) => Math.abs(own / ratio - 1) < 0.05), `${part}: ${ratios(part)}`);
  }
  await page.mouse.move(...(await aMark(page, 'sweep')));
  await page.waitForSelector('#tooltip:not([hidden])');
  assert.match(await page.textContent('#tooltip'), /Times as fast as steady/);
  assert.match(await page.evaluate(() => window.location.hash), /show\.row=\d+&show\.quantity=relative/);
});

await test('f32 and f64 have panels of their own', async () => {
  const html = readFileSync(join(folder, 'many.html'), 'utf8');
  const codes = Array.from({ length: 72 }, (_, point) => point % 2);
  const both = html.replace(/"dtype":\{"values":\["f32"\],"codes":0\}/, `"dtype":{"values":["f32","f64"],"codes":${JSON.stringify(codes)}}`);
  assert.notEqual(both, html);
  writeFileSync(join(folder, 'types.html'), both);
  const page = await report('types.html');
  for (const chart of ['sweep', 'heatmap']) {
    const panels = await page.locator(`[data-chart="${chart}"] svg text`).allTextContents();
    for (const panel of ['fake:0 f32', 'fake:0 f64', 'fake:1 f32', 'fake:1 f64']) assert.ok(panels.includes(panel), `${chart} has no ${panel}`);
  }
  assert.ok(!(await page.textContent('[data-chart="sweep"]')).includes('dtype='));
});

await test('charts zoom by buttons, and by the wheel with Ctrl alone', async () => {
  const page = await changing('many.html');
  const line = '[data-chart="sweep"] .mark-line.role-mark path';
  const shape = () => page.locator(line).first().getAttribute('d');
  const other = (old) => page.waitForFunction(([path, known]) => document.querySelector(path).getAttribute('d') !== known, [line, old]);
  const whole = await shape();
  await page.click('[data-figure="sweep"] button:has-text("Zoom in")');
  await other(whole);
  await page.click('[data-figure="sweep"] button:has-text("Whole")');
  await page.waitForFunction(([path, known]) => document.querySelector(path).getAttribute('d') === known, [line, whole]);
  await page.mouse.move(...(await aMark(page, 'sweep')));
  await page.mouse.wheel(0, -5);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -800);
  await page.keyboard.up('Control');
  await other(whole);
  assert.equal(await page.locator('[data-figure="modes"] button:has-text("Zoom in")').count(), 0, 'bars begin at zero');
});

await test('each line has a name of its own, and lines join the sizes of a problem', async () => {
  const page = await changing('many.html');
  const lines = () => page.locator('[data-chart="sweep"] .mark-line.role-mark path').evaluateAll((nodes) => nodes.map((node) => node.getAttribute('d').split('L').length));
  // Two panels.
  assert.equal((await lines()).length, 2 * new Set(await wordsOf(page, 'sweep', 'legend-label')).size);
  assert.ok((await wordsOf(page, 'sweep', 'legend-label')).includes('steady n=4'));
  await selectNamed(page, 'Axis').selectOption({ label: 'n' });
  await axisTitled(page, 'n');
  const sizes = await lines();
  assert.ok(sizes.length > 0 && sizes.every((places) => places === 3), `m and k go with n, and yet lines have ${sizes} places`);
});

await test('logarithmic and linear axes, other figures, bars for all tunables', async () => {
  const page = await changing('many.html');
  const before = await wordsOf(page, 'sweep', 'axis-label');
  await page.locator('#sweep label:has-text("logarithmic figures") input').click();
  await page.waitForFunction((old) => JSON.stringify([...document.querySelectorAll('[data-chart="sweep"] .role-axis-label text')].map((node) => node.textContent)) !== old, JSON.stringify(before));
  const bars = '[data-chart="modes"] .mark-rect.role-mark path';
  const few = await page.locator(bars).count();
  await page.locator('#modes select').nth(1).selectOption({ label: 'a row for each' });
  await page.waitForFunction(([all, old]) => document.querySelectorAll(all).length > old, [bars, few]);
  await page.click('#filter-box > summary');
  await selectNamed(page, 'Show').selectOption({ label: 'GFLOP/s' });
  await axisTitled(page, 'Rate (GFLOP/s)');
  await page.click('#filter-box > summary');
});

await test('a filter leaves what it says', async () => {
  const page = await changing('many.html');
  await page.click('#filter-box > summary');
  assert.match(await page.textContent('#count'), /^72 points of 72/);
  await tick(page, 'filter.platform', 'fake:0');
  assert.match(await page.textContent('#count'), /^36 points of 72/);
  assert.equal(await page.evaluate(() => document.activeElement.name), 'filter.platform=fake:0', 'the focus stays');
  await tick(page, 'filter.platform', 'fake:1');
  assert.match(await page.textContent('#count'), /^72 points of 72/);
  await tick(page, 'filter.platform', 'fake:0');
  assert.match(await page.textContent('#filters [data-filter="filter.platform"] summary'), /^Device: fake:1$/);
  await tick(page, 'filter.variant', 'steady');
  assert.match(await page.textContent('#count'), /^9 points of 72/);
  const devices = await page.locator('#points tbody tr td:nth-child(3)').allTextContents();
  assert.equal(devices.length, 9);
  assert.ok(devices.every((device) => device === 'fake:1'), `${devices}`);
  assert.equal(await page.locator('#vendors').isVisible(), false, 'one device alone is compared with nothing');
  assert.doesNotMatch(await page.locator('#summary table').first().textContent(), /fake:0/);
  await page.click('#filters [data-filter="parameters"] > summary');
  await tick(page, 'parameter.n', '16');
  assert.match(await page.textContent('#count'), /^3 points of 72/);
  await tick(page, 'parameter.n', '4');
  assert.match(await page.textContent('#count'), /^6 points of 72/);
  await page.click('#filters button:has-text("Reset")');
  assert.match(await page.textContent('#count'), /^72 points of 72/);
  await page.click('#filter-box > summary');
});

await test('a report opens with the answer, a chart beside it and a row for each device', async () => {
  const page = await report('answer.html');
  const answer = await page.textContent('#answer .sentence');
  assert.match(answer, /^matmul .*n = 16: which tile\?$/);
  const lines = await page.locator('#answer tbody tr').allTextContents();
  assert.match(lines[0], /^fake:0tile (8, 16|16, 8) tie \(steady\)100.* µs/);
  assert.match(lines[1], /^fake:1tile (8, 16|16, 8) tie \(steady\)100.* µs/);
  assert.ok(readFileSync(join(folder, 'answer.md'), 'utf8').startsWith(`# Which tile?\n\n- ${answer}\n  - fake:0: tile `));
  assert.match(readFileSync(join(folder, 'answer.txt'), 'utf8'), /Which tile\?  matmul .*n = 16\n  fake:0  tile /);
  const boxOf = (selector) => page.locator(selector).first().boundingBox();
  const [sentence, chart, row] = [await boxOf('#answer .sentence'), await boxOf('[data-chart="answer_0"] svg'), await boxOf('#summary tbody td')];
  assert.ok(sentence.y < 200 && chart.x > sentence.x + 400 && Math.abs(chart.y - sentence.y) < 60, 'the chart is beside the sentence');
  assert.ok(row.y > chart.y && row.y + row.height < 1000, 'the table is on the first screen, below');
  assert.ok((await marksOf(page)).answer_0 >= 8);
  const order = await page.evaluate(() => [...document.querySelectorAll('main > *')].map(({ id }) => id).filter((id) => ['answer', 'summary', 'sweep', 'notes'].includes(id)));
  assert.deepEqual(order, ['answer', 'summary', 'sweep', 'notes']);
});

await test('devices stand side by side, in one order; portability leaves out what a device does not have', async () => {
  const page = await report('answer.html');
  const rows = await page.locator('#summary table').first().locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([first]) => first), ['matmul n=8', 'fake:0', 'fake:1', 'matmul n=16', 'fake:0', 'fake:1'], 'problems come in the order of the config');
  assert.ok(rows.filter((row) => row.length > 1).every((row) => row.includes('1.00×')), 'each has its ratio to the fastest device');
  for (const chart of ['answer_0', 'vendors', 'modes']) assert.deepEqual((await wordsOf(page, chart, 'legend-label')).filter((name) => !name.includes('·')), ['fake:0', 'fake:1'], chart);
  assert.deepEqual([...new Set(await wordsOf(page, 'heatmap', 'axis-title'))].sort(), ['n', 'tile'], 'the axes of the sweep');
  const portability = await page.locator('#summary table:has(caption:text-is("Performance portability"))').textContent();
  assert.match(portability, /steady/);
  assert.doesNotMatch(portability, /twin/);
});

await test('notes are counted, below the results', async () => {
  const page = await report('answer.html');
  const notes = await page.locator('#notes li').allTextContents();
  assert.equal(await page.textContent('#notes-title'), `${notes.length} notes`);
  assert.ok(notes.some((note) => note.includes('No roofs were measured')));
  assert.equal(await page.locator('.warning:visible').count(), 0);
});

await test('bars begin at zero; a logarithmic axis has dots', async () => {
  const page = await changing('answer.html');
  const marks = (kind) => page.locator(`[data-chart="modes"] .mark-${kind}.role-mark path`).count();
  const log = page.locator('#modes label:has-text("logarithmic") input');
  await log.setChecked(false);
  await page.waitForFunction(() => document.querySelector('[data-chart="modes"] .mark-rect.role-mark path'));
  const [bars, zero] = await page.evaluate(() => {
    const chart = document.querySelector('[data-chart="modes"]');
    const label = [...chart.querySelectorAll('.role-axis-label text')].find((node) => node.textContent === '0').getBoundingClientRect();
    return [[...chart.querySelectorAll('.mark-rect.role-mark path')].map((node) => node.getBoundingClientRect().left), label.left + label.width / 2];
  });
  assert.ok(bars.length > 2 && bars.every((left) => Math.abs(left - zero) < 6), `${bars} begin at ${zero}`);
  await log.setChecked(true);
  await page.waitForFunction(() => document.querySelector('[data-chart="modes"] .mark-symbol.role-mark path'));
  assert.equal(await marks('rect'), 0);
  assert.equal(await marks('symbol'), bars.length);
});

await test('points are sorted and searched, and skipped ones hidden behind their number', async () => {
  const page = await changing('answer.html');
  const column = async (title) => {
    const titles = await page.locator('#points thead th').allTextContents();
    return page.locator(`#points tbody td:nth-child(${titles.indexOf(title) + 1})`).allTextContents();
  };
  assert.ok(!(await column('status')).includes('skipped'));
  assert.match(await page.textContent('#point-count'), /^22 points$/);
  await page.click('#points button:has-text("Show 16 skipped")');
  assert.match(await page.textContent('#point-count'), /^38 points$/);
  await page.click('#points button:has-text("Hide 16 skipped")');
  await page.click('#points th button:has-text("median")');
  const nanoseconds = (words) => words.map((word) => parseFloat(word) * { ns: 1, µs: 1e3, ms: 1e6 }[word.split(' ')[1]]);
  const up = nanoseconds(await column('median'));
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  assert.equal(await page.locator('#points th[aria-sort="ascending"]').textContent(), 'median');
  await page.click('#points th button:has-text("median")');
  assert.deepEqual(nanoseconds(await column('median')), up.reverse());
  await page.fill('#points input[type="search"]', 'twin n=16');
  assert.match(await page.textContent('#point-count'), /^1 point found$/);
  assert.match((await column('point'))[0], /twin .*n=16/);
});

await test('names of roofs lie on nothing', async () => {
  const rates = { fma_f32: 100, fma_f64: 40, mma_bf16: 800, mma_tf32: 105, dram_read: 10, cache_l2: 11, cache_l1: 40, shared: 130 };
  const roofs = Object.entries(rates).map(([probe, rate]) => {
    const ofBytes = !/^[fm]ma/.test(probe);
    const ends = ofBytes ? [{ x: 0.1, value: 0.1 * rate }, { x: 800 / rate, value: 800 }] : [{ x: rate / 130, value: rate }, { x: 400, value: rate }];
    return { label: `${probe} ${rate} G`, of_bytes: ofBytes, ends };
  }).sort((a, b) => b.ends[1].value - a.ends[1].value || b.ends[0].value - a.ends[0].value);
  const html = readFileSync(join(folder, 'answer.html'), 'utf8').replaceAll(/("backend":"[^"]*","roofs":)\[\]/g, `$1${JSON.stringify(roofs)}`)
    .replace(/("intensities":)\[[^\]]*\]/, '$1[0.1,400]').replace(/("title":"Roofs, measured","heads":\[[^\]]*\],"rows":)\[\]/, '$1[["run 1","gpu:0","dram_read","10.00 GB/s","1.2 %","1980 MHz"]]');
  writeFileSync(join(folder, 'roofs.html'), html);
  for (const width of [1400, 390]) {
    const page = await report('roofs.html');
    if (width < 1400) await resized(page, width);
    const [names, met] = await page.evaluate(() => {
      const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      const panels = [...document.querySelectorAll('[data-chart="roofline"] .mark-group.role-scope > g')];
      const inside = panels.map((panel) => ({
        frame: panel.querySelector('path.background').getBoundingClientRect(),
        names: [...panel.querySelectorAll('.mark-text.role-mark')].at(-1)?.querySelectorAll('text') ?? [],
      })).map(({ frame, names }) => ({ frame, boxes: [...names].map((node) => ({ text: node.textContent, box: node.getBoundingClientRect() })) }));
      return [inside.flatMap(({ boxes }) => boxes.map(({ text }) => text)), inside.flatMap(({ frame, boxes }) => boxes.flatMap((one, index) => [
        ...boxes.slice(index + 1).filter((other) => overlap(one.box, other.box)).map((other) => `${one.text} on ${other.text}`),
        ...(one.box.left < frame.left - 1 || one.box.right > frame.right + 1 ? [`${one.text} over the frame`] : []),
      ]))];
    });
    assert.ok(names.length >= 6, `${names}`);
    assert.deepEqual(met, []);
    const caption = await page.locator('[data-figure="roofline"] figcaption').textContent();
    for (const probe of Object.keys(rates)) assert.ok(names.some((name) => name.startsWith(`${probe} `)) || caption.includes(`${probe} `), `${probe} is named nowhere`);
    assert.match(await page.locator('#environment table:has(caption:text-is("Roofs, measured")) tbody tr').first().textContent(), /dram_read10\.00 GB\/s1\.2 %1980 MHz/);
  }
});

// What axe-core finds in a page as it is now; `where` names the page.
async function faultsOf(page, where) {
  await page.evaluate(readFileSync(join(modules, 'axe-core', 'axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, impact, help, nodes }) => `${where}: ${impact} ${id} (${help}): ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

await test('dark, by the system and by the button, and narrow: axe finds nothing, nor in a point', async () => {
  const backOf = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const labelOf = (page) => page.evaluate(() => document.querySelector('[data-chart="sweep"] .role-axis-label text').getAttribute('fill'));
  const light = await changing('answer.html');
  const dark = await open('answer.html', { dark: true });
  const faults = [];
  for (const [page, name] of [[light, 'light'], [dark, 'dark']]) {
    await page.click('#filter-box > summary');
    faults.push(...await faultsOf(page, name));
    await page.locator('#points tbody button').first().click();
    await page.waitForSelector('#detail[open] [data-chart="distribution"] svg');
    faults.push(...await faultsOf(page, `a point, ${name}`));
    await page.keyboard.press('Escape');
  }
  assert.notEqual(await backOf(light), await backOf(dark));
  assert.notEqual(await labelOf(light), await labelOf(dark));
  await light.click('#theme');
  await drawn(light);
  assert.equal(await backOf(light), await backOf(dark));
  assert.equal(await labelOf(light), await labelOf(dark));
  await light.click('#theme');
  await resized(light, 390);
  faults.push(...await faultsOf(light, 'phone'));
  await light.click('#filter-box > summary');
  assert.deepEqual(faults, []);
  await dark.context().close();
});

await test('a phone shows medians without scrolling, and nothing is wider than it', async () => {
  for (const file of ['answer.html', 'many.html']) {
    const page = await report(file);
    await resized(page, 390);
    const wide = await page.evaluate(() => [...document.querySelectorAll('[data-chart] svg')].filter((svg) => svg.getBoundingClientRect().width > 366)
      .map((svg) => `${svg.closest('[data-chart]').dataset.chart} ${svg.getBoundingClientRect().width}`));
    assert.deepEqual(wide, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
    const beyond = await page.evaluate(() => [...document.querySelectorAll('table')].flatMap((table) => {
      const place = [...table.querySelectorAll('thead th')].findIndex((head) => head.textContent === 'median');
      return place < 0 ? [] : [...table.querySelectorAll(`tbody td:nth-child(${place + 1})`)].filter((cell) => cell.offsetParent !== null && cell.getBoundingClientRect().right > 390).map((cell) => cell.textContent);
    }));
    assert.deepEqual(beyond, []);
    assert.ok(await page.locator('#summary td:has-text("µs")').count() > 0);
  }
});

await test('lines of two runs are told apart, and none is a tie of itself', async () => {
  const page = await report('runs.html');
  const names = await wordsOf(page, 'sweep', 'legend-label');
  for (const run of ['run 1', 'run 2']) assert.ok(names.some((name) => name.startsWith(`steady · ${run}`)), `${names}`);
  assert.match(await page.textContent('#notes'), /measured again in a newer run/);
  const cells = await page.locator('#summary table').first().locator('td').allTextContents();
  assert.equal(cells.join(' ').match(/tile=(8|16)\b/g).length, 8, 'each of the two once in each of four rows');
});

await test('a page of 1,000 points has at most 1.2 MB', async () => {
  assert.ok(statSync(join(folder, 'thousand.html')).size <= 1.2e6, `${statSync(join(folder, 'thousand.html')).size} bytes`);
  const page = await report('thousand.html');
  assert.match(await page.textContent('#subtitle'), /1,000 points/);
});

await test('runs with only failures, and with one point that has an outlier', async () => {
  const failed = await report('failed.html');
  assert.match(await failed.textContent('#summary'), /4 points without a time/);
  assert.equal(await failed.locator('#sweep').isVisible(), false);
  const steps = JSON.stringify([...Array.from({ length: 40 }, (_, index) => index), 1e8]);
  writeFileSync(join(folder, 'outlier.html'), readFileSync(join(folder, 'one.html'), 'utf8').replace(/"steps":\[\[[^\]]*\]/, `"steps":[${steps}`));
  const one = await report('outlier.html');
  assert.match(await one.textContent('#summary'), /steady/);
  assert.equal(await one.locator('#history').isVisible(), false);
  await one.locator('#points tbody button').first().click();
  await one.waitForSelector('#detail[open] [data-chart="distribution"] svg');
  assert.ok((await marksOf(one)).distribution > 3, 'the others are not pressed into one bar');
  assert.match(await one.textContent('#detail'), /Farther out than shown, in the outermost bars: 1\./);
});

await test('runs of two stores, and two workloads, in one report', async () => {
  const codes = Array.from({ length: 73 }, (_, point) => point % 2);
  const html = readFileSync(join(folder, 'merged.html'), 'utf8');
  writeFileSync(join(folder, 'mixed.html'), html.replace(/"workload":\{"values":\["matmul"\],"codes":0\}/, `"workload":{"values":["matmul","reduce"],"codes":${JSON.stringify(codes)}}`));
  const page = await report('mixed.html');
  assert.match(await page.textContent('#subtitle'), /^2 runs, 73 points/);
  assert.match(await page.textContent('#environment'), /many\.db run 1/);
  assert.match(await page.textContent('#count'), /^73 points of 73/);
  const names = async () => (await page.locator('#points tbody td:first-child').allTextContents()).join(' ');
  for (const workload of ['matmul/', 'reduce/']) assert.ok((await names()).includes(workload), workload);
  const workload = page.locator('#sweep label').filter({ hasText: /^Workload/ }).locator('select');
  await workload.selectOption({ label: 'reduce' });
  await drawn(page);
  assert.equal(await workload.evaluate((box) => box.selectedOptions[0].label), 'reduce');
  assert.ok((await marksOf(page)).sweep > 2);
});

await test('a history has a chart and a table', async () => {
  const page = await report('history.html');
  assert.match(await page.textContent('#history'), /newest \/ first.*1\.100/s);
  assert.ok((await marksOf(page)).history >= 6, 'the chart of the history has its points');
  assert.ok((await wordsOf(page, 'history', 'axis-label')).every((label) => !/^[-−]/.test(label)), 'no time is below zero');
  const [x, y] = await aMark(page, 'history');
  await page.mouse.click(x, y);
  assert.equal(await page.locator('#detail').isVisible(), true);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
});

await test('paired rounds and replicates are in the summary', async () => {
  const page = await report('paired.html');
  const summary = await page.textContent('#summary');
  assert.match(summary, /Against the baseline/);
  assert.match(summary, /0\.980×/);
  assert.match(summary, /Between fresh processes/);
  assert.deepEqual(await faultsOf(page, 'a paired comparison'), []);
});

await test('all JSON is what the schema says', async () => {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
  const schema = JSON.parse(readFileSync(join(tree, 'core/report/schema/benchctl.schema.json')));
  ajv.addSchema(schema, 'benchctl');
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  // By its part of the schema, so that a complaint names the place; then as a whole, which decides which part it is.
  const check = (part, document, what) => {
    const validate = ajv.getSchema(`benchctl#/$defs/${part}`);
    assert.ok(validate(document), `${what}: ${ajv.errorsText(validate.errors)}`);
    assert.ok(ajv.getSchema('benchctl')(document), what);
  };
  const refused = (part, document) => assert.equal(ajv.getSchema(`benchctl#/$defs/${part}`)(document), false);

  for (const name of ['many', 'failed', 'one', 'paired']) {
    const document = JSON.parse(read(`${name}.json`));
    check('report', document, name);
    refused('report', { ...document, schema_version: 99 });
    for (const wrong of [{ median_ns: 'slow' }, { status: 'splendid' }, { registers: 'many' }, { label: null }]) {
      refused('report', { ...document, rows: [{ ...document.rows[0], ...wrong }] });
    }
  }
  for (const [part, name, list] of [['compare', 'compare', 'pairs'], ['compare', 'verdict', 'pairs'], ['history', 'history', 'series']]) {
    const document = JSON.parse(read(`over_time.${name}.json`));
    check(part, document, name);
    assert.ok(document[list].length > 0);
    refused(part, { ...document, schema_version: 99 });
    refused(part, { ...document, [list]: [{ ...document[list][0], label: 3 }] });
    refused(part, { ...document, [list]: [{ ...document[list][0], surplus: 3 }] });
  }
  const verdict = JSON.parse(read('over_time.verdict.json'));
  refused('compare', { ...verdict, verdict: 'splendid' });
  const { rank, ...unranked } = verdict.pairs[0].base;
  refused('compare', { ...verdict, pairs: [{ ...verdict.pairs[0], base: unranked }] });

  const all = read('stream.jsonl').trim().split('\n').map((line) => JSON.parse(line));
  const [lines, steps] = [all.filter(({ type }) => type !== 'progress'), all.filter(({ type }) => type === 'progress')];
  assert.ok(steps.some(({ doing }) => doing === 'sampling'), 'steps are told');
  assert.deepEqual(lines.map((line) => line.type), ['point', 'point', 'point', 'point', 'summary']);
  for (const line of [...lines, steps[0]]) {
    check(`${line.type}_line`, line, line.type);
    refused(`${line.type}_line`, { ...line, format: 99 });
  }
  refused('point_line', { ...lines[0], row: { ...lines[0].row, status: 'splendid' } });
});

await browser.close();
console.log(failures === 0 ? 'all passed' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
