// The figure of what runs came to against a key that was swept, as `driftless report --y … --x …` draws it.
'use strict';

// The key that tells lines apart, and those that tell panels apart. What is neither has lines of its own.
function linesAndPanels(data) {
  const {panels: asked, only} = data.choice;
  const many = data.axes.filter((key) => !(key in only) && valuesOf(data, key).length > 1);
  const lines = many.find((key) => key !== asked) ?? data.choice.x;
  const all = {lines, panels: 'all', only};
  const suits = new Set(data.groups.map((group) => panelOf(data, group, all))).size <= mostPanels ? 'all' : 'none';
  const panels = asked ?? suits;
  return {...all, panels: panels === 'none' ? null : panels};
}

// The values of the key: numbers with the scale that suits them, or words as they come.
function valuesOfKey(data) {
  const texts = valuesOf(data, data.choice.x).filter((text) => text !== NO_VALUE);
  const numbers = texts.map(Number);
  if (!numbers.every(Number.isFinite)) return {words: texts};
  const [low, high] = limited(extent(numbers), data.choice.x_limits);
  return {numbers, log: Math.min(low, ...numbers) > 0 && high > 10 * low};
}

const bandOf = (data, group) => data.choice.band ?? (group.runs < data.fewest_for_an_interval ? 'runs' : 'interval');

// The mean of a group, and the ends of its bar.
function meanOf(data, group, log) {
  const {mean, half_width: half} = group;
  const band = bandOf(data, group);
  if (mean === null) return {mean};
  if (band === 'range') return {mean, low: Math.min(...group.numbers), high: Math.max(...group.numbers)};
  if (band !== 'interval' || half === null) return {mean};
  // On a logarithmic scale a bar that reaches zero has no end: it is cut at a tenth of the mean.
  const least = log ? mean / 10 : Math.min(0, ...group.numbers);
  return {mean, low: Math.max(mean - half, least), high: Math.min(mean + half, data.most ?? Infinity)};
}

const isWithin = (number, [from, to]) => number >= (from ?? -Infinity) && number <= (to ?? Infinity);

// Rows are means, single runs (`run`), or tell of runs without the number (`lack`), which stand at the top edge, one below the
// other.
function summaryRows(data, choice, key) {
  const rows = [];
  const slots = new Map();
  for (const group of data.groups) {
    const text = valueOf(data, group, data.choice.x);
    if (!isShown(data, group, choice) || (key.numbers && !isWithin(Number(text), data.choice.x_limits))) continue;
    const id = data.axes.map((axis) => valueOf(data, group, axis)).join('\n');
    const base = {id, panel: panelOf(data, group, choice), line: valueOf(data, group, choice.lines),
      x: key.numbers ? Number(text) : text};
    rows.push({...base, ...meanOf(data, group, choice.log)});
    // Where there is no mean, what numbers there are must be seen.
    const single = group.mean === null || (bandOf(data, group) === 'runs' && group.runs > 1);
    if (single) rows.push(...group.numbers.map((run) => ({...base, run})));
    for (const [lack, count] of [['diverged', group.diverged], [data.missing, group.missing]]) {
      if (count === 0) continue;
      const place = [base.panel, text, key.words && base.line].join('\n');
      slots.set(place, (slots.get(place) ?? 0) + 1);
      rows.push({...base, lack, slot: slots.get(place)});
    }
  }
  return rows;
}

function logSuitsNumbers(data) {
  const [low, high] = extent(data.groups.filter((group) => isShown(data, group, data.choice)).flatMap((group) => group.numbers));
  return data.most !== 1 && low > 0 && high > 10 * low;
}

const slotHeight = 12;

// All numbers, with room above them for the marks of what is lacking.
function rangeOfNumbers(data, rows, log, height) {
  const [to, from] = log ? [Math.log, Math.exp] : [Number, Number];
  const [low, high] = extent(rows.flatMap((row) => [row.mean, row.low, row.high, row.run]).filter(Number.isFinite).map(to));
  const margin = 0.05 * (high - low) || 0.05 * Math.abs(high) || 1;
  const strip = slotHeight * Math.max(0, ...rows.map((row) => row.slot ?? 0));
  const bottom = low - margin;
  return limited([from(bottom), from(bottom + (high + margin - bottom) * height / (height - strip))], data.choice.y_limits);
}

// Bars at the same place would hide each other: each line is moved aside by a few pixels.
function moveAside(rows, key, lines, width) {
  const [to, from] = key.log ? [Math.log, Math.exp] : [Number, Number];
  const [low, high] = extent(key.numbers.map(to));
  const step = 5 * (high - low) / width;
  for (const row of rows) row.x = from(to(row.x) + step * (lines.indexOf(row.line) - (lines.length - 1) / 2));
}

function keyAxis(data, key, titled) {
  const title = titled ? nameOfKey(data.choice.x) : null;
  if (key.words) {
    const names = Object.fromEntries(key.words.map((word) => [word, nameOfValue(data, data.choice.x, word)]));
    return {field: 'x', type: 'nominal', sort: key.words, title,
      axis: {labelAngle: 0, grid: false, labelExpr: `${JSON.stringify(names)}[datum.label] || datum.label`}};
  }
  // Without limits that were asked for there are some pixels to spare at both ends.
  const padding = data.choice.x_limits.every((end) => end === null) ? 14 : 0;
  return {field: 'x', type: 'quantitative', title,
    scale: scaleOf(key.log, {domain: limited(extent(key.numbers), data.choice.x_limits), padding}),
    axis: {values: key.numbers, format: '.4~g', grid: false, labelOverlap: 'greedy'}};
}

// Ticks of a logarithmic axis: powers of ten where it spans some, else 1, 2 and 5 of each.
function logTicks([low, high]) {
  const factors = high / low > 100 ? [1] : [1, 2, 5];
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({length: Math.ceil(Math.log10(high)) - first + 1}, (_, k) => first + k);
  return powers.flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)))
    .filter((tick) => tick >= low && tick <= high);
}

function numberAxis(data, log, range, title) {
  const bytes = data.choice.y.startsWith('bytes');
  return {type: 'quantitative', title, scale: scaleOf(log, {domain: range}),
    axis: {tickCount: 6, ...(log && {values: logTicks(range)}),
      ...(!bytes && log && range[1] / range[0] > 100 && powersOfTen(range)),
      ...(bytes && {labelExpr: "datum.value == 0 ? '0' : format(datum.value, '~s') + 'B'"})}};
}

// Crosses where runs diverged, arrows where they did not get there.
const lackShapes = (rows) => new Map(rows.filter((row) => row.lack)
  .map(({lack}) => [lack, lack === 'diverged' ? 'M-1,-1L1,1M-1,1L1,-1' : 'M0,1L0,-1M-0.8,-0.2L0,-1L0.8,-0.2']));

function lackLayer(shapes, base, dark) {
  const legend = {title: null, orient: 'top', symbolStrokeColor: lookOf(dark).axis.titleColor, symbolSize: 80, symbolStrokeWidth: 1.8,
    padding: 2};
  return {transform: [{filter: 'isValid(datum.lack)'}], mark: {type: 'point', size: 60, strokeWidth: 1.8, opacity: 1},
    encoding: {...base, y: {value: {expr: `${slotHeight} * (datum.slot - 0.5)`}},
      shape: {field: 'lack', type: 'nominal', legend, scale: {domain: [...shapes.keys()], range: [...shapes.values()]}}}};
}

// One panel. A line breaks where there is no mean; words have no order, so no line leads from one to the next.
function summaryLayers(rows, base, y, strokeDash, key, shapes, dark) {
  const layer = [];
  const add = (field, mark, more = {}) => {
    if (!rows.some((row) => Number.isFinite(row[field]))) return;
    layer.push({transform: [{filter: `isValid(datum.${field})`}], mark: {clip: true, ...mark}, encoding: {...base, y: {...y, field}, ...more}});
  };
  if (!key.words) {
    layer.push({transform: [{filter: '!isValid(datum.run) && !isValid(datum.lack)'}],
      mark: {type: 'line', strokeWidth: 1.8, clip: true, strokeJoin: 'round'},
      encoding: {...base, y: {...y, field: 'mean'}, strokeDash}});
  }
  add('run', {type: 'point', filled: true, size: 18, opacity: 0.45});
  add('low', {type: 'errorbar', ticks: {size: 8}, thickness: 1.4}, {y2: {field: 'high'}});
  add('mean', {type: 'point', filled: true, size: 44, opacity: 1});
  if (rows.some((row) => row.lack)) layer.push(lackLayer(shapes, base, dark));
  return layer;
}

function summarySpec(data, look) {
  const choice = {...linesAndPanels(data), log: data.choice.log ?? logSuitsNumbers(data)};
  const key = valuesOfKey(data);
  const rows = summaryRows(data, choice, key);
  const strokes = strokesOf(data, choice, rows, look);
  if (choice.lines === data.choice.x) for (const channel of [strokes.color, strokes.strokeDash]) channel.legend = null;
  const panels = panelsOf(data, choice, rows, look);
  if (key.numbers && rows.some((row) => row.low !== undefined)) moveAside(rows, key, strokes.lines, panels.width);
  // Side by side where words leave room for it.
  const offset = key.words && strokes.color.legend && strokes.lines.length > 1 ? {xOffset: {field: 'line', sort: strokes.lines}} : {};
  const shapes = lackShapes(rows);
  const range = rangeOfNumbers(data, rows, choice.log, panels.height);
  return inPanels(panels, look, (k, titles) => {
    const base = {x: keyAxis(data, key, titles.x), color: strokes.color, detail: {field: 'id'}, ...offset};
    const y = numberAxis(data, choice.log, range, titles.y ? inLines(data.title, panels.height, look) : null);
    return {data: {values: panels.rows[k]}, layer: summaryLayers(panels.rows[k], base, y, strokes.strokeDash, key, shapes, look.dark)};
  });
}
