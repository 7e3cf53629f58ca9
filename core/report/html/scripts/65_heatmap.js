// A figure over two axes.

const heatChoice = { x: undefined, y: undefined, variant: undefined };

// Dark cells get light numbers.
const heatColours = ['#fff7d6', '#fdd275', '#f29a4b', '#d1563f', '#93264f', '#45104d'];

// At most five characters, which is what a cell has room for.
function inCell(value) {
  const [scale, unit] = value >= 1e9 ? [1e9, 'G'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, ''];
  return `${significant(value / scale, 3)}${unit}`;
}

function drawHeatmap() {
  const body = sectionBody('heatmap');
  clearCharts(body);
  const candidates = timedPoints.filter((point) => isRight(point) && quantities[filter.quantity].of(point) !== null);
  // A pair of axes that points have both of.
  const axes = axesOf(candidates);
  const both = (a, b) => axesOf(candidates.filter((point) => parameter(a, point) !== undefined && parameter(b, point) !== undefined)).filter((name) => name === a || name === b).length === 2;
  const pairs = axes.slice(0, 12).flatMap((a, index) => axes.slice(index + 1, 12).filter((b) => both(a, b)).map((b) => [a, b]));
  showSection('heatmap', pairs.length > 0);
  if (pairs.length === 0) return;
  // The sweep's own axes: the one of its curves, and the one with which it fills most of the most cells.
  const weight = (pair) => {
    const values = candidates.map((point) => pair.map((name) => parameter(name, point))).filter((own) => !own.includes(undefined));
    const cells = distinct(values.map((own) => own.join('\u0001'))).length;
    return (pair.includes(sweepChoice.axis) ? 1e6 : 1) * cells ** 2 / (distinct(values.map(([a]) => a)).length * distinct(values.map(([, b]) => b)).length);
  };
  let current = pairs.findIndex(([a, b]) => a === heatChoice.x && b === heatChoice.y);
  if (current < 0) current = pairs.reduce((best, pair, index) => (weight(pair) > weight(pairs[best]) ? index : best), 0);
  const [x, y] = pairs[current];
  const having = candidates.filter((point) => parameter(x, point) !== undefined && parameter(y, point) !== undefined);
  const variants = sorted(distinct(having.map((point) => text('variant', point))));
  if (heatChoice.variant !== undefined && !variants.includes(heatChoice.variant)) heatChoice.variant = undefined;
  const pool = having.filter((point) => heatChoice.variant === undefined || text('variant', point) === heatChoice.variant);
  const cells = [...groupBy(pool, (point) => [platformOf(point).label, parameter(x, point), parameter(y, point)].join('\u0001')).values()].map(fastestOf);
  const limit = 2000;
  const { rows, title } = figuresOf(filter.quantity, cells.slice(0, limit));
  const values = rows.map((row) => row.value).filter((value) => value > 0);
  const log = spansDecades(values, 8);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const depth = (value) => (log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least));
  for (const row of rows) Object.assign(row, { x: parameter(x, row.id), y: parameter(y, row.id), panel: platformOf(row.id).label, label: inCell(row.value), deep: depth(row.value) > 0.5 });
  const panels = sorted(distinct(rows.map((row) => row.panel)));
  const layout = panelLayout(panels.length);
  body.append(element('div', { class: 'controls' },
    select('Axes', pairs.map(([a, b], index) => ({ label: `${a} × ${b}`, value: index })), current, (index) => {
      [heatChoice.x, heatChoice.y] = pairs[index];
      drawHeatmap();
    }),
    select('Variant', [{ label: 'the fastest', value: undefined }, ...variants.map((variant) => ({ label: variant, value: variant }))], heatChoice.variant, (value) => {
      heatChoice.variant = value;
      drawHeatmap();
    })));
  const wide = distinct(rows.map((row) => row.x)).length;
  drawChart(body, 'heatmap', 'heatmap', {
    panels, columns: layout.columns, width: Math.min(layout.width - 20, Math.max(180, wide * 70)), legendColumns: layout.legendColumns,
    xTitle: x, yTitle: y, xSort: sorted(distinct(rows.map((row) => row.x))), ySort: sorted(distinct(rows.map((row) => row.y))).reverse(),
    valueTitle: title, valueTicks: ticksOf(log, values)?.filter((tick) => tick >= least && tick <= most), colourScale: { type: log ? 'log' : 'linear', range: heatColours, ...(least < most ? { domain: [least, most] } : {}), interpolate: 'rgb' },
    line: style('--line'), ink: style('--text'),
  }, rows, {
    label: `${title} over ${x} and ${y}`,
    caption: `${title} of the fastest point of each cell${heatChoice.variant ? ` of ${heatChoice.variant}` : ''}; each cell holds its number. ${filter.measure ?? ''}.` + (cells.length > limit ? ` Drawn: ${count(limit)} of ${count(cells.length)} cells.` : ''),
  });
}
