// Elements. Text enters the page as text only: nothing here or elsewhere reads markup from the data.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key in node && typeof value !== 'string') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

// `heads` are {title, number, wrap, key}; a cell is text or a node. A row that is a text is a heading of those after it.
// Columns without any text are left out, and so is a row of heads without any. `sort` is {by, down, choose}: the title that rows are sorted by.
function table(allHeads, allRows, { caption, sort } = {}) {
  const filledColumns = allHeads.map((_, place) => place).filter((place) => allRows.some((row) => Array.isArray(row) && row[place] !== '' && row[place] !== null && row[place] !== undefined));
  const heads = filledColumns.map((place) => allHeads[place]);
  const rows = allRows.map((row) => (Array.isArray(row) ? filledColumns.map((place) => row[place]) : row));
  const headOf = ({ title }) => (sort ? element('button', { type: 'button', class: 'plain', onclick: () => sort.choose(title) }, title) : title);
  const order = ({ title }) => (sort?.by === title ? (sort.down ? 'descending' : 'ascending') : undefined);
  const classes = (head) => [head.number && 'number', head.wrap && 'wrap', head.key && 'key'].filter(Boolean).join(' ');
  return element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption ?? 'Table' },
    element('table', {},
      caption ? element('caption', { class: 'visually-hidden' }, caption) : null,
      heads.some(({ title }) => title) ? element('thead', {}, element('tr', {}, heads.map((head) =>
        element('th', { scope: 'col', class: classes(head) || undefined, 'aria-sort': order(head) }, headOf(head))))) : null,
      element('tbody', {}, rows.map((row) => element('tr', {}, Array.isArray(row)
        ? row.map((cell, place) => element('td', { class: classes(heads[place]) || undefined }, cell ?? ''))
        : element('th', { scope: 'rowgroup', colSpan: heads.length }, row))))));
}

function select(label, options, value, change) {
  const box = element('select', { onchange: () => change(options[box.selectedIndex].value) },
    options.map((option) => element('option', {}, option.label)));
  box.selectedIndex = Math.max(0, options.findIndex((option) => option.value === value));
  return element('label', {}, label, box);
}

function check(label, value, change) {
  const box = element('input', { type: 'checkbox', onchange: () => change(box.checked) });
  box.checked = value;
  return element('label', { class: 'check' }, box, element('span', {}, label));
}

// What opens a point's details.
function pointButton(point, label) {
  return element('button', { type: 'button', class: 'plain', onclick: () => showDetail(point) }, label);
}

const sectionBody = (name) => document.querySelector(`#${name} .body`);

function showSection(name, visible) {
  document.getElementById(name).hidden = !visible;
  const link = document.querySelector(`#contents a[href="#${name}"]`);
  if (link) link.hidden = !visible;
}

function announce(message) {
  document.getElementById('live').textContent = message;
}
