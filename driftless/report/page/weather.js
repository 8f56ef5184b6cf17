// What was down when, below the figure: a line for the links and one for each node, along the rounds.
'use strict';

// As the legend calls it.
const DOWN = {
  light: {'links down': '#555555', paused: '#e69f00', lost: '#b3261e', 'came back': '#009e73'},
  dark: {'links down': '#bbbbbb', paused: '#f2b134', lost: '#ff5c4d', 'came back': '#2fc69a'},
};

// A record for each bar, {line, what, from, to} in rounds and the share of them in which it was so, and for each return.
function weatherRows({rounds, links_down, lines}) {
  const rows = [];
  const begin = (column) => Math.ceil(column * rounds / links_down.length);
  // Columns side by side that have the same share are one bar.
  const add = (line, what, shares) => shares.forEach((share, k) => {
    const [last, from, to] = [rows[rows.length - 1], begin(k), begin(k + 1)];
    if (last?.line === line && last.what === what && last.share === share && last.to === from) last.to = to;
    else if (share > 0) rows.push({line, what, from, to, share});
  });
  add('links', 'links down', links_down);
  for (const {node, paused, lost, joins} of lines) {
    const ninths = (digits) => [...digits].map((digit) => digit / 9);
    add(`node ${node}`, 'paused', ninths(paused));
    add(`node ${node}`, 'lost', ninths(lost));
    rows.push(...joins.map((k) => ({line: `node ${node}`, what: 'came back', from: begin(k), to: begin(k), share: 1})));
  }
  return rows.map((row) => ({...row, when: row.from === row.to ? `${row.from}` : `${row.from} to ${row.to}`}));
}

// look: {dark, plot}, where plot: {left, width, domain, title} is where the rounds lie.
function weatherSpec(ribbon, {dark, plot}) {
  const rows = weatherRows(ribbon);
  const lines = ['links', ...ribbon.lines.map(({node}) => `node ${node}`)];
  const step = lines.length <= 20 ? 13 : 9;
  const every = Math.ceil(11 / step);
  const colours = DOWN[dark ? 'dark' : 'light'];
  const domain = Object.keys(colours).filter((what) => rows.some((row) => row.what === what));
  const names = Object.fromEntries(domain.map((what) => [what, what]));
  const columns = Math.max(1, Math.floor((plot.width - 46) / 95));
  const legend = {...legendOf(names, plot.width, 'square'), columns, symbolSize: 90, symbolStrokeWidth: 0, labelFontSize: 12, offset: 4};
  const encoding = {
    x: {field: 'from', type: 'quantitative', title: plot.title, scale: {domain: plot.domain, nice: false},
      axis: {grid: false, tickCount: 7, labelOverlap: true, labelSeparation: 6}},
    y: {field: 'line', type: 'nominal', title: null, scale: {domain: lines, paddingInner: 0.15, paddingOuter: 0.1},
      axis: {grid: true, zindex: 0, ticks: false, domain: false, labelFontSize: 11, labelLimit: plot.left - 8, labelPadding: 4,
        labelExpr: `indexof(domain('y'), datum.value) % ${every} == 0 ? datum.label : ''`}},
    color: {field: 'what', type: 'nominal', scale: {domain, range: domain.map((what) => colours[what])}, legend},
    opacity: {field: 'share', type: 'quantitative', scale: {domain: [0, 1], range: [0.15, 1]}, legend: null},
    tooltip: [{field: 'line'}, {field: 'what'}, {field: 'when', title: 'rounds'}, {field: 'share', format: '.0%'}],
  };
  const layer = (filter, mark, more) => ({transform: [{filter}], mark: {...mark, clip: true}, encoding: {...encoding, ...more}});
  const to = {x2: {field: 'to'}};
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json', config: lookOf(dark), autosize: 'none',
    width: plot.width, height: step * lines.length,
    padding: {left: plot.left, right: 8, top: 6 + 22 * Math.ceil(domain.length / columns), bottom: plot.title ? 40 : 20},
    data: {values: rows},
    layer: [
      layer("datum.what == 'paused'", {type: 'rect', height: {band: 0.5}}, to),
      layer("datum.what == 'lost' || datum.what == 'links down'", {type: 'rect'}, to),
      layer("datum.what == 'came back'",
        {type: 'point', filled: true, shape: 'triangle-right', size: 110, stroke: lookOf(dark).background, strokeWidth: 1}),
    ],
  };
}

// What a picture does not show, of one weather.
function weatherNote({ribbon, rounds, seed, seeds}) {
  const {nodes, nodes_out, looked_at, links_down, lines} = ribbon;
  const count = (number) => number.toLocaleString('en');
  const columns = links_down.length;
  return [
    lines.length < nodes_out && `Of ${count(nodes)} nodes ${count(nodes_out)} were down at some time; shown are the ${lines.length} that were so for longest.`,
    0 < nodes_out && nodes_out < nodes && lines.length === nodes_out && `Never down: ${count(nodes - nodes_out)} of ${count(nodes)} nodes.`,
    ribbon.rounds < rounds && `Only the first ${count(ribbon.rounds)} of ${count(rounds)} rounds are shown: to go through all of them would take too long.`,
    looked_at < ribbon.rounds && `One round in ${count(Number((ribbon.rounds / looked_at).toPrecision(2)))} is shown.`,
    columns < looked_at && `A bar is the fainter, the fewer of some ${count(Math.round(ribbon.rounds / columns))} rounds side by side it holds for.`,
    seeds > 1 && `Each repetition had weather of its own; this is that of seed ${seed}.`,
  ].filter(Boolean).join(' ');
}

// Why there is no picture; empty where there is one.
function pictureless({ribbon, fault}) {
  if (fault) return `What was down cannot be shown: ${fault}.`;
  return weatherRows(ribbon).length ? '' : `Nothing was down in ${plural(ribbon.rounds, 'round')}.`;
}

function weatherCaption(ribbons) {
  const some = (part) => ribbons.some(({lines}) => lines.some((line) => /[1-9]/.test(line[part])));
  const nodes = [some('paused') && 'a thin bar where it paused', some('lost') && 'a thick bar where it was lost',
    ribbons.some(({lines}) => lines.some(({joins}) => joins.length)) && 'a triangle where it came back'].filter(Boolean);
  return `What was down: the top line shows the share of the links that carried nothing, the stronger its colour the more${
    nodes.length ? `; below it each node has a line, with ${listed(nodes)}` : ''}.`;
}

// Where a single figure is drawn over rounds, ribbons have its scale; else one of their own.
function plotOf({ribbon}, figure, room) {
  const [left, right] = [60, 10];
  return figure ?? {left, width: room - left - right, domain: [0, ribbon.rounds], title: titleOf('round')};
}

// `figure`: {left, width, domain} of the plot above, or null.
async function showWeather(figure) {
  const most = 4;
  const place = byId('weather');
  const met = data.weathers.filter(({groups}) => groups.some((group) => isShown(data, data.groups[group], choice)));
  const shown = met.slice(0, most);
  const note = (text) => element('p', {class: 'note'}, text);
  const fresh = element('div', {class: 'unseen'});
  place.append(fresh);
  const views = [];
  for (const weather of shown) {
    if (met.length > 1) fresh.append(element('h3', {}, panelName(data, weather.values) || 'weather'));
    if (pictureless(weather)) {
      fresh.append(note(pictureless(weather)));
      continue;
    }
    const picture = element('div');
    fresh.append(picture);
    const spec = weatherSpec(weather.ribbon, {dark: isDark(), plot: plotOf(weather, figure, place.clientWidth - 20)});
    views.push(await vegaEmbed(picture, spec, embedding('weather')));
    if (weatherNote(weather)) fresh.append(note(weatherNote(weather)));
  }
  const ribbons = shown.filter((weather) => !pictureless(weather)).map(({ribbon}) => ribbon);
  if (ribbons.length) fresh.append(note(weatherCaption(ribbons)));
  if (met.length > most) fresh.append(note(`And ${plural(met.length - most, 'more weather')}: choose fewer runs to see the rest.`));
  fresh.classList.remove('unseen');
  place.replaceChildren(...fresh.childNodes);
  for (const {finalize} of place.views ?? []) finalize();
  place.views = views;
}
