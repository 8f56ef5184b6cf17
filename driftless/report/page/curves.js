// The lines of a figure as records, a record for each point: means with their bands, and single runs where they are few.
'use strict';

// How many rows each line gets, so that also very many lines at once are drawn quickly.
function rowsForEach(data, choice) {
  const lines = data.groups.filter((group) => isShown(data, group, choice))
    .reduce((sum, group) => sum + 1 + (group.single ?? []).length, 0);
  return Math.max(20, Math.floor(40000 / lines));
}

// What the metric can be, unless the runs show that it can be more: the loss of a problem of one's own may be negative.
function naturalRange(data, metric) {
  const {least, most} = columnOf(data, metric);
  const range = [least ?? -Infinity, most ?? Infinity];
  for (const {curve} of data.groups) {
    for (const value of [...(curve.mean[metric] ?? []), ...(curve.least?.[metric] ?? [])]) {
      if (value !== null && value < range[0]) range[0] = value;
    }
  }
  return range;
}

// The band of a mean at a row: its interval or, with few runs, where the runs are. Null: there is none.
function bandAt(curve, metric, k) {
  const [half, mean] = [curve.half_width?.[metric]?.[k], curve.mean[metric][k]];
  if (half !== undefined) return half === null ? null : {low: mean - half, high: mean + half, half};
  const low = curve.least?.[metric]?.[k];
  return low === undefined || low === null ? null : {low, high: curve.greatest[metric][k]};
}

// The points of one curve; `look(k)` is what each has beyond its place. Where a run goes to infinity is not what the axis is
// for: there its line leaves the picture.
function pointsOf(curve, choice, most, diverged, look) {
  const x = curve.mean[choice.against];
  const y = curve.mean[choice.metric];
  const points = [];
  if (!x || !y) return points;
  for (let k = 0; k < y.length; ++k) {
    if (curve.ranks[k] >= most || y[k] === null || x[k] === null || (choice.log && y[k] <= 0)) continue;
    const wild = diverged && y[k] > 10 * y[0];
    points.push({...look(k), x: x[k], y: y[k], ...(wild && {wild})});
    if (wild) break;
  }
  return points;
}

// All records that are shown. `of` tells what they belong to: 'mean' or 'run'.
function figureRows(data, choice) {
  const rows = [];
  const most = rowsForEach(data, choice);
  const [least, greatest] = naturalRange(data, choice.metric);
  data.groups.forEach((group, id) => {
    if (!isShown(data, group, choice)) return;
    const {diverged} = group.outcomes;
    const others = data.axes.filter((key) => key !== choice.lines && !panelKeys(data, choice).includes(key))
      .map((key) => `${nameOfKey(key)} = ${nameOfValue(data, key, valueOf(data, group, key))}`).join(', ');
    const line = valueOf(data, group, choice.lines);
    const common = {line, title: nameOfValue(data, choice.lines, line), panel: panelOf(data, group, choice), others};
    const mean = pointsOf(group.curve, choice, most, diverged, (k) => {
      const point = {of: 'mean', id: `${id}`, ...common, n: group.runs};
      const band = bandAt(group.curve, choice.metric, k);
      if (!band) return point;
      // On a logarithmic scale a band that reaches zero has no end: it is cut at a tenth of the mean.
      const lowest = Math.max(least, choice.log ? group.curve.mean[choice.metric][k] / 10 : -Infinity);
      const [low, high] = [Math.max(band.low, lowest), Math.min(band.high, greatest)];
      if (band.half === undefined) point.runs = `${toDigits(band.low, 4)} to ${toDigits(band.high, 4)}`;
      else point.spread = toDigits(band.half, 2);
      return group.single ? point : {...point, low, high};
    });
    rows.push(...mean);
    (group.single ?? []).forEach((run, k) => {
      const lost = run.outcome === 'diverged';
      const points = pointsOf(run.curve, choice, most, lost, () => ({of: 'run', id: `${id}/${k}`, ...common}));
      if (lost && points.length) points[points.length - 1].diverged = `the run with seed ${run.seed} diverged`;
      rows.push(...points);
    });
    if (diverged && !group.single && mean.length) mean[mean.length - 1].diverged = `${diverged} of ${group.runs} runs diverged`;
  });
  return rows;
}
const toDigits = (value, digits) => String(Number(value.toPrecision(digits)));

function extent(values) {
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
}

// With the ends of an axis that were asked for.
function limited([low, high], [from, to] = []) {
  const ends = [from ?? low, to ?? high];
  if (ends[0] < ends[1]) return ends;
  return typeof from === 'number' ? [from, from + (Math.abs(from) || 1)] : [to - (Math.abs(to) / 2 || 1), to];
}

// The y axis of a panel shows all its lines, and of the bands as much as leaves the lines half of the height; nothing beyond
// what the metric can be.
function rangeOf(rows, choice, [least, greatest]) {
  const [to, from] = choice.log ? [Math.log, Math.exp] : [Number, Number];
  const calm = rows.some((row) => !row.wild) ? rows.filter((row) => !row.wild) : rows;
  const [low, high] = extent(calm.map((row) => to(row.y)));
  const [bottom] = extent(calm.map((row) => to(row.low ?? row.y)));
  const [, top] = extent(calm.map((row) => to(row.high ?? row.y)));
  // Of runs that went to infinity at once only the start is calm: their lines leave it upwards.
  const lost = calm.length < rows.length && calm.every((row) => row.x === calm[0].x);
  if (lost) return [from(low) / (choice.log ? 2 : 1), Math.min(10 * from(high), greatest)];
  const room = (high - low) / 2 || Math.abs(high) / 2 || 1;
  const margin = 0.06 * room;
  const [first, last] = [Math.max(bottom, low - room) - margin, Math.min(top, high + room) + margin];
  return [Math.max(from(first), choice.log ? 0 : least), Math.min(from(last), greatest)];
}
