// Starts the page and keeps it up to date.

function drawHead() {
  document.getElementById('title').textContent = report.title;
  document.getElementById('subtitle').textContent = `${plural(report.runs.length, 'run')}, ${plural(pointCount, 'point')}, ${plural(report.platforms.filter((platform) => platform.known).length, 'device')}; made ${report.generated.slice(0, 10)}`;
  document.getElementById('footer').textContent = `benchctl ${report.benchctl}, ${report.generated}. Charts by Vega ${vega.version} and Vega-Lite ${vegaLite.version}.`;
  document.getElementById('notes').hidden = report.warnings.length === 0;
  document.getElementById('notes-title').textContent = plural(report.warnings.length, 'note');
  document.querySelector('#notes ul').replaceChildren(...report.warnings.map((warning) => element('li', {}, warning)));
  document.getElementById('contents').replaceChildren(...[...document.querySelectorAll('main > section:not([hidden])')].map((section) =>
    element('a', { href: `#${section.id}` }, section.querySelector('h2').textContent)));
}

const sections = [drawAnswer, drawSummary, drawHistory, drawSweep, drawModes, drawVendors, drawRoofline, drawPredicted, drawPublished, drawHeatmap, drawPoints];

function update() {
  pickMeasure();
  applyFilter();
  drawFilters();
  for (const draw of sections) draw();
  announce(`${plural(shownPoints.length, 'point')} shown`);
}

function setTheme(name) {
  theme = name;
  document.documentElement.dataset.theme = name;
  const button = document.getElementById('theme');
  button.textContent = name === 'dark' ? 'Light' : 'Dark';
  button.setAttribute('aria-pressed', String(name === 'dark'));
}

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
setTheme(prefersDark.matches ? 'dark' : 'light');
prefersDark.addEventListener('change', (event) => {
  setTheme(event.matches ? 'dark' : 'light');
  update();
});
document.getElementById('theme').addEventListener('click', () => {
  setTheme(theme === 'dark' ? 'light' : 'dark');
  update();
});
document.getElementById('print').addEventListener('click', () => window.print());
document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
document.getElementById('detail').addEventListener('click', (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});
// Paper is white.
let themeBeforePrint;
window.addEventListener('beforeprint', () => {
  themeBeforePrint = theme;
  if (theme === 'dark') { setTheme('light'); update(); }
});
window.addEventListener('afterprint', () => {
  if (themeBeforePrint === 'dark') { setTheme('dark'); update(); }
});
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

drawHead();
startWithWorkload();
update();
drawEnvironment();
document.documentElement.dataset.ready = 'true';
