// The answer first: what is the fastest on each device, and what has no time and why.

function pointTable(points) {
  const timed = points.some(isTimed);
  const roof = points.some((point) => resource('roof_fraction', point) !== null);
  const rate = ['gflops', 'gbytes'].find((name) => points.some((point) => quantities[name].of(point) !== null));
  const heads = [
    { title: 'point', wrap: true },
    { title: 'device', key: true },
    { title: 'status' },
    ...(timed ? [{ title: 'median', number: true }, { title: '±', number: true }, { title: 'samples', number: true }, { title: 'vs best', number: true }] : []),
    ...(rate ? [{ title: quantities[rate].label, number: true }] : []),
    ...(roof ? [{ title: 'of roof', number: true }] : []),
    { title: 'reason', wrap: true },
  ];
  const rows = points.map((point) => [
    pointButton(point, [`${text('workload', point)}/${text('variant', point)}`, problemText(point), tunablesText(point)].filter(Boolean).join(' ')),
    platformOf(point).label,
    text('status', point) + (text('expect', point) === 'wrong' ? ' (wrong, as expected)' : ''),
    ...(timed ? [duration(number('median_ns', point)), halfWidth(point) === null ? nothing : percent(halfWidth(point)),
      number('n_samples', point) === null ? '' : count(number('n_samples', point)), times(number('versus_best', point))] : []),
    ...(rate ? [significant(quantities[rate].of(point))] : []),
    ...(roof ? [percent(resource('roof_fraction', point))] : []),
    text('reason', point),
  ]);
  return table(heads, rows, { caption: 'Points' });
}

const variantText = (point) => [text('variant', point) + (number('vendor', point) === 1 && !text('variant', point).includes('vendor') ? ' (vendor)' : ''), tunablesText(point)].filter(Boolean).join(' ');

// Rows of the summary: one for each problem and device, with all that cannot be told apart from the fastest.
function answers() {
  const rows = [];
  const winners = timedPoints.filter((point) => number('best', point) === 1);
  for (const [comparison, points] of groupBy(winners, (point) => number('comparison', point))) {
    for (const [, own] of groupBy(points, (point) => number('platform', point))) {
      const best = fastestOf(own);
      const rivals = timedPoints.filter((point) => number('comparison', point) === comparison && mayWin(point) && number('platform', point) === number('platform', best));
      const ours = number('vendor', best) === 1 ? rivals.filter((point) => number('vendor', point) === 0) : [];
      rows.push({ comparison, best, ties: own.filter((point) => point !== best), rivals: rivals.length, ours: ours.length > 0 ? fastestOf(ours) : null });
    }
  }
  return rows;
}

function drawAnswers(body) {
  const limit = 40;
  const all = answers();
  if (all.length === 0) return;
  const roof = all.some(({ best }) => resource('roof_fraction', best) !== null);
  const rate = ['gflops', 'gbytes'].find((name) => all.some(({ best }) => quantities[name].of(best) !== null));
  const heads = [{ title: 'problem', wrap: true }, { title: 'device', key: true }, { title: 'fastest', wrap: true },
    { title: 'median', number: true }, { title: '±', number: true },
    ...(rate ? [{ title: quantities[rate].label, number: true }] : []), ...(roof ? [{ title: 'of roof', number: true }] : []),
    { title: 'as fast as it', wrap: true }, { title: 'fastest that is no vendor\'s', wrap: true }];
  const cells = ({ comparison, best, ties, rivals, ours }) => {
    return [
      comparisonLabel(comparison), platformOf(best).label, pointButton(best, variantText(best)), duration(number('median_ns', best)),
      halfWidth(best) === null ? nothing : percent(halfWidth(best)),
      ...(rate ? [significant(quantities[rate].of(best))] : []), ...(roof ? [percent(resource('roof_fraction', best))] : []),
      ties.length > 0 ? `tie with ${ties.slice(0, 3).map(variantText).join('; ')}${ties.length > 3 ? ` and ${ties.length - 3} more` : ''}`
        : rivals < 2 ? 'no rival' : '',
      ours === null ? '' : element('span', {}, pointButton(ours, variantText(ours)), ` ${duration(number('median_ns', ours))}, ${times(number('versus_best', ours))}`),
    ];
  };
  // Large problems say most about a device.
  all.sort((a, b) => number('flops', b.best) - number('flops', a.best) || number('bytes', b.best) - number('bytes', a.best) || a.comparison - b.comparison);
  body.append(element('h3', {}, 'Fastest of each device'), table(heads, all.slice(0, limit).map(cells), { caption: 'Fastest of each device' }));
  if (all.length > limit) {
    const rest = element('details', {}, element('summary', {}, `${count(all.length - limit)} more`));
    rest.addEventListener('toggle', () => {
      if (rest.open && rest.childElementCount === 1) rest.append(table(heads, all.slice(limit, limit + 2000).map(cells), { caption: 'Fastest of each device, more' }));
    });
    body.append(rest);
  }
}

// What paired rounds say of points against their baseline.
function drawPaired(body) {
  const limit = 60;
  const compared = timedPoints.filter((point) => text('baseline', point));
  if (compared.length === 0) return;
  const heads = [{ title: 'point', wrap: true }, { title: 'device', key: true }, { title: 'speed vs baseline', number: true },
    { title: '95 % interval', number: true }, { title: 'verdict' }, { title: 'baseline', wrap: true }];
  const rows = compared.slice(0, limit).map((point) => {
    const [ratio, low, high] = ['time_ratio', 'ratio_ci_low', 'ratio_ci_high'].map((name) => number(name, point));
    return [pointButton(point, [shortProblem(point), variantText(point)].filter(Boolean).join(' ')), platformOf(point).label, times(ratio === null ? null : 1 / ratio),
      low === null || high === null ? '' : `${significant(1 / high, 3)}–${significant(1 / low, 3)}`, text('verdict', point).replace('_', ' '), text('baseline', point)];
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
