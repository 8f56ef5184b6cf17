// What tuning chose, and from what.
'use strict';

// The points of a grid that were chosen for each combination, as the sweep's summary.json tells them.
function tunedTable(tuned) {
  const varied = Object.keys(tuned.combinations[0].varied ?? {});
  const rows = tuned.combinations.map((combination) => {
    const chosen = combination.points.find((point) => point.chosen);
    return [...varied.map((key) => nameOfValue(data, key, combination.varied[key])),
      ...tuned.keys.map((key) => (combination.chosen ? combination.chosen[key] : 'none was fit')),
      chosen?.text ?? chosen?.score ?? '',
      `${combination.points.length}`,
      combination.at_edge.length ? `${combination.at_edge.map(nameOfKey).join(', ')} at the edge of the grid: a wider one may do better` : ''];
  });
  return table([...varied.map(nameOfKey), ...tuned.keys.map(nameOfKey), tuned.metric, 'points tried', ''], rows);
}

// The tuned key that is drawn along: the first of those with the most values. Null where its values are no numbers.
function keyAlong(tuned) {
  const values = (key) => new Set(tuned.combinations.flatMap(({points}) => points.map((point) => point.values[key])));
  const [key] = [...tuned.keys].sort((a, b) => values(b).size - values(a).size);
  return [...values(key)].every((value) => Number.isFinite(Number(value))) ? key : null;
}

// A record for each point of the grid. A line has the values of the other tuned keys in common, a panel those of the swept keys
// but the method.
function tunedRows(tuned, along) {
  const words = (values, keys) => keys.map((key) => `${nameOfKey(key)} = ${nameOfValue(data, key, values[key])}`).join(', ');
  return tuned.combinations.flatMap(({varied = {}, points}) => points.map((point) => {
    const scored = typeof point.score === 'number';
    const others = words(point.values, tuned.keys.filter((key) => key !== along));
    const method = varied['algorithm.kind'] ?? data.settings['algorithm.kind'];
    return {x: Number(point.values[along]), method, title: nameOfValue(data, 'algorithm.kind', method), others,
      panel: words(varied, Object.keys(varied).filter((key) => key !== 'algorithm.kind')), chosen: point.chosen,
      ...(scored ? {y: point.score} : {failed: point.outcome}), score: scored ? short(point.score) : point.outcome};
  }));
}

// The score over the tuned key, a line for each method: the chosen point is ringed, and where there is no score a cross stands
// at the upper edge.
function tunedSpec(tuned, along, look) {
  const rows = tunedRows(tuned, along);
  const scores = rows.filter((row) => row.y !== undefined).map((row) => row.y);
  const [low, high] = scores.length ? extent(scores) : [0, 1];
  const log = low > 0 && high > 10 * low;
  const room = log ? 1.25 : 0.08 * (high - low || Math.abs(high) || 1);
  const domain = log ? [low / room, high * room] : [low - room, high + room];
  const places = rows.map((row) => row.x);
  const logX = Math.min(...places) > 0 && Math.max(...places) >= 5 * Math.min(...places);
  const methods = [...new Set(rows.map((row) => row.method))];
  const looks = lineLooks(data, 'algorithm.kind', look.dark, methods);
  const titles = Object.fromEntries(rows.map((row) => [row.method, row.title]));
  const panels = [...new Set(rows.map((row) => row.panel))].slice(0, mostPanels);
  const beside = Math.min(Math.max(1, Math.floor(look.width / 300)), panels.length);
  for (const row of rows) {
    const below = 0.06 * methods.indexOf(row.method);  // so that no cross hides another
    if (row.failed) row.top = log ? domain[1] ** (1 - below) * domain[0] ** below : domain[1] * (1 - below) + domain[0] * below;
  }
  const encoding = {
    x: {field: 'x', type: 'quantitative', title: nameOfKey(along), scale: scaleOf(logX, {padding: 14}),
      axis: {grid: false, values: [...new Set(places)].sort((a, b) => a - b), format: '~g', labelOverlap: 'greedy', labelSeparation: 6}},
    y: {field: 'y', type: 'quantitative', title: ['last', 'best', 'mean'].includes(tuned.read) ? `${tuned.read} ${tuned.metric}` : tuned.read.replaceAll('_', ' '),
      scale: scaleOf(log, {domain}), axis: {tickCount: 5, format: '.2~g'}},
    color: {field: 'method', type: 'nominal', legend: {...legendOf(titles, look.width, 'circle'), symbolSize: 90},
      scale: {domain: methods, range: methods.map((method) => looks.get(method).colour)}},
    detail: {field: 'others'},
    tooltip: [{field: 'title', title: 'method'}, {field: 'panel', title: 'with'}, {field: 'x', title: nameOfKey(along)},
      {field: 'others', title: 'and'}, {field: 'score', title: tuned.metric}].filter(({field}) => rows.some((row) => row[field])),
  };
  const point = {type: 'point', opacity: 1};
  const layer = [
    {transform: [{filter: 'isValid(datum.y)'}], mark: {type: 'line', strokeWidth: 1.5}, encoding},
    {transform: [{filter: 'isValid(datum.y)'}], mark: {...point, filled: true, size: 30}, encoding},
    {transform: [{filter: 'datum.chosen && isValid(datum.y)'}], mark: {...point, size: 170, strokeWidth: 2}, encoding},
    {transform: [{filter: 'isValid(datum.failed)'}], mark: {...point, shape: 'M-1,-1L1,1M-1,1L1,-1', size: 60, strokeWidth: 2},
      encoding: {...encoding, y: {...encoding.y, field: 'top'}}},
  ];
  const width = Math.max(180, Math.min(460, Math.floor(look.width / beside) - 72));
  const specs = panels.map((panel) => ({width, height: Math.round(0.6 * width), ...(panel && {title: panel}),
    data: {values: rows.filter((row) => row.panel === panel)}, layer}));
  const top = {$schema: 'https://vega.github.io/schema/vega-lite/v6.json', config: lookOf(look.dark), padding: 6};
  return specs.length === 1 ? {...top, ...specs[0]} : {...top, columns: beside, spacing: 18, concat: specs};
}

function tuningNote(tuned) {
  const drawn = keyAlong(tuned) ? ' Rings mark what was chosen, crosses at the upper edge what diverged or did not reach the target.' : '';
  return `Every combination had the same grid, judged by its ${tuned.metric} (${tuned.direction}, ${
    tuned.read}) over ${plural(tuned.repetitions, 'run')} a point, with seeds that the runs above do not use.${drawn} tune.csv has all points.`;
}

async function showTuning() {
  const tunings = data.experiments.filter((experiment) => experiment.tuned);
  byId('tuning-section').hidden = tunings.length === 0;
  const place = byId('tuning');
  place.replaceChildren();
  for (const {folder, tuned} of tunings) {
    if (tunings.length > 1) place.append(element('h3', {}, folder));
    const picture = element('div', {class: 'scroll'});
    place.append(picture, element('div', {class: 'scroll'}, tunedTable(tuned)), element('p', {class: 'note'}, tuningNote(tuned)));
    const along = keyAlong(tuned);
    if (along) await vegaEmbed(picture, tunedSpec(tuned, along, {width: place.clientWidth - 20, dark: isDark()}), embedding('tuning'));
  }
}
