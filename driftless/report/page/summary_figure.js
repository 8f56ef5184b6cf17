// The figure of what runs came to against a key that was swept, as `driftless report --y … --x …` draws it; it stands on
// choice.js and figure.js.
'use strict';

// The key that tells lines apart, and those that tell panels apart. What is neither has lines of its own.
function linesAndPanels(data) {
  const {panels: asked, only} = data.choice;
  const many = data.axes.filter((key) => !(key in only) && valuesOf(data, key).length > 1);
  const lines = many.find((key) => key !== asked) ?? data.choice.x;
  const all = {lines, panels: 'all', only};
  const suits = new Set(data.groups.map((group) => panelOf(data, group, all))).size <= mostPanels ? 'all' : 'none';
  const panels = asked ?? suits;
  return {...all, panels: panels === 'none' || panelKeys(data, {...all, panels}).length === 0 ? null : panels};
}

// The values of the key: numbers with the scale that suits them, or words as they come.
function valuesOfKey(data) {
  const texts = valuesOf(data, data.choice.x).filter((text) => text !== NO_VALUE);
  const numbers = texts.map(Number);
  if (!numbers.every(Number.isFinite)) return {words: texts};
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return {numbers, log: low > 0 && high > 10 * low};
}

// From so many repetitions on an interval says more than the runs themselves.
const fewestForInterval = 5;
const bandOf = (data, group) => data.choice.band ?? (group.runs < fewestForInterval ? 'runs' : 'interval');

// The mean of a group, and the ends of its bar.
function meanOf(data, group, log) {
  if (group.mean === null) return {mean: null};
  const {mean, half_width: half} = group.mean;
  const band = bandOf(data, group);
  if (band === 'range') return {mean, low: Math.min(...group.numbers), high: Math.max(...group.numbers)};
  if (band !== 'interval' || half === null) return {mean};
  // On a logarithmic scale a bar that reaches zero has no end: it is cut at a tenth of the mean.
  const [least, most] = [log ? mean / 10 : 0, isAccuracy(data.choice.y) ? 1 : Infinity];
  return {mean, low: Math.max(mean - half, least), high: Math.min(mean + half, most)};
}

// Rows are means, single runs (`run`), or tell of runs without the number (`lack`), which stand at the top edge, one below the
// other.
function summaryRows(data, choice, key) {
  const rows = [];
  const slots = new Map();
  for (const group of data.groups) {
    const text = valueOf(data, group, data.choice.x);
    if (!isShown(data, group, choice) || (key.numbers && text === NO_VALUE)) continue;
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
  const numbers = data.groups.filter((group) => isShown(data, group, data.choice)).flatMap((group) => group.numbers);
  const low = Math.min(...numbers);
  return !isAccuracy(data.choice.y) && low > 0 && Math.max(...numbers) > 10 * low;
}

const slotHeight = 12;

// All numbers, with room above them for the marks of what is lacking.
function rangeOfNumbers(rows, log, height) {
  const [to, from] = log ? [Math.log, Math.exp] : [Number, Number];
  const numbers = rows.flatMap((row) => [row.mean, row.low, row.high, row.run]).filter(Number.isFinite).map(to);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const margin = 0.05 * (high - low) || 0.05 * Math.abs(high) || 1;
  const strip = slotHeight * Math.max(0, ...rows.map((row) => row.slot ?? 0));
  const bottom = low - margin;
  return [from(bottom), from(bottom + (high + margin - bottom) * height / (height - strip))];
}

// Bars at the same place would hide each other: each line is moved aside by a few pixels.
function moveAside(rows, key, domain, width) {
  const [to, from] = key.log ? [Math.log, Math.exp] : [Number, Number];
  const step = 5 * (to(Math.max(...key.numbers)) - to(Math.min(...key.numbers))) / width;
  for (const row of rows) row.x = from(to(row.x) + step * (domain.indexOf(row.line) - (domain.length - 1) / 2));
}

function keyAxis(data, key) {
  const title = nameOfKey(data.choice.x);
  if (key.words) return {field: 'x', type: 'nominal', sort: key.words, title, axis: {labelAngle: 0, grid: false}};
  return {field: 'x', type: 'quantitative', title,
    scale: {type: key.log ? 'log' : 'linear', nice: false, padding: 14, ...(!key.log && {zero: false})},
    axis: {values: key.numbers, format: '.4~g', grid: false, labelOverlap: 'greedy'}};
}

function numberAxis(data, log, range) {
  const bytes = data.choice.y.startsWith('bytes');
  return {type: 'quantitative', title: data.title,
    scale: {type: log ? 'log' : 'linear', domain: range, nice: false, ...(!log && {zero: false})},
    axis: {tickCount: 6, ...(bytes && {labelExpr: "datum.value == 0 ? '0' : format(datum.value, '~s') + 'B'"}),
      ...(!bytes && log && range[1] / range[0] > 30 && {labelExpr: powersOfTen(range)})}};
}

// Crosses where runs diverged, arrows where they did not get there.
function lackLayer(rows, base, dark) {
  const shapes = new Map(rows.filter((row) => row.lack)
    .map(({lack}) => [lack, lack === 'diverged' ? 'M-1,-1L1,1M-1,1L1,-1' : 'M0,1L0,-1M-0.8,-0.2L0,-1L0.8,-0.2']));
  const legend = {title: null, orient: 'top', symbolStrokeColor: lookOf(dark).axis.titleColor, symbolSize: 80, symbolStrokeWidth: 1.8,
    padding: 2};
  return {transform: [{filter: 'isValid(datum.lack)'}], mark: {type: 'point', size: 60, strokeWidth: 1.8, opacity: 1},
    encoding: {...base, y: {value: {expr: `${slotHeight} * (datum.slot - 0.5)`}},
      shape: {field: 'lack', type: 'nominal', legend, scale: {domain: [...shapes.keys()], range: [...shapes.values()]}}}};
}

function summaryLayers(rows, base, y, key, dash, dark) {
  const layer = [];
  const add = (field, mark, more = {}) => {
    if (!rows.some((row) => Number.isFinite(row[field]))) return;
    layer.push({transform: [{filter: `isValid(datum.${field})`}], mark: {clip: true, ...mark}, encoding: {...base, y: {...y, field}, ...more}});
  };
  // Words have no order, so no line leads from one to the next. A line breaks where there is no mean.
  if (!key.words) {
    layer.push({transform: [{filter: '!isValid(datum.run) && !isValid(datum.lack)'}],
      mark: {type: 'line', strokeWidth: 1.8, clip: true, strokeJoin: 'round'},
      encoding: {...base, y: {...y, field: 'mean'}, strokeDash: dash}});
  }
  add('run', {type: 'point', filled: true, size: 18, opacity: 0.45});
  add('low', {type: 'errorbar', ticks: {size: 8}, thickness: 1.4}, {y2: {field: 'high'}});
  add('mean', {type: 'point', filled: true, size: 44, opacity: 1});
  if (rows.some((row) => row.lack)) layer.push(lackLayer(rows, base, dark));
  return layer;
}

function summarySpec(data, look) {
  const choice = {...linesAndPanels(data), log: data.choice.log ?? logSuitsNumbers(data)};
  const key = valuesOfKey(data);
  const rows = summaryRows(data, choice, key);
  const lines = valuesOf(data, choice.lines);
  const domain = lines.filter((line) => rows.some((row) => row.line === line));
  const colours = COLOURS[look.dark ? 'dark' : 'light'];
  const at = (list, place) => list[place % list.length];
  const panels = new Set(rows.map((row) => row.panel)).size;
  const beside = choice.panels ? Math.min(Math.max(1, Math.floor(look.width / 340)), panels) : 1;
  const width = Math.max(180, Math.floor(look.width / beside) - 85);
  const height = beside > 1 ? Math.min(look.height, Math.round(0.75 * width)) : look.height;
  const y = numberAxis(data, choice.log, rangeOfNumbers(rows, choice.log, height));
  const named = choice.lines !== data.choice.x;
  const legend = named ? {title: null, orient: 'top', columns: Math.max(1, Math.floor(look.width / 150)), symbolType: 'stroke', symbolOpacity: 1} : null;
  const colour = {field: 'line', type: 'nominal', legend, scale: {domain, range: domain.map((line) => at(colours, lines.indexOf(line)))}};
  const dash = {field: 'line', type: 'nominal', legend, scale: {domain,
    range: domain.map((line) => at(DASHES, Math.floor(lines.indexOf(line) / colours.length)))}};
  if (key.numbers && rows.some((row) => row.low !== undefined)) moveAside(rows, key, domain, width);
  const base = {x: keyAxis(data, key), color: colour, detail: {field: 'id'},
    ...(key.words && named && domain.length > 1 && {xOffset: {field: 'line', sort: domain}})};
  const drawing = {width, height, layer: summaryLayers(rows, base, y, key, dash, look.dark)};
  const top = {$schema: 'https://vega.github.io/schema/vega-lite/v6.json', data: {values: rows}, config: lookOf(look.dark), padding: 6};
  if (!choice.panels) return {...top, ...drawing};
  return {...top, columns: beside, spacing: 18, spec: drawing, resolve: {axis: {x: 'independent', y: 'independent'}},
    facet: {field: 'panel', type: 'nominal', title: null, sort: panelNames(data, choice)}};
}
