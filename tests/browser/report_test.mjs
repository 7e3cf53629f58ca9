// Drives reports in Chromium. Arguments: the folder of the reports, that of the npm packages, the root of the tree.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, modules, tree] = process.argv.slice(2);
const require = createRequire(join(modules, 'x.js'));
const { chromium } = require('playwright-core');
const Ajv = require('ajv/dist/2020').default;

let failures = 0;
async function test(name, body) {
  try {
    await body();
    console.log(`ok      ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAILED  ${name}\n${String(error.stack).split('\n').slice(0, 8).join('\n')}`);
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

// A report in a window of its own; everything that it complains of or asks for is kept.
async function open(file, { width = 1400, dark = false, filters = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 1000 }, offline: true, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true });
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  page.on('request', (request) => request.url().startsWith('blob:') || request.url().startsWith('data:') || page.requests.push(request.url()));
  await page.goto(`file://${join(folder, file)}`);
  await page.waitForSelector('html[data-ready="true"]', { timeout: 60000 });
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart]')].every((box) => box.querySelector('svg')));
  if (filters) await page.click('#filter-box > summary');
  return page;
}

const marksOf = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('[data-chart]')].map((box) =>
  [box.dataset.chart, box.querySelectorAll('.mark-symbol path, .mark-rect path').length])));

// The middle of a point's mark in a chart.
async function aMark(page, chart) {
  const mark = page.locator(`[data-chart="${chart}"] .mark-symbol.role-mark path`).first();
  await mark.scrollIntoViewIfNeeded();
  const box = await mark.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const selectNamed = (page, label) => page.locator('#filters label, .controls label').filter({ hasText: new RegExp(`^${label}`) }).locator('select').first();

await test('a report opens without network, error or warning, and its charts have marks', async () => {
  const page = await open('many.html');
  assert.deepEqual(page.complaints, []);
  assert.equal(page.requests.length, 1, `asked for ${page.requests}`);
  const marks = await marksOf(page);
  for (const chart of ['sweep', 'modes', 'vendors', 'published_0', 'heatmap']) {
    assert.ok(marks[chart] > 2, `${chart} drew ${marks[chart]} marks`);
  }
  assert.match(await page.textContent('#summary'), /steady/);
  assert.match(await page.textContent('#summary'), /scripted failure/);
  await page.context().close();
});

await test('hostile texts are shown and do nothing', async () => {
  const page = await open('many.html');
  assert.equal(await page.textContent('#title'), process.env.HOSTILE);
  assert.equal(await page.title(), process.env.HOSTILE);
  assert.ok((await page.textContent('#published')).includes(process.env.HOSTILE));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await page.context().close();
});

await test('the policy lets no other script run', async () => {
  const page = await open('many.html');
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
  await page.context().close();
});

await test('a filter leaves what it says', async () => {
  const page = await open('many.html', { filters: true });
  const before = await page.textContent('#count');
  assert.match(before, /^72 points of 72/);
  await selectNamed(page, 'Device').selectOption({ label: 'fake:1' });
  assert.match(await page.textContent('#count'), /^36 points of 72/);
  await selectNamed(page, 'Variant').selectOption({ label: 'steady' });
  assert.match(await page.textContent('#count'), /^9 points of 72/);
  const devices = await page.locator('#points tbody tr td:nth-child(4)').allTextContents();
  assert.equal(devices.length, 9);
  assert.ok(devices.every((device) => device === 'fake:1'));
  assert.equal(await page.locator('#vendors').isVisible(), false, 'one device alone is compared with nothing');
  await page.click('#filters summary');
  await selectNamed(page, 'n').selectOption({ label: '16' });
  assert.match(await page.textContent('#count'), /^3 points of 72/);
  await page.click('#filters button:has-text("Reset")');
  assert.match(await page.textContent('#count'), /^72 points of 72/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('hovering shows median, range, samples, verification and resources', async () => {
  const page = await open('many.html');
  await page.mouse.move(...(await aMark(page, 'sweep')));
  await page.waitForSelector('#tooltip:not([hidden])');
  const shown = await page.textContent('#tooltip');
  for (const word of ['matmul/', 'median', 'range', 'samples', 'verified', 'yes', 'registers']) {
    assert.ok(shown.includes(word), `no "${word}" in: ${shown}`);
  }
  await page.context().close();
});

await test('a click shows the point with its samples', async () => {
  const page = await open('many.html');
  await page.mouse.click(...(await aMark(page, 'sweep')));
  await page.waitForSelector('#detail[open] [data-chart="distribution"] svg');
  const marks = await marksOf(page);
  assert.ok(marks.samples >= 30, `samples drew ${marks.samples} marks`);
  assert.ok(marks.distribution >= 1, `distribution drew ${marks.distribution} marks`);
  assert.match(await page.textContent('#detail h2'), /matmul\//);
  // The scripted clock falls from block to block, the power does not change.
  await page.waitForSelector('#detail [data-chart="trace_sm_clock"] svg');
  assert.ok((await marksOf(page)).trace_sm_clock >= 2, 'the clock has a mark for every block');
  assert.match(await page.textContent('#detail'), /The same in every block of samples: power 250.0 W/);
  assert.equal(await page.locator('#detail [data-chart="trace_power"]').count(), 0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#detail:not([open])', { state: 'attached' });
  await page.click('#summary button:has-text("throws")');
  assert.match(await page.textContent('#detail pre'), /scripted failure/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('keys reach every point', async () => {
  const page = await open('many.html');
  await page.focus('[data-chart="sweep"]');
  await page.keyboard.press('ArrowRight');
  const first = await page.textContent('#tooltip strong');
  assert.equal((await page.textContent('#live')).split(':').slice(0, 2).join(':').startsWith(first.slice(0, 10)), true);
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await page.textContent('#tooltip strong'), first);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#detail[open]');
  await page.context().close();
});

await test('logarithmic and linear axes, other axes and figures', async () => {
  const page = await open('many.html', { filters: true });
  const labels = () => page.locator('[data-chart="sweep"] .role-axis-label text').allTextContents();
  const before = await labels();
  await page.locator('#sweep label:has-text("logarithmic figures") input').click();
  await page.waitForFunction((old) => JSON.stringify([...document.querySelectorAll('[data-chart="sweep"] .role-axis-label text')].map((node) => node.textContent)) !== old, JSON.stringify(before));
  await selectNamed(page, 'Axis').selectOption({ label: 'n' });
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart="sweep"] .role-axis-title text')].some((node) => node.textContent === 'n'));
  await selectNamed(page, 'Show').selectOption({ label: 'GFLOP/s' });
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart="sweep"] .role-axis-title text')].some((node) => node.textContent === 'Rate (GFLOP/s)'));
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('lines join the sizes of a problem, and names at their ends stay within the chart', async () => {
  const page = await open('many.html');
  await selectNamed(page, 'Axis').selectOption({ label: 'n' });
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart="sweep"] .role-axis-title text')].some((node) => node.textContent === 'n'));
  const lines = await page.locator('[data-chart="sweep"] .mark-line.role-mark path').evaluateAll((nodes) => nodes.map((node) => node.getAttribute('d').split('L').length));
  assert.ok(lines.length > 0 && lines.every((places) => places === 3), `m and k go with n, and yet lines have ${lines} places`);
  const outside = await page.evaluate(() => [...document.querySelectorAll('[data-chart="sweep"] .mark-group.role-scope > g')].flatMap((panel) => {
    const room = panel.querySelector('path.background').getBoundingClientRect();
    return [...panel.querySelectorAll('.mark-text.role-mark text')].filter((node) => node.textContent !== '')
      .filter((node) => node.getBoundingClientRect().left < room.left - 1 || node.getBoundingClientRect().right > room.right + 1).map((node) => node.textContent);
  }));
  assert.deepEqual(outside, []);
  await page.context().close();
});

await test('bars for all tunables, where they are asked for', async () => {
  const page = await open('many.html');
  const before = await page.locator('[data-chart="modes"] .mark-rect.role-mark path').count();
  await page.locator('#modes select').nth(1).selectOption({ label: 'a row for each' });
  await page.waitForFunction((old) => document.querySelectorAll('[data-chart="modes"] .mark-rect.role-mark path').length > old, before);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('charts can be taken away as SVG, PNG and specification with data', async () => {
  const page = await open('many.html');
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
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('dark: by the system, and by the button', async () => {
  const backOf = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const labelOf = (page) => page.evaluate(() => document.querySelector('[data-chart="sweep"] .role-axis-label text').getAttribute('fill'));
  const light = await open('many.html');
  const dark = await open('many.html', { dark: true });
  assert.notEqual(await backOf(light), await backOf(dark));
  assert.notEqual(await labelOf(light), await labelOf(dark));
  await light.click('#theme');
  await light.waitForFunction(() => document.querySelector('[data-chart="sweep"] .role-axis-label text'));
  assert.equal(await backOf(light), await backOf(dark));
  assert.equal(await labelOf(light), await labelOf(dark));
  for (const page of [light, dark]) {
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

await test('narrow: nothing is wider than the window', async () => {
  const page = await open('many.html', { width: 390 });
  const wide = await page.evaluate(() => [...document.querySelectorAll('[data-chart] svg')].filter((svg) => svg.getBoundingClientRect().width > 366)
    .map((svg) => `${svg.closest('[data-chart]').dataset.chart} ${svg.getBoundingClientRect().width}`));
  assert.deepEqual(wide, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('on paper there are results and no controls', async () => {
  const page = await open('many.html');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('#filters').isVisible(), false);
  assert.equal(await page.locator('[data-chart="sweep"] svg').isVisible(), true);
  await page.context().close();
});

// What a chart says in words: its title of an axis, or the names of its legend.
const wordsOf = (page, chart, role) => page.locator(`[data-chart="${chart}"] .role-${role} text`).allTextContents();

await test('a report opens with the answer, a chart beside it and a row for each device', async () => {
  const page = await open('answer.html');
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
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('devices stand side by side, in one order', async () => {
  const page = await open('answer.html');
  const rows = await page.locator('#summary table').first().locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([first]) => first), ['matmul n=16', 'fake:0', 'fake:1', 'matmul n=8', 'fake:0', 'fake:1']);
  assert.ok(rows.filter((row) => row.length > 1).every((row) => row.includes('1.00×')), 'each has its ratio to the fastest device');
  for (const chart of ['answer_0', 'vendors', 'modes']) assert.deepEqual((await wordsOf(page, chart, 'legend-label')).filter((name) => !name.includes('·')), ['fake:0', 'fake:1'], chart);
  await page.context().close();
});

await test('notes are counted, below the results', async () => {
  const page = await open('answer.html');
  const notes = await page.locator('#notes li').allTextContents();
  assert.equal(await page.textContent('#notes-title'), `${notes.length} notes`);
  assert.ok(notes.some((note) => note.includes('No roofs were measured')));
  assert.equal(await page.locator('.warning:visible').count(), 0);
  await page.context().close();
});

await test('lines of two runs are told apart, and none is a tie of itself', async () => {
  const page = await open('runs.html');
  const names = await wordsOf(page, 'sweep', 'legend-label');
  for (const run of ['run 1', 'run 2']) assert.ok(names.includes(`steady · ${run}`), `${names}`);
  assert.match(await page.textContent('#notes'), /measured again in a newer run/);
  const cells = await page.locator('#summary table').first().locator('td').allTextContents();
  assert.equal(cells.join(' ').match(/tile=(8|16)\b/g).length, 8, 'each of the two once in each of four rows');
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('bars begin at zero; a logarithmic axis has dots', async () => {
  const page = await open('answer.html');
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
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('two axes at once are those of the sweep', async () => {
  const page = await open('answer.html');
  assert.deepEqual([...new Set(await wordsOf(page, 'heatmap', 'axis-title'))].sort(), ['n', 'tile']);
  await page.context().close();
});

await test('points are sorted and searched, and skipped ones hidden behind their number', async () => {
  const page = await open('answer.html');
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
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('portability leaves out what a device does not have', async () => {
  const page = await open('answer.html');
  const table = await page.locator('#vendors table').textContent();
  assert.match(table, /steady/);
  assert.doesNotMatch(table, /twin/);
  await page.context().close();
});

await test('names of roofs lie on nothing', async () => {
  const roofs = { fma_f32: 1e11, fma_f64: 0.9e11, mma_bf16: 1.1e11, mma_tf32: 1.05e11, dram_read: 1e10, cache_l2: 1.1e10, cache_l1: 1.2e10, shared: 1.3e10 };
  const html = readFileSync(join(folder, 'answer.html'), 'utf8').replaceAll('"roofs":{}', `"roofs":${JSON.stringify(roofs)}`)
    .replaceAll('"roofs":[]', '"roofs":[["gpu:0","dram_read",1e10,0.012,1980],["gpu:0","fma_f32",1e11,null,0]]');
  writeFileSync(join(folder, 'roofs.html'), html);
  for (const width of [1400, 390]) {
    const page = await open('roofs.html', { width });
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
    assert.ok(names.length >= (width > 1000 ? 8 : 2), `${names}`);
    assert.deepEqual(met, []);
    const caption = await page.locator('[data-figure="roofline"] figcaption').textContent();
    for (const probe of Object.keys(roofs)) assert.ok(names.some((name) => name.startsWith(`${probe} `)) || caption.includes(`${probe} `), `${probe} is named nowhere`);
    const measured = await page.locator('#environment table:has(caption:text-is("Roofs")) tbody tr').allTextContents();
    assert.match(measured[0], /dram_read.*10.*GB\/s.*1\.2 %.*1980 MHz/);
    assert.match(measured[1], /fma_f32.*100.*GFLOP\/s/);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

await test('a phone shows medians without scrolling', async () => {
  const page = await open('answer.html', { width: 390 });
  const beyond = await page.evaluate(() => [...document.querySelectorAll('table')].flatMap((table) => {
    const place = [...table.querySelectorAll('thead th')].findIndex((head) => head.textContent === 'median');
    return place < 0 ? [] : [...table.querySelectorAll(`tbody td:nth-child(${place + 1})`)].filter((cell) => cell.offsetParent !== null && cell.getBoundingClientRect().right > 390).map((cell) => cell.textContent);
  }));
  assert.deepEqual(beyond, []);
  assert.ok(await page.locator('#summary td:has-text("µs")').count() > 0);
  await page.context().close();
});

// What axe-core finds in a page as it is now; `where` names the page.
async function faultsOf(page, where) {
  await page.evaluate(readFileSync(join(modules, 'axe-core', 'axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, impact, help, nodes }) => `${where}: ${impact} ${id} (${help}): ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

await test('axe finds nothing: a sweep and a paired comparison, light, dark, on a phone; a point', async () => {
  const faults = [];
  for (const file of ['answer.html', 'paired.html']) {
    for (const [name, options] of Object.entries({ light: {}, dark: { dark: true }, phone: { width: 390 } })) {
      const page = await open(file, { ...options, filters: true });
      faults.push(...await faultsOf(page, `${file}, ${name}`));
      if (file === 'answer.html') {
        await page.locator('#points tbody button').first().click();
        await page.waitForSelector('#detail[open] [data-chart="distribution"] svg');
        faults.push(...await faultsOf(page, `a point of ${file}, ${name}`));
      }
      await page.context().close();
    }
  }
  assert.deepEqual(faults, []);
});

await test('a page of 1,000 points has at most 1.2 MB', async () => {
  assert.ok(statSync(join(folder, 'thousand.html')).size <= 1.2e6, `${statSync(join(folder, 'thousand.html')).size} bytes`);
  const page = await open('thousand.html');
  assert.match(await page.textContent('#subtitle'), /1,000 points/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('runs with only failures, and with one point', async () => {
  const failed = await open('failed.html');
  assert.match(await failed.textContent('#summary'), /4 points without a time/);
  assert.equal(await failed.locator('#sweep').isVisible(), false);
  const one = await open('one.html');
  assert.match(await one.textContent('#summary'), /steady/);
  for (const page of [failed, one]) {
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

await test('runs of two stores in one report', async () => {
  const page = await open('merged.html');
  assert.match(await page.textContent('#subtitle'), /^2 runs, 73 points/);
  assert.match(await page.textContent('#environment'), /many\.db run 1/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('a history has a chart and a table', async () => {
  const page = await open('history.html');
  assert.match(await page.textContent('#history'), /newest \/ first.*1\.100/s);
  assert.ok((await marksOf(page)).history >= 6, 'the chart of the history has its points');
  const [x, y] = await aMark(page, 'history');
  await page.mouse.click(x, y);
  assert.equal(await page.locator('#detail').isVisible(), true);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  const plain = await open('one.html');
  assert.equal(await plain.locator('#history').isVisible(), false);
  await plain.context().close();
});

await test('paired rounds and replicates are in the summary', async () => {
  const page = await open('paired.html');
  const summary = await page.textContent('#summary');
  assert.match(summary, /Against the baseline/);
  assert.match(summary, /0\.980×/);
  assert.match(summary, /Between fresh processes/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
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
    for (const suffix of ['json', 'export.json']) {
      const document = JSON.parse(read(`${name}.${suffix}`));
      check('report', document, `${name}.${suffix}`);
      refused('report', { ...document, schema_version: 99 });
      for (const wrong of [{ median_ns: 'slow' }, { status: 'splendid' }, { registers: 'many' }, { label: null }]) {
        refused('report', { ...document, rows: [{ ...document.rows[0], ...wrong }] });
      }
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

  const lines = read('stream.jsonl').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => line.type), ['point', 'point', 'point', 'point', 'summary']);
  for (const line of lines) {
    check(`${line.type}_line`, line, line.type);
    refused(`${line.type}_line`, { ...line, format: 99 });
  }
  refused('point_line', { ...lines[0], row: { ...lines[0].row, status: 'splendid' } });
});

await browser.close();
console.log(failures === 0 ? 'all passed' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
