// Devices side by side on identical problems.

const vendorChoice = { baseline: undefined };

// Of each problem that several platforms have done, the fastest point of each: {comparison, byPlatform}.
function sharedProblems() {
  return [...groupBy(timedPoints.filter(competes), (point) => number('comparison', point))]
    .map(([comparison, points]) => ({
      comparison,
      byPlatform: new Map([...groupBy(points, (point) => number('platform', point))].map(([platform, own]) => [platform, fastestOf(own)])),
    }))
    .filter(({ byPlatform }) => byPlatform.size > 1);
}

const shareOfDatasheet = (point) => (number('datasheet_share', point) === null ? '' : percent(number('datasheet_share', point)));

function drawPortability(body, shared) {
  const shown = new Set(shared.map(({ comparison }) => comparison));
  const entries = report.portability.filter((entry) => shown.has(entry.comparison) && entry.application_score !== null);
  if (entries.length === 0) return;
  const hasRoof = entries.some((entry) => entry.architectural_score > 0);
  const limit = 60;
  const efficiencies = (entry) => report.comparisons[entry.comparison].platforms
    .map((platform, index) => `${report.platforms[platform].label} ${percent(entry.application[index])}`).join(', ');
  body.append(element('h3', {}, 'Performance portability'),
    element('p', { class: 'muted' }, 'Harmonic mean of a variant\'s efficiency over all devices of the problem, of variants that each of these has; 0 where it failed (Pennycook, Sewall and Lee). Application efficiency: the fastest time on the device over the variant\'s own. ' +
      'Architectural efficiency: share of the measured roof.'),
    table([{ title: 'problem', wrap: true }, { title: 'variant', key: true }, { title: 'application', number: true },
      ...(hasRoof ? [{ title: 'architectural', number: true }] : []), { title: 'efficiency by device', wrap: true }],
    [...entries].sort((a, b) => b.application_score - a.application_score).slice(0, limit).map((entry) => [
      comparisonLabel(entry.comparison), entry.variant, significant(entry.application_score, 3),
      ...(hasRoof ? [significant(entry.architectural_score, 3)] : []), efficiencies(entry)]), { caption: 'Performance portability' }));
  if (entries.length > limit) body.append(element('p', { class: 'muted' }, `The best ${limit} of ${count(entries.length)}; filters show the others.`));
}

function drawVendors() {
  const body = sectionBody('vendors');
  clearCharts(body);
  const shared = sharedProblems();
  showSection('vendors', shared.length > 0);
  if (shared.length === 0) return;
  const platforms = sorted(distinct(shared.flatMap(({ byPlatform }) => [...byPlatform.keys()])));
  if (!platforms.includes(vendorChoice.baseline)) vendorChoice.baseline = platforms[0];
  const baseline = report.platforms[vendorChoice.baseline].label;
  const limit = 30;
  const withBase = shared.filter(({ byPlatform }) => byPlatform.has(vendorChoice.baseline));
  const drawn = [...withBase].sort((a, b) => number('flops', [...b.byPlatform.values()][0]) - number('flops', [...a.byPlatform.values()][0])).slice(0, limit);
  const rows = drawn.flatMap(({ comparison, byPlatform }) => [...byPlatform].map(([platform, point]) => {
    return { id: point, value: number('median_ns', byPlatform.get(vendorChoice.baseline)) / number('median_ns', point), category: report.platforms[platform].label, problem: comparisonLabel(comparison), comparison };
  }));
  body.append(element('div', { class: 'controls' },
    select('Baseline', platforms.map((platform) => ({ label: report.platforms[platform].label, value: platform })), vendorChoice.baseline, (value) => {
      vendorChoice.baseline = value;
      drawVendors();
    })));
  const scales = deviceScales(rows);
  const layout = panelLayout(1);
  const logRatios = spansDecades(rows.map((row) => row.value), 8);
  if (rows.length > 0) {
    drawChart(body, 'vendors', 'speedup', {
      width: Math.max(180, contentWidth() - 30), problems: distinct(rows.map((row) => row.problem)), legendColumns: layout.legendColumns, back: style('--back'),
      xTicks: ticksOf(logRatios, rows.map((row) => row.value)),
      xScale: logRatios ? { type: 'log', nice: false, padding: 14 } : { zero: false, padding: 14 },
      xTitle: `Times as fast as the fastest of ${baseline}`, ink: style('--text'), muted: style('--muted'),
      domain: scales.domain, colours: scales.colours, shapes: scales.shapes,
    }, rows, {
      label: `Devices compared with ${baseline}`,
      caption: `The fastest variant of each device against the fastest of ${baseline}: ratio of the medians. ${filter.measure ?? ''}.` +
        (withBase.length > limit ? ` Drawn: ${limit} of ${count(withBase.length)} problems, the largest.` : ''),
    });
  }
  drawPortability(body, shared);
}
