// What is the fastest on each device, and what has no time and why.

// Columns of points: {title, cell, by}, where `by` is what they are sorted by; medians come first, for narrow screens.
function pointColumns(points) {
  const timed = points.some(isTimed);
  const roof = points.some((point) => resource('roof_fraction', point) !== null);
  const rate = ['gflops', 'gbytes'].find((name) => points.some((point) => quantities[name].of(point) !== null));
  const label = (point) => [`${text('workload', point)}/${text('variant', point)}`, problemText(point), tunablesText(point)].filter(Boolean).join(' ');
  const figure = (title, value, words) => ({ title, number: true, by: value, cell: words });
  return [
    { title: 'point', wrap: true, by: label, cell: (point) => element('span', {}, markOf(point), pointButton(point, label(point))) },
    ...(timed ? [figure('median', (point) => number('median_ns', point), (point) => duration(number('median_ns', point))),
      { title: 'range', number: true, by: (point) => number('low_ns', point), cell: rangeText }] : []),
    { title: 'device', key: true, by: (point) => number('platform', point), cell: (point) => platformOf(point).label },
    ...(runsShareLines ? [{ title: 'run', key: true, by: (point) => columns.run[point], cell: (point) => runOf(point).label }] : []),
    { title: 'status', by: (point) => text('status', point), cell: (point) => text('status', point) + (text('expect', point) === 'wrong' ? ' (wrong, as expected)' : '') },
    ...(timed ? [figure('samples', (point) => number('n_samples', point), (point) => (number('n_samples', point) === null ? '' : count(number('n_samples', point)))),
      figure('vs best', (point) => number('versus_best', point), (point) => times(number('versus_best', point)))] : []),
    ...(rate ? [figure(quantities[rate].label, quantities[rate].of, (point) => significant(quantities[rate].of(point)))] : []),
    { title: 'remarks', wrap: true, by: (point) => text('remarks', point), cell: (point) => text('remarks', point) },
    ...(roof ? [figure('of roof', (point) => resource('roof_fraction', point), (point) => percent(resource('roof_fraction', point)))] : []),
    { title: 'reason', wrap: true, by: (point) => text('reason', point), cell: (point) => text('reason', point) },
  ];
}

function pointTable(points, { sort, shown = pointColumns(points) } = {}) {
  return table(shown, points.map((point) => shown.map(({ cell }) => cell(point))), { caption: 'Points', sort });
}

const variantText = (point) => [text('variant', point) + (number('vendor', point) === 1 && !text('variant', point).includes('vendor') ? ' (vendor)' : ''), tunablesText(point)].filter(Boolean).join(' ');

// One row a device, problem by problem: what the program found (core/report/answers.hpp), as far as the filter shows it.
function drawAnswers(body) {
  const limit = 40;
  const shown = new Set(timedPoints);
  const open = new Set(timedPoints.map((point) => `${number('comparison', point)} ${number('platform', point)}`));
  const all = report.answers.filter(({ comparison, platform, best }) => (best === null ? open.has(`${comparison} ${platform}`) : shown.has(best)));
  if (all.length === 0) return;
  const bests = all.map(({ best }) => best).filter((best) => best !== null);
  const roof = bests.some((best) => resource('roof_fraction', best) !== null);
  const sheet = bests.some((best) => number('datasheet_share', best) !== null);
  const rates = ['gflops', 'gbytes'].filter((name) => bests.some((best) => quantities[name].of(best) !== null));
  const several = all.some(({ versus }) => versus !== null);
  const heads = [{ title: 'device', key: true }, { title: 'time (range)', wrap: true },
    { title: 'vs best device', number: true }, { title: 'fastest', wrap: true }, ...(roof ? [{ title: 'of roof', number: true }] : []),
    ...(sheet ? [{ title: 'of datasheet', number: true }] : []), ...rates.map((name) => ({ title: quantities[name].label, number: true })),
    { title: 'ties with', wrap: true }, { title: 'fastest non-vendor', wrap: true }];
  const cells = ({ platform, best, own, ties, rivals, why_none: whyNone, versus }) => {
    const device = report.platforms[platform].label;
    if (best === null) return [device, nothing, '', `none: ${whyNone}`];
    return [
      device, timeText(best), versus === null ? '' : times(versus),
      pointButton(best, variantText(best)), ...(roof ? [percent(resource('roof_fraction', best))] : []), ...(sheet ? [shareOfDatasheet(best)] : []),
      ...rates.map((name) => significant(quantities[name].of(best))),
      ties.length > 0 ? `${ties.slice(0, 3).map(variantText).join('; ')}${ties.length > 3 ? ` and ${ties.length - 3} more` : ''}`
        : rivals < 2 ? 'only variant measured' : '',
      own === null ? '' : element('span', {}, pointButton(own, variantText(own)), ` ${duration(number('median_ns', own))}, ${times(number('versus_best', own))}`),
    ];
  };
  const rows = (answers) => answers.flatMap((answer, index) => [
    ...(answers[index - 1]?.comparison === answer.comparison ? [] : [comparisonLabel(answer.comparison)]), cells(answer)]);
  body.append(table(heads, rows(all.slice(0, limit)), { caption: 'Fastest of each device' }));
  if (all.length > limit) {
    const rest = element('details', {}, element('summary', {}, `${count(all.length - limit)} more`));
    rest.addEventListener('toggle', () => {
      if (rest.open && rest.childElementCount === 1) rest.append(table(heads, rows(all.slice(limit, limit + 2000)), { caption: 'Fastest of each device, more' }));
    });
    body.append(rest);
  }
  const without = distinct(all.map(({ platform }) => platform)).map((platform) => report.platforms[platform]).filter(({ known, datasheet }) => known && Object.keys(datasheet).length === 0);
  if (several && without.length > 0) {
    body.append(element('p', { class: 'muted' }, `No figures of a datasheet are known for ${without.map(({ label }) => label).join(', ')}: its backend tells none.`));
  }
}

// What paired rounds say of points against their baseline.
function drawPaired(body) {
  const limit = 60;
  const compared = timedPoints.filter((point) => text('baseline', point));
  if (compared.length === 0) return;
  const heads = [{ title: 'point', wrap: true }, { title: 'speed vs baseline', number: true }, { title: 'interval', number: true }, { title: 'device', key: true }, { title: 'verdict' }, { title: 'baseline', wrap: true }];
  const rows = compared.slice(0, limit).map((point) => {
    const [ratio, low, high] = ['time_ratio', 'ratio_ci_low', 'ratio_ci_high'].map((name) => number(name, point));
    return [pointButton(point, [shortProblem(point), variantText(point)].filter(Boolean).join(' ')), times(ratio === null ? null : 1 / ratio),
      low === null || high === null ? '' : `${significant(1 / high, 3)}–${significant(1 / low, 3)}`, platformOf(point).label, text('verdict', point).replace('_', ' '), text('baseline', point)];
  });
  body.append(element('h3', {}, 'Against the baseline, by paired rounds'), table(heads, rows, { caption: 'Against the baseline' }));
  if (compared.length > limit) body.append(element('p', { class: 'muted' }, `and ${count(compared.length - limit)} more; filters show them`));
}

// How much fresh processes differ.
function drawReplicates(body) {
  const limit = 30;
  const repeated = timedPoints.filter((point) => resource('replicates', point) !== null);
  if (repeated.length === 0) return;
  repeated.sort((a, b) => resource('between_spread', b) - resource('between_spread', a));
  const heads = [{ title: 'point', wrap: true }, { title: 'device', key: true }, { title: 'replicates', number: true }, { title: 'within', number: true }, { title: 'between', number: true }];
  const rows = repeated.slice(0, limit).map((point) => [pointButton(point, [shortProblem(point), variantText(point)].filter(Boolean).join(' ')), platformOf(point).label,
    count(resource('replicates', point)), percent(resource('within_spread', point)), percent(resource('between_spread', point))]);
  body.append(element('h3', {}, 'Between fresh processes'), element('p', { class: 'muted' }, 'Spread of the times within one process, and of the medians of several; the largest first.'),
    table(heads, rows, { caption: 'Between fresh processes' }));
  if (repeated.length > limit) body.append(element('p', { class: 'muted' }, `and ${count(repeated.length - limit)} more`));
}

function drawReasons(body) {
  const untimed = shownPoints.filter((point) => !isTimed(point));
  if (untimed.length === 0) return;
  const groups = [...groupBy(untimed, (point) => `${text('status', point)}\n${text('reason', point)}`).values()]
    .sort((a, b) => (text('status', a[0]) === 'skipped') - (text('status', b[0]) === 'skipped') || b.length - a.length);
  body.append(element('h3', {}, `${plural(untimed.length, 'point')} without a time`));
  body.append(table([{ title: 'points', number: true }, { title: 'status', key: true }, { title: 'reason', wrap: true }, { title: 'for example', wrap: true }],
    groups.slice(0, 100).map((points) => [count(points.length), element('span', { class: 'status', title: report.statuses[text('status', points[0])] }, text('status', points[0])),
      text('reason', points[0]), pointButton(points[0], pointLabel(points[0]))]), { caption: 'Points without a time, by reason' }));
  if (groups.length > 100) body.append(element('p', { class: 'muted' }, `and ${count(groups.length - 100)} more reasons`));
}

function drawSummary() {
  const body = sectionBody('summary');
  body.replaceChildren();
  if (pointCount === 0) {
    body.append(element('p', {}, 'There is no point in these runs.'));
    return;
  }
  if (timedPoints.length === 0) body.append(element('p', {}, 'No shown point has a time.'));
  drawAnswers(body);
  drawPaired(body);
  drawReplicates(body);
  drawReasons(body);
}
