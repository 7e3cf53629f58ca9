// Elements. Text enters the page as text only: nothing here or elsewhere reads markup from the data.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key in node && typeof value !== 'string') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(2).filter((child) => child !== undefined && child !== null));
  return node;
}

const byId = (id) => document.getElementById(id);
const button = (label, onclick, attributes = {}) => element('button', { type: 'button', onclick, ...attributes }, label);
const muted = (...text) => element('p', { class: 'muted' }, ...text);
const heading = (text) => element('h3', {}, text);
const folded = (summary, ...children) => element('details', {}, element('summary', {}, summary), ...children);
const pointButton = (point, label) => button(label, () => showDetail(point), { class: 'plain' });
// A text, or [text, point].
const shownCell = (cell) => (Array.isArray(cell) ? pointButton(cell[1], cell[0]) : cell);

// A head is {title, kind}, the kind a class; a cell is text or a node. A row that is a text is a heading of those after it.
// Columns without any text are left out, and so is a row of heads without any. `sort` is {by, down, choose}: the title that rows are sorted by.
function table(allHeads, allRows, { caption = 'Table', sort } = {}) {
  const filled = allHeads.map((_, place) => place).filter((place) => allRows.some((row) => Array.isArray(row) && (row[place] ?? '') !== ''));
  const heads = filled.map((place) => allHeads[place]);
  const head = ({ title, kind }) => element('th', { scope: 'col', class: kind, 'aria-sort': sort?.by === title ? (sort.down ? 'descending' : 'ascending') : undefined },
    sort ? button(title, () => sort.choose(title), { class: 'plain' }) : title);
  return element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption }, element('table', {},
    element('caption', { class: 'visually-hidden' }, caption),
    heads.some(({ title }) => title) ? element('thead', {}, element('tr', {}, heads.map(head))) : null,
    element('tbody', {}, allRows.map((row) => element('tr', {}, Array.isArray(row)
      ? filled.map((place, at) => element('td', { class: heads[at].kind }, row[place] ?? ''))
      : element('th', { scope: 'rowgroup', colSpan: heads.length }, row))))));
}

const [shortHead, numberHead, longHead] = ['key', 'number', 'wrap'].map((kind) => (title) => ({ title, kind }));
const facts = (rows, caption) => table([shortHead(''), longHead('')], rows.filter(([, value]) => (value ?? '') !== ''), { caption });

function select(label, options, value, change) {
  const box = element('select', { onchange: () => change(options[box.selectedIndex].value) }, options.map((option) => element('option', {}, option.label)));
  box.selectedIndex = Math.max(0, options.findIndex((option) => option.value === value));
  return element('label', {}, label, box);
}

function check(label, value, change, name) {
  const box = element('input', { type: 'checkbox', name, checked: value, onchange: () => change(box.checked) });
  return element('label', { class: 'check' }, box, element('span', {}, label));
}

const controls = (...all) => element('div', { class: 'controls' }, ...all);

// Empties a section and shows it if there is something to draw; nothing otherwise.
function openSection(name, visible) {
  const body = document.querySelector(`#${name} .body`);
  clearCharts(body);
  byId(name).hidden = !visible;
  const link = document.querySelector(`#contents a[href="#${name}"]`);
  if (link) link.hidden = !visible;
  return visible ? body : undefined;
}

const announce = (message) => { byId('live').textContent = message; };
