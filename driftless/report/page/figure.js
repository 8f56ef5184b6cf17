// The figure: from the report's data and a choice of what to show, a Vega-Lite specification. The page draws it
// in a browser, and `driftless report --format svg` without one.
'use strict';

// Marks at powers of ten, or at every second or third where there are many, as 10⁻³; between them there are none.
function powersOfTen([low, high]) {
  const [first, last] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
  const step = Math.ceil((last - first + 1) / 8);
  const powers = Array.from({length: last - first + 1}, (_, k) => first + k).filter((power) => power % step === 0);
  const text = (power) => '10' + String(power).replace(/./g, (digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]));
  const names = Object.fromEntries(powers.map((power) => [power, text(power)]));
  return {tickCount: powers.length, values: powers.map((power) => 10 ** power), labelExpr: `${JSON.stringify(names)}[round(log(datum.value) / log(10))]`};
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
    title: {color: ink, fontSize: 13, fontWeight: 'normal', anchor: 'middle'},
  };
}

const scaleOf = (log, more) => (log ? {type: 'log', nice: false, ...more} : {type: 'linear', nice: false, zero: false, ...more});

// The axes of a panel that shows these ranges.
function axesOf(choice, domain, range, titles, beside) {
  const bytes = choice.against.startsWith('bytes');
  return {
    x: {field: 'x', type: 'quantitative', title: titles.x ? titleOf(choice.against) : null, scale: {domain, nice: false},
      axis: {format: bytes ? '~s' : undefined, grid: false, tickCount: beside > 1 ? 4 : 7, labelOverlap: true, labelSeparation: 6,
        ...(bytes && {labelExpr: "datum.value == 0 ? '0' : format(datum.value, '~s') + 'B'"})}},
    y: {field: 'y', type: 'quantitative', title: titles.y ? titleOf(choice.metric) : null,
      scale: scaleOf(choice.log, {domain: range}),
      axis: {tickCount: 6, ...(choice.log && range[1] / range[0] > 100 && powersOfTen(range))}},
  };
}

// In as many columns as the names leave room for, and the menu beside them.
function legendOf(names, width, symbolType) {
  const menu = 46;
  const longest = Math.max(...Object.values(names).map((name) => name.length));
  return {title: null, orient: 'top', columns: Math.max(1, Math.floor((width - menu) / (48 + 7.5 * longest))), symbolType, symbolOpacity: 1,
    symbolStrokeWidth: 3, labelExpr: `${JSON.stringify(names)}[datum.label]`};
}

// The colours and dashes of the lines that are shown, and their legend.
function strokesOf(data, choice, rows, look) {
  const looks = lineLooks(data, choice.lines, look.dark);
  const shown = new Set(rows.map((row) => row.line));
  const domain = [...looks.keys()].filter((line) => shown.has(line));
  const names = Object.fromEntries(domain.map((line) => [line, nameOfValue(data, choice.lines, line)]));
  // Methods speak for themselves; numbers and words of other keys need its name.
  const title = choice.lines === 'algorithm.kind' ? {} : {title: nameOfKey(choice.lines), titleOrient: 'left', titleLimit: 240};
  const legend = {...legendOf(names, look.width, 'stroke'), ...title};
  const channel = (part) => ({field: 'line', type: 'nominal', legend,
    scale: {domain, range: domain.map((line) => looks.get(line)[part])}});
  return {lines: domain, color: channel('colour'), strokeDash: dashesByOthers(rows, domain, looks) ?? channel('dash')};
}

// Lines of one colour that differ in other keys have dashes of their own, as far as these go round and mean nothing else.
function dashesByOthers(rows, lines, looks) {
  const others = [...new Set(rows.map((row) => row.others))];
  const free = lines.every((line) => looks.get(line).dash === DASHES[0]);
  if (!free || others.length < 2 || others.length > DASHES.length) return null;
  return {field: 'others', type: 'nominal', scale: {domain: others, range: DASHES.slice(0, others.length)},
    legend: {title: null, orient: 'top', symbolType: 'stroke', symbolOpacity: 1, symbolStrokeWidth: 2}};
}

// The target that all groups of a panel have, where it is one of this metric.
function targetOf(data, choice, panel) {
  const targets = new Set(data.groups.filter((group) => isShown(data, group, choice) && group.level_of === choice.metric
    && panelOf(data, group, choice) === panel).map((group) => group.target));
  return targets.size === 1 ? [...targets][0] : null;
}

function tooltipOf(choice, rows) {
  return [
    {field: 'title', title: nameOfKey(choice.lines)}, {field: 'panel', title: 'panel'}, {field: 'others', title: 'with'},
    {field: 'x', title: titleOf(choice.against), format: choice.against.startsWith('bytes') ? '.4~s' : '.6~g'},
    {field: 'y', title: `mean ${choice.metric}`, format: '.4~g'},
    {field: 'spread', title: '± (95 %)', type: 'nominal'}, {field: 'runs', title: 'runs from', type: 'nominal'}, {field: 'n', title: 'n'},
  ].filter(({field}) => rows.some((row) => row[field]));
}

// One panel: bands below single runs below means, then crosses, the target, and what is found by the pointer.
function panelSpec(rows, axes, strokes, target, look, place) {
  const base = {...axes, color: strokes.color, detail: {field: 'id'}};
  const onlyShown = look.interactive ? [{filter: {param: 'shown'}}] : [];
  const [, top] = axes.y.scale.domain;
  const some = (field) => rows.some((row) => row[field] !== undefined);
  const only = (expression) => [...onlyShown, {filter: expression}];
  const layer = [];
  if (some('low')) {
    layer.push({transform: only('isValid(datum.low)'), mark: {type: 'area', opacity: 0.18, clip: true},
      encoding: {...base, y: {...axes.y, field: 'low'}, y2: {field: 'high'}}});
  }
  const runs = rows.some((row) => row.of === 'run');
  const crowded = new Set(rows.filter((row) => row.of === 'mean').map((row) => row.id)).size > 6;
  if (runs) {
    layer.push({transform: only("datum.of == 'run'"), mark: {type: 'line', strokeWidth: crowded ? 0.7 : 1, opacity: 0.45, clip: true, strokeJoin: 'round'},
      encoding: {...base, strokeDash: strokes.strokeDash}});
  }
  layer.push({transform: only("datum.of == 'mean'"), mark: {type: 'line', strokeWidth: runs && !crowded ? 2.4 : 1.8, clip: true, strokeJoin: 'round'},
    encoding: {...base, strokeDash: strokes.strokeDash}});
  if (some('diverged')) {
    const [first, last] = axes.x.scale.domain;
    for (const row of rows) if (row.diverged && row.x >= first && row.x <= last) row.end = Math.min(row.y, top);
    layer.push({transform: only('isValid(datum.end)'),
      mark: {type: 'point', shape: 'M-1,-1L1,1M-1,1L1,-1', size: 90, strokeWidth: 2.4, opacity: 1},
      encoding: {...base, y: {...axes.y, field: 'end'}, tooltip: {field: 'diverged'}}});
  }
  if (target !== null) {
    layer.push({data: {values: [{target}]}, mark: {type: 'rule', strokeDash: [4, 4], color: look.dark ? '#a5a5a0' : '#777777'},
      encoding: {y: {...axes.y, field: 'target'}}});
  }
  if (look.interactive) {
    layer.push({transform: only('datum.found'),
      params: [{name: `near${place}`, select: {type: 'point', nearest: true, on: 'pointerover', clear: 'pointerout'}}],
      mark: {type: 'point', filled: true, size: 70},
      encoding: {...base, tooltip: look.tooltip, opacity: {condition: {param: `near${place}`, empty: false, value: 1}, value: 0}}});
  }
  return {data: {values: rows}, layer};
}

// Finding the nearest point among very many takes longer than the eye forgives.
function markFound(rows) {
  const means = rows.filter((row) => row.of === 'mean' && !row.wild);
  const every = Math.ceil(means.length / 5000);
  means.forEach((row, k) => { row.found = k % every === 0; });
}

// The title of an upright axis, in lines that are not longer than the axis: a longer one would push the panels apart. Without a
// browser Vega takes letters for wider than they are.
function inLines(title, height, look) {
  const most = Math.floor(height / (look.interactive ? 7.5 : 10.5));
  const lines = [''];
  for (const word of (title ?? '').split(' ')) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (longer.length > most && lines[lines.length - 1]) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return title && lines.length > 1 ? lines : title;
}

// The panels that have rows, in order, and their size.
function panelsOf(data, choice, rows, look) {
  const shown = new Set(rows.map((row) => row.panel));
  const names = panelNames(data, choice).filter((name) => shown.has(name));
  const beside = Math.min(Math.max(1, Math.floor(look.width / 320)), names.length);
  const width = Math.max(180, Math.floor((look.width - 25) / beside) - (beside > 1 ? 68 : 50));
  const height = beside > 1 ? Math.min(look.height, Math.round(0.75 * width)) : look.height;
  return {names, rows: names.map((name) => rows.filter((row) => row.panel === name)), beside, width, height};
}

// One picture of them: `specOf` makes that of a panel, by its number and which of its axes have titles.
function inPanels({names, beside, width, height}, look, specOf) {
  const specs = names.map((name, k) => ({width, height, ...(name && {title: name}),
    ...specOf(k, {x: k + beside >= names.length, y: k % beside === 0})}));
  const top = {$schema: 'https://vega.github.io/schema/vega-lite/v6.json', config: lookOf(look.dark), padding: 6};
  return specs.length === 1 ? {...top, ...specs[0]} : {...top, columns: beside, spacing: 18, concat: specs};
}

// look: {width, height, dark, interactive, hidden: a set of lines, or nothing}. Null where there is nothing to show.
function figureSpec(data, choice, look) {
  const rows = figureRows(data, choice);
  if (rows.length === 0) return null;
  const panels = panelsOf(data, choice, rows, look);
  // Panels share their x axis unless some would be squeezed into a corner of it.
  const costs = panels.rows.map((of) => extent(of.map((row) => row.x)));
  const ends = extent(costs.map(([, end]) => end));
  const shared = ends[1] <= 3 * ends[0] && [Math.min(...costs.map(([begin]) => begin)), ends[1]];
  const natural = naturalRange(data, choice.metric);
  const strokes = strokesOf(data, choice, rows, look);
  if (look.interactive) markFound(rows);
  const tooltip = tooltipOf(choice, rows);
  const spec = inPanels(panels, look, (k, titles) => {
    const domain = limited(shared || costs[k], choice.x_limits);
    const inside = panels.rows[k].filter(({x}) => x >= domain[0] && x <= domain[1]);
    const range = limited(rangeOf(inside.length ? inside : panels.rows[k], choice, natural), choice.y_limits);
    const axes = axesOf(choice, domain, range, titles, panels.beside);
    axes.y.title = inLines(axes.y.title, panels.height, look);
    const target = targetOf(data, choice, panels.names[k]);
    const ruled = target !== null && target > range[0] && target < range[1] ? target : null;
    const panel = panelSpec(panels.rows[k], axes, strokes, ruled, {...look, tooltip}, k);
    if (look.interactive && k === 0) {
      panel.layer.find(({mark}) => mark.type === 'line').params = [{name: 'shown',
        value: strokes.lines.filter((line) => !look.hidden?.has(line)).map((line) => ({line})),
        bind: 'legend', select: {type: 'point', fields: ['line'], toggle: 'true', clear: false}}];
    }
    return panel;
  });
  return {...spec, usermeta: {lines: strokes.lines}};
}
