// Numbers as people read them; the same rules as in the terminal's tables.

const nothing = '–';

function significant(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return nothing;
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const exponent = Number(value.toExponential(digits - 1).split('e')[1]);
  return value.toFixed(Math.max(0, Math.min(20, digits - 1 - exponent)));
}

const timeUnits = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
];

function duration(ns) {
  if (ns === null || ns === undefined) return nothing;
  const unit = timeUnits.find((candidate) => Number((ns / candidate.ns).toPrecision(4)) >= 1) ?? timeUnits[3];
  return `${significant(ns / unit.ns)} ${unit.name}`;
}

// The unit in which most of these times are easy to read.
function commonTimeUnit(times) {
  const known = times.filter((time) => time > 0);
  if (known.length === 0) return timeUnits[3];
  const middle = Math.exp(known.reduce((sum, time) => sum + Math.log(time), 0) / known.length);
  return timeUnits.find((unit) => middle / unit.ns >= 1) ?? timeUnits[3];
}

function percent(ratio) {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) return nothing;
  const value = ratio * 100;
  if (value === 0) return '0 %';
  const exponent = Number(value.toExponential(1).split('e')[1]);
  return `${value.toFixed(Math.min(2, Math.max(0, 1 - exponent)))} %`;
}

const count = (value) => value.toLocaleString('en-US');
const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
const times = (ratio) => (ratio === null || !Number.isFinite(ratio) ? nothing : `${significant(ratio, 3)}×`);

// What a time is shown with, in the unit of the median (core/model/measure.hpp).
function rangeText(point) {
  const [low, high] = [number('low_ns', point), number('high_ns', point)];
  return low === null || high === null ? nothing : `${duration(low)} to ${duration(high)}`;
}

const timeText = (point) => `${duration(number('median_ns', point))}${number('low_ns', point) === null ? '' : ` (${rangeText(point)})`}`;

// What the charts can show of a point. `of` gives the value; times turn round when they become rates.
const quantities = {
  time: { label: 'median time', title: 'Median time', better: 'lower', of: (point) => number('median_ns', point) },
  gflops: { label: 'GFLOP/s', title: 'Rate', unit: 'GFLOP/s', better: 'higher', of: (point) => number('gflops', point) },
  gbytes: { label: 'GB/s', title: 'Rate', unit: 'GB/s', better: 'higher', of: (point) => number('gbytes_per_s', point) },
  access: { label: 'time per access', title: 'Time per access', unit: 'ns', better: 'lower', of: (point) => number('ns_per_access', point) },
  roof: { label: 'share of the roof', title: 'Share of the measured roof', unit: '%', scale: 100, better: 'higher', of: (point) => resource('roof_fraction', point) },
  datasheet: { label: 'share of the datasheet', title: 'Share of the datasheet\'s peak', unit: '%', scale: 100, better: 'higher', of: (point) => number('datasheet_share', point) },
};

function quantityText(name, point) {
  if (name === 'time') return duration(number('median_ns', point));
  const quantity = quantities[name];
  const value = quantity.of(point);
  return value === null ? nothing : `${significant(value * (quantity.scale ?? 1))} ${quantity.unit}`;
}

// A quantity with its range in one unit for all these points.
function figuresOf(name, points) {
  const quantity = quantities[name];
  const unit = name === 'time' ? commonTimeUnit(points.map((point) => number('median_ns', point))) : null;
  const scale = unit ? 1 / unit.ns : quantity.scale ?? 1;
  const shown = points.filter((point) => quantity.of(point) !== null).map((point) => {
    const value = quantity.of(point) * scale;
    const median = number('median_ns', point);
    const [low, high] = [number('low_ns', point), number('high_ns', point)];
    const known = low !== null && high !== null && low > 0;
    const ends = quantity.better === 'lower'
      ? [value * (low / median), value * (high / median)]
      : [value * (median / high), value * (median / low)];
    return { id: point, value, low: known ? ends[0] : null, high: known ? ends[1] : null };
  });
  return { rows: shown, title: `${quantity.title} (${unit ? unit.name : quantity.unit})` };
}
