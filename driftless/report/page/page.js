// The page's own life. All text enters it as text, never as markup.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const choice = firstChoice(data);
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') made.className = value;
    else if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made[name] = value;
  }
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
const isDark = () => document.documentElement.classList.contains('dark');

// ---- numbers

function readableBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.length) {
    bytes /= 1000;
    ++unit;
  }
  return `${Number(bytes.toPrecision(3))} ${units[unit]}`;
}
const whole = (value) => Math.round(value).toLocaleString('en');
const short = (value, digits = 3) => (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e4)
  ? value.toExponential(digits - 1) : value.toPrecision(digits));
// An interval with the decimals of its mean.
function shortInterval(value, mean) {
  const text = short(mean);
  return text.includes('e') ? short(value, 2) : value.toFixed(text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
}
const threeDecimals = (value) => value.toFixed(3);

// "51 ± 3", with the number of repetitions where it is not that of the line.
function estimateText(estimate, runs, text, intervalText = text) {
  if (!estimate) return '';
  const interval = estimate.half_width === null ? '' : ` ± ${intervalText(estimate.half_width, estimate.mean)}`;
  const count = estimate.n === runs ? '' : ` (in ${estimate.n} of ${runs})`;
  return text(estimate.mean) + interval + count;
}

// ---- the figure

function select(title, options, chosen, onChange) {
  const list = element('select', {onchange: (event) => onChange(options[event.target.selectedIndex][0])},
    ...options.map(([value, text]) => element('option', {selected: value === chosen}, text)));
  list.name = title;
  return element('label', {}, title, list);
}

function showChoices() {
  const set = (name) => (value) => {
    choice[name] = value;
    if (name === 'metric') choice.log = suitsLog(data, value);
    if (name === 'lines' && choice.panels === value) choice.panels = null;
    for (const key of [choice.lines, choice.panels]) delete choice.only[key];
    showChoices();
    showFigure();
  };
  const many = data.axes.filter((key) => valuesOf(data, key).length > 1);
  const controls = [
    select('show', shownColumns(data, false).map((name) => [name, titleOf(name)]), choice.metric, set('metric')),
    select('against', shownColumns(data, true).map((name) => [name, titleOf(name)]), choice.against, set('against')),
  ];
  if (many.length > 1) {
    controls.push(select('a line for each', many.map((key) => [key, nameOfKey(key)]), choice.lines, set('lines')));
    const others = many.filter((key) => key !== choice.lines).map((key) => [key, nameOfKey(key)]);
    const all = others.length > 1 ? [['all', 'all others']] : [];
    controls.push(select('a panel for each', [[null, 'none'], ...others, ...all], choice.panels, set('panels')));
  }
  for (const key of many) {
    if (key === choice.lines || key === choice.panels) continue;
    const values = [[undefined, 'all'], ...valuesOf(data, key).map((value) => [value, value])];
    controls.push(select(nameOfKey(key), values, choice.only[key], (value) => {
      if (value === undefined) delete choice.only[key];
      else choice.only[key] = value;
      showFigure();
    }));
  }
  controls.push(element('label', {class: 'check'},
    element('input', {type: 'checkbox', name: 'log', checked: choice.log, onchange: (event) => {
      choice.log = event.target.checked;
      showFigure();
    }}), 'log scale'));
  byId('choices').replaceChildren(...controls);
}

const embedding = (name) => ({renderer: 'canvas', downloadFileName: name, tooltip: {theme: isDark() ? 'dark' : 'light'},
  actions: {export: {svg: true, png: true}, source: false, compiled: false, editor: false}});

let drawing = Promise.resolve();
function showFigure() {
  drawing = drawing.then(async () => {
    const place = byId('figure');
    const menu = 46;  // what vega-embed keeps free at the right
    const spec = figureSpec(data, choice, {width: place.clientWidth - 20 - menu, height: place.clientWidth < 600 ? 300 : 400,
      dark: isDark(), interactive: true});
    place.dataset.drawn = '';
    if (spec.data.values.length === 0) {
      place.replaceChildren(element('p', {class: 'note'}, 'No run has numbers for this choice.'));
    } else {
      ({view: place.view} = await vegaEmbed(place, spec, embedding(`${choice.metric}-${choice.against}`)));
    }
    place.dataset.drawn = `${choice.metric} ${choice.against} ${choice.log}`;
    byId('figure-note').textContent = figureNote();
  });
  return drawing;
}

function figureNote() {
  const repeated = data.groups.some((group) => group.runs > 1);
  const meaning = data.columns.find((column) => column.name === choice.metric).meaning;
  const {rows, drawn, departure} = data.thinned;
  const most = rowsForEach(data, choice);
  const fewer = data.groups.some((group) => isShown(data, group, choice) && group.curve.ranks.length > most);
  return [
    `${choice.metric}: ${meaning}.`,
    repeated && 'A line is the mean over the repetitions, its band the 95 % interval of the mean (Student’s t); it ends where the first repetition ends.',
    data.runs.some((run) => run.outcome === 'diverged') && 'A cross marks where runs diverged.',
    choice.log && 'On the log scale values that are not positive are left out, and bands are cut at a tenth of the mean.',
    repeated && 'Wide bands may leave the picture.',
    drawn < rows && `Of ${rows.toLocaleString('en')} rows ${drawn.toLocaleString('en')} are drawn; the others lie within ${
      Math.max(0.1, 100 * departure).toPrecision(2)} % of a line’s height.`,
    fewer && `With so many lines at once, each has the ${most} of these rows that it needs most: choose fewer lines for all of them.`,
    'Click a name in the legend to hide or show its lines; the menu at the right saves SVG or PNG.',
  ].filter(Boolean).join(' ');
}

// ---- the table

function showSummary() {
  const keys = data.keys.filter((key) => data.axes.includes(key) || key.startsWith('algorithm.')
    || key.startsWith('schedule.') || key === 'run.rounds');
  const some = (name) => data.groups.some((group) => group[name] !== null);
  const columns = keys.map((key) => [nameOfKey(key), (group) => valueOf(data, group, key)]);
  columns.push(['n', (group) => group.runs, 'number']);
  if (some('target')) {
    const toTarget = (name, text) => (group) => {
      if (group.target === null) return '';
      return estimateText(group[name], group.runs, text) || 'not reached';
    };
    columns.push(['target', (group) => group.target ?? '', 'number']);
    columns.push(['rounds to it', toTarget('rounds_to_target', whole), 'number']);
    columns.push(['bytes to it', toTarget('bytes_to_target', readableBytes), 'number']);
  }
  for (const level of ['suboptimality', 'loss']) {
    if (!data.groups.some((group) => group.level_of === level)) continue;
    columns.push([`final ${level}`, (group) => (group.level_of === level ? estimateText(group.level, group.runs, short, shortInterval) : ''), 'number']);
  }
  for (const [name, title] of [['test_accuracy', 'test accuracy'], ['worst_node_accuracy', 'worst node’s']]) {
    if (some(name)) columns.push([title, (group) => estimateText(group[name], group.runs, threeDecimals), 'number']);
  }
  const ended = (group) => Object.entries(group.outcomes)
    .map(([outcome, count]) => (count === group.runs ? outcome : `${outcome} (${count} of ${group.runs})`)).join(', ');
  columns.push(['outcome', ended]);
  const cell = (tag, text, kind, bad) => element(tag, {class: [kind ?? '', bad ? 'bad' : ''].join(' ').trim()}, text);
  byId('summary').replaceChildren(element('table', {},
    element('thead', {}, element('tr', {}, ...columns.map(([title, , kind]) => cell('th', title, kind)))),
    element('tbody', {}, ...data.groups.map((group) => element('tr', {}, ...columns.map(([title, text, kind]) =>
      cell('td', text(group), kind, title === 'outcome' && group.outcomes.diverged)))))));
  const notes = ['Final figures are means over the rows of the last fifth of the rounds; ± is half the 95 % interval over n repetitions (Student’s t).'];
  if (some('target')) {
    notes.push('The target is of the suboptimality, or of the loss where the optimum is not known; the rounds and bytes to it are those from which on it is held.');
  }
  byId('summary-note').textContent = notes.join(' ');
  const failures = data.runs.filter((run) => run.diagnosis || run.torn || run.outcome === 'unfinished');
  const told = failures.slice(0, 20).map((run) => `${run.folder}: ${[run.diagnosis,
    run.outcome === 'unfinished' && `has not ended (no summary.json): ${plural(run.rows, 'row')} so far`,
    run.torn && 'the last line of metrics.csv is not whole and is left out'].filter(Boolean).join('; ')}`);
  if (failures.length > 20) told.push(`and ${failures.length - 20} more`);
  byId('failures').replaceChildren(...told.map((text) => element('li', {}, text)));
}

// ---- the tuning

// The points of a grid that were chosen for each combination, as the sweep's summary.json tells them.
function tunedTable(tuned) {
  const varied = Object.keys(tuned.combinations[0].varied ?? {});
  const rows = tuned.combinations.map((combination) => {
    const chosen = combination.points.find((point) => point.chosen);
    return [...varied.map((key) => combination.varied[key]),
      ...tuned.keys.map((key) => (combination.chosen ? combination.chosen[key] : 'none was fit')),
      typeof chosen?.score === 'number'
        ? estimateText({mean: chosen.score, half_width: chosen.interval_95, n: chosen.n}, chosen.n, short, shortInterval) : chosen?.score ?? '',
      `${combination.points.length}`,
      combination.at_edge.length ? `${combination.at_edge.map(nameOfKey).join(', ')} at the edge of the grid: a wider one may do better` : ''];
  });
  return table([...varied.map(nameOfKey), ...tuned.keys.map(nameOfKey), tuned.metric, 'points tried', ''], rows);
}

function showTuning() {
  const tunings = data.experiments.filter((experiment) => experiment.tuned);
  byId('tuning-section').hidden = tunings.length === 0;
  byId('tuning').replaceChildren(...tunings.flatMap(({folder, tuned}) => [
    ...(tunings.length > 1 ? [element('h3', {}, folder)] : []),
    element('div', {class: 'scroll'}, tunedTable(tuned)),
    element('p', {class: 'note'}, `Every combination had the same grid, judged by its ${tuned.metric} (${tuned.direction}, ${
      tuned.read}) over ${plural(tuned.repetitions, 'run')} a point, with seeds that the runs above do not use. tune.csv has all points.`),
  ]));
}

// ---- the network

async function showNetworks() {
  byId('networks-section').hidden = data.networks.length === 0;
  const place = byId('networks');
  place.replaceChildren();
  for (const network of data.networks.slice(0, 12)) {
    const size = Math.min(300, place.clientWidth - 20);
    const picture = element('div', {});
    const text = [`${network.name || 'network'}, ${plural(network.nodes, 'node')}, ${plural(network.edges, 'edge')}`,
      `degree at most ${network.max_degree}, on average ${Number((2 * network.edges / network.nodes).toPrecision(3))}`,
      network.weights && `weights ${network.weights}`,
      network.p !== null && `p = ${Number(network.p.toPrecision(4))}: a mix takes at least this fraction of the consensus distance away`,
      network.spectral_gap !== null && `spectral gap ${Number(network.spectral_gap.toPrecision(4))}`].filter(Boolean).join('; ');
    place.append(element('figure', {}, picture, element('figcaption', {}, `${text}.`)));
    if (network.edge_list) {
      await vegaEmbed(picture, networkSpec(network, {width: size, dark: isDark()}), embedding('network'));
    } else if (network.edges > 0) {
      picture.append(element('p', {class: 'note'}, 'Too many nodes to draw.'));
    }
  }
  if (data.networks.length > 12) place.append(element('p', {class: 'note'}, `and ${data.networks.length - 12} more networks`));
}

// ---- words

const distinct = (values) => [...new Set(values.filter((value) => value !== undefined && value !== ''))];
function fewOf(values, most = 8) {
  return values.length <= most ? values.join(', ') : `${values.slice(0, most).join(', ')} … (${values.length})`;
}

function settingValues(key) {
  if (data.settings[key] !== undefined) return [data.settings[key]];
  return data.keys.includes(key) ? valuesOf(data, key) : [];
}

function showWords() {
  const names = distinct(data.experiments.map((experiment) => experiment.folder.split('/').filter(Boolean).pop()));
  const title = fewOf(names, 4);
  document.title = `${title} – Driftless report`;
  byId('title').textContent = title;
  const count = (outcome) => data.runs.filter((run) => run.outcome === outcome).length;
  const counts = distinct(data.groups.map((group) => group.runs)).sort((a, b) => a - b);
  const repetitions = counts.length > 1 ? `${counts[0]} to ${counts[counts.length - 1]} repetitions` : plural(counts[0], 'repetition');
  const problems = settingValues('problem.kind');
  byId('sentence').textContent = `${fewOf(settingValues('algorithm.kind'))} on ${problems.join(' and ') || 'a problem'}${
    problems.some((kind) => kind !== 'least_squares') ? ` (${fewOf(distinct(settingValues('problem.data').map((path) => path.split('/').pop())))})` : ''}, ${
    fewOf(distinct(data.networks.map((network) => `${network.nodes} nodes (${network.name.split('/').pop() || 'network'})`)))
      || 'network not told yet'}: ${plural(data.runs.length, 'run')}, ${repetitions} each${
    count('diverged') ? `; ${count('diverged')} diverged` : ''}${count('unfinished') ? `; ${count('unfinished')} not ended` : ''}.`;
  const shown = data.columns.filter((column) => data.groups.some((group) => group.curve.mean[column.name]));
  byId('meanings').replaceChildren(...shown.flatMap((column) =>
    [element('dt', {}, column.name), element('dd', {}, column.meaning)]));
}

function table(titles, rows) {
  const line = (tag, texts) => element('tr', {}, ...texts.map((text) => element(tag, {}, text)));
  return element('table', {}, element('thead', {}, line('th', titles)), element('tbody', {}, ...rows.map((row) => line('td', row))));
}

function pairs(entries) {
  return element('div', {class: 'scroll'}, element('table', {}, element('tbody', {}, ...entries.map(([name, value]) =>
    element('tr', {}, element('th', {}, name), element('td', {class: 'wrap'}, value))))));
}

function showProvenance() {
  const of = (name) => distinct(data.runs.map((run) => run[name]));
  const ended = of('ended').sort();
  const seeds = of('seed').sort((a, b) => a - b);
  const parts = [pairs([
    ['runs made by', fewOf(distinct(data.runs.map((run) => run.versions && `driftless ${run.versions.driftless}, ${run.versions.compiler}, Eigen ${run.versions.eigen}`)))],
    ['seeds', fewOf(seeds)], ['hosts', fewOf(of('host'))], ['threads', fewOf(of('threads'))],
    ['ended', ended.length > 1 ? `${ended[0]} to ${ended[ended.length - 1]}` : ended[0] ?? ''],
    ['time in rounds', `${short(data.runs.reduce((sum, run) => sum + (run.seconds ?? 0), 0))} s over all runs`],
    ['report made', `${data.made} by driftless ${data.version}`],
  ].filter(([, value]) => value !== ''))];
  for (const experiment of data.experiments.slice(0, 20)) {
    const overrides = experiment.overrides?.length ? `, with --set ${experiment.overrides.join(' --set ')}` : '';
    parts.push(element('details', {}, element('summary', {}, `${experiment.folder}${experiment.source ? `: ${experiment.source}` : ''}${overrides}`),
      element('pre', {}, experiment.config)));
  }
  const settings = Object.entries(data.settings);
  parts.push(element('details', {}, element('summary', {}, `${plural(settings.length, 'setting')} that all runs share`), pairs(settings)));
  parts.push(element('details', {}, element('summary', {}, plural(data.runs.length, 'run')),
    pairs(data.runs.slice(0, 1000).map((run) => [run.folder, `${run.outcome}, seed ${run.seed}, ${plural(run.rows, 'row')}${
      run.ended ? `, ended ${run.ended}` : ''}`]))));
  byId('provenance').replaceChildren(...parts);
}

// ---- light and dark

function setTheme(dark) {
  document.documentElement.classList.toggle('dark', dark);
  byId('theme').textContent = dark ? 'light' : 'dark';
}

async function draw() {
  await showFigure();
  await showNetworks();
  document.body.dataset.ready = 'true';
}

setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches);
byId('theme').addEventListener('click', () => {
  setTheme(!isDark());
  draw();
});
let width = window.innerWidth;
window.addEventListener('resize', () => {
  if (window.innerWidth === width) return;  // a phone's address bar comes and goes
  width = window.innerWidth;
  clearTimeout(window.redraw);
  window.redraw = setTimeout(draw, 150);
});
showWords();
showChoices();
showSummary();
showTuning();
showProvenance();
draw();
