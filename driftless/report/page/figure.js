// The figure: from the report's data and a choice of what to show, a Vega-Lite specification. The page draws it
// in a browser, and `driftless report --format svg` without one.
'use strict';

// Okabe and Ito's colours, which also colour-blind readers tell apart; then the same again with dashes.
const COLOURS = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a8000', '#555555'],
  dark: ['#56b4e9', '#f0803c', '#2fc69a', '#e29cc4', '#f2b134', '#9fd4f5', '#f0e442', '#bbbbbb'],
};
const DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]];

// How many rows each line gets, so that also very many lines at once are drawn quickly.
function rowsForEach(data, choice) {
  const lines = data.groups.filter((group) => isShown(data, group, choice)).length;
  return Math.max(20, Math.floor(40000 / lines));
}

// A record for each row of each group that is shown.
function figureRows(data, choice) {
  const rows = [];
  const most = rowsForEach(data, choice);
  data.groups.forEach((group, id) => {
    const x = group.curve.mean[choice.against];
    const y = group.curve.mean[choice.metric];
    if (!x || !y || !isShown(data, group, choice)) return;
    const half = group.curve.half_width[choice.metric];
    const line = valueOf(data, group, choice.lines);
    const panel = panelOf(data, group, choice);
    const others = data.axes.filter((key) => key !== choice.lines && !panelKeys(data, choice).includes(key))
      .map((key) => `${nameOfKey(key)} = ${valueOf(data, group, key)}`).join(', ');
    const {diverged} = group.outcomes;
    let last = {};
    for (let k = 0; k < y.length && !last.wild; ++k) {
      if (group.curve.ranks[k] >= most || y[k] === null || x[k] === null || (choice.log && y[k] <= 0)) continue;
      const width = half ? half[k] : null;
      last = {id, line, panel, others, x: x[k], y: y[k], n: group.runs,
        spread: width === null ? 'unknown' : Number(width.toPrecision(2))};
      // On a logarithmic scale a band that reaches zero has no end: it is cut at a tenth of the mean.
      const least = choice.log ? y[k] / 10 : -Infinity;
      if (width !== null) Object.assign(last, {half: width, low: Math.max(y[k] - width, least), high: y[k] + width});
      // Where a run goes to infinity is not what the axis is for: there its line leaves the picture.
      if (diverged && y[k] > 10 * y[0]) last.wild = true;
      rows.push(last);
    }
    if (diverged && last.line) last.diverged = `${diverged} of ${group.runs} runs diverged`;
  });
  return rows;
}

// The y axis shows all means, and of the bands as much as leaves the means half of the height. No accuracy is above 1.
function rangeOf(rows, choice) {
  const [to, from] = choice.log ? [Math.log, Math.exp] : [Number, Number];
  const calm = rows.filter((row) => !row.wild);
  if (calm.length === 0) return null;
  const extent = (values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const [low, high] = extent(calm.map((row) => to(row.y)));
  const [bottom] = extent(calm.map((row) => to(row.low ?? row.y)));
  const [, top] = extent(calm.map((row) => to(row.high ?? row.y)));
  const room = (high - low) / 2 || Math.abs(high) / 2 || 1;
  const margin = 0.06 * room;
  const most = isAccuracy(choice.metric) ? to(1) : Infinity;
  return [from(Math.max(bottom, low - room) - margin), from(Math.min(top, high + room, most) + margin)];
}

// Panels share their x axis unless some would be squeezed into a corner of it. Axes of their own need marks of each kind in
// every panel to take their range from.
function sharesCosts(rows) {
  const ends = new Map();
  for (const row of rows) ends.set(row.panel, Math.max(row.x, ends.get(row.panel) ?? 0));
  const isEverywhere = (field) => [0, ends.size].includes(
    new Set(rows.filter((row) => row[field] !== undefined).map((row) => row.panel)).size);
  return Math.max(...ends.values()) <= 3 * Math.min(...ends.values()) || !isEverywhere('half') || !isEverywhere('diverged');
}

// As an expression: 10⁻³ at each power of ten, and nothing at the ticks between.
function powersOfTen([low, high]) {
  const names = {};
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
    names[power] = '10' + String(power).replace(/./g, (digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]));
  }
  const power = 'log(datum.value) / log(10)';
  return `abs(${power} - round(${power})) < 1e-6 ? ${JSON.stringify(names)}[round(${power})] : ''`;
}

function lookOf(dark) {
  const [ink, faint, grid, paper] = dark
    ? ['#e4e4e0', '#a5a5a0', '#34363c', '#17181c'] : ['#222222', '#666666', '#e4e4e4', '#ffffff'];
  return {
    background: paper,
    font: 'system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif',
    view: {stroke: null},
    axis: {labelColor: faint, titleColor: ink, gridColor: grid, domainColor: faint, tickColor: faint,
      titleFontWeight: 'normal', labelFontSize: 12, titleFontSize: 13, titlePadding: 8},
    legend: {labelColor: ink, titleColor: faint, labelFontSize: 13, titleFontSize: 12, titleFontWeight: 'normal',
      symbolStrokeWidth: 3, symbolSize: 220, labelLimit: 240},
    header: {labelColor: ink, labelFontSize: 13, titleColor: ink},
  };
}

// look: {width, height, dark, interactive, hidden: a set of lines, where it is interactive}
function figureSpec(data, choice, look) {
  const rows = figureRows(data, choice);
  const range = rangeOf(rows, choice);
  for (const row of rows) if (row.diverged) row.end = Math.min(row.y, range[1]);
  const lines = valuesOf(data, choice.lines);
  const shown = new Set(rows.map((row) => row.line));
  const domain = lines.filter((line) => shown.has(line));
  const colours = COLOURS[look.dark ? 'dark' : 'light'];
  const at = (list, place) => list[place % list.length];
  const columns = Math.max(1, Math.floor(look.width / 340));
  const panels = new Set(rows.map((row) => row.panel)).size;
  const beside = choice.panels ? Math.min(columns, panels) : 1;
  const legend = {title: null, orient: 'top', columns: Math.max(1, Math.floor(look.width / 150)), symbolType: 'stroke', symbolOpacity: 1};
  const colour = {field: 'line', type: 'nominal', legend, scale: {domain,
    range: domain.map((line) => at(colours, lines.indexOf(line)))}};
  const dash = {field: 'line', type: 'nominal', legend, scale: {domain,
    range: domain.map((line) => at(DASHES, Math.floor(lines.indexOf(line) / colours.length)))}};
  const bytes = choice.against.startsWith('bytes');
  const x = {field: 'x', type: 'quantitative', title: titleOf(choice.against), scale: {nice: false},
    axis: {format: bytes ? '~s' : undefined, grid: false, tickCount: beside > 1 ? 4 : 7, labelOverlap: true,
      ...(bytes && {labelExpr: "datum.value == 0 ? '0' : format(datum.value, '~s') + 'B'"})}};
  const y = {field: 'y', type: 'quantitative', title: titleOf(choice.metric),
    scale: {type: choice.log ? 'log' : 'linear', domain: range ?? undefined, nice: false, ...(!choice.log && {zero: false})},
    axis: {tickCount: 6, ...(choice.log && range && range[1] / range[0] > 30 && {labelExpr: powersOfTen(range)})}};
  const base = {x, y, color: colour, detail: {field: 'id'}};
  const onlyShown = look.interactive ? [{filter: {param: 'shown'}}] : [];
  const tooltip = [
    {field: 'line', title: nameOfKey(choice.lines)}, {field: 'panel', title: 'panel'}, {field: 'others', title: 'with'},
    {field: 'x', title: titleOf(choice.against), format: bytes ? '.4~s' : '.6~g'},
    {field: 'y', title: `mean ${choice.metric}`, format: '.4~g'},
    {field: 'spread', title: '± (95 %)', type: 'nominal'}, {field: 'n', title: 'n'},
  ].filter(({field}) => rows.some((row) => row[field]));
  const line = {transform: onlyShown, mark: {type: 'line', strokeWidth: 1.8, clip: true, strokeJoin: 'round'},
    encoding: {...base, strokeDash: dash}};
  const layer = [line];
  if (rows.some((row) => row.half !== undefined)) {
    layer.unshift({transform: [...onlyShown, {filter: 'isValid(datum.half)'}], mark: {type: 'area', opacity: 0.18, clip: true},
      encoding: {...base, y: {...y, field: 'low'}, y2: {field: 'high'}}});
  }
  if (rows.some((row) => row.diverged)) {
    layer.push({transform: [...onlyShown, {filter: 'isValid(datum.diverged)'}],
      mark: {type: 'point', shape: 'M-1,-1L1,1M-1,1L1,-1', size: 90, strokeWidth: 2.4, opacity: 1},
      encoding: {...base, y: {...y, field: 'end'}, tooltip: {field: 'diverged'}}});
  }
  const targets = [...new Set(data.groups.filter((group) => isShown(data, group, choice) && group.level_of === choice.metric)
    .map((group) => group.target))];
  if (targets.length === 1 && targets[0] !== null && range && targets[0] > range[0] && targets[0] < range[1]) {
    const ruled = new Set();  // a rule for each panel, not for each row
    for (const row of rows) {
      if (!ruled.has(row.panel)) row.target = targets[0];
      ruled.add(row.panel);
    }
    layer.push({transform: [{filter: 'isValid(datum.target)'}],
      mark: {type: 'rule', strokeDash: [4, 4], color: look.dark ? '#a5a5a0' : '#777777'}, encoding: {y: {...y, field: 'target'}}});
  }
  if (look.interactive) {
    line.params = [{name: 'shown', value: domain.filter((line) => !look.hidden.has(line)).map((line) => ({line})), bind: 'legend',
      select: {type: 'point', fields: ['line'], toggle: 'true', clear: false}}];
    // Finding the nearest point among very many takes longer than the eye forgives.
    const every = Math.ceil(rows.length / 5000);
    rows.forEach((row, k) => { row.found = k % every === 0 && !row.wild; });
    layer.push({transform: [...onlyShown, {filter: 'datum.found'}],
      params: [{name: 'near', select: {type: 'point', nearest: true, on: 'pointerover', clear: 'pointerout'}}],
      mark: {type: 'point', filled: true, size: 70},
      encoding: {...base, tooltip, opacity: {condition: {param: 'near', empty: false, value: 1}, value: 0}}});
  }
  const width = Math.max(180, Math.floor(look.width / beside) - 85);
  const height = beside > 1 ? Math.min(look.height, Math.round(0.75 * width)) : look.height;
  const drawing = {width, height, layer};
  const top = {$schema: 'https://vega.github.io/schema/vega-lite/v6.json', data: {values: rows},
    config: lookOf(look.dark), padding: 6};
  if (!choice.panels) return {...top, ...drawing};
  return {...top, columns: beside, spacing: 18, spec: drawing, 
    resolve: {axis: {x: 'independent', y: 'independent'}, scale: {x: sharesCosts(rows) ? 'shared' : 'independent'}},
    facet: {field: 'panel', type: 'nominal', title: null, sort: panelNames(data, choice)}};
}
