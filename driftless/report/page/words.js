// What the runs are, and where they come from.
'use strict';

const distinct = (values) => [...new Set(values.filter((value) => value !== undefined && value !== ''))];
function fewOf(values, most = 8) {
  return values.length <= most ? values.join(', ') : `${values.slice(0, most).join(', ')} … (${values.length})`;
}

function settingValues(key) {
  const values = data.settings[key] !== undefined ? [data.settings[key]] : data.keys.includes(key) ? valuesOf(data, key) : [];
  return values.map((value) => nameOfValue(data, key, value));
}

const FAULTS = {drop: 'links that drop', pause: 'nodes that pause', crash: 'nodes that are lost', late: 'letters that come late',
  slow: 'nodes that do fewer steps'};

// ", with links that drop, letters whole or as int4"; nothing where the network is as good as it gets.
function conditionsText() {
  const faults = Object.keys(FAULTS).filter((name) => settingValues(`faults.${name}`).some((value) => Number(value) > 0)).map((name) => FAULTS[name]);
  const traces = settingValues('faults.trace').filter((value) => value !== NO_VALUE).map((path) => `what ${path.split('/').pop()} tells`);
  const codecs = settingValues('compression.codec').map((codec) => (codec === 'none' ? 'whole' : `as ${codec}`));
  return `${faults.length + traces.length ? `, with ${listed([...faults, ...traces])}` : ''}${
    codecs.some((codec) => codec !== 'whole') ? `, letters ${codecs.join(' or ')}` : ''}`;
}

function showWords() {
  const names = distinct(data.experiments.map((experiment) => experiment.folder.split('/').filter(Boolean).pop()));
  const title = fewOf(names, 4);
  document.title = `${title} – Driftless report`;
  byId('title').textContent = title;
  const count = (outcome) => data.runs.filter((run) => run.outcome === outcome).length;
  const counts = distinct(data.groups.map((group) => group.runs)).sort((a, b) => a - b);
  const repetitions = counts.length > 1 ? `, ${counts[0]} to ${counts[counts.length - 1]} repetitions each`
    : counts[0] > 1 ? `, ${counts[0]} repetitions each` : '';
  const problems = settingValues('problem.kind');
  byId('sentence').textContent = `${fewOf(settingValues('algorithm.kind'))} on ${problems.join(' and ') || 'a problem'}${
    problems.some((kind) => kind !== 'least_squares') ? ` (${fewOf(distinct(settingValues('problem.data').map((path) => path.split('/').pop())))})` : ''}, ${
    fewOf(distinct(data.networks.map((network) => `${network.nodes} nodes (${network.name.split('/').pop() || 'network'})`)))
      || 'network not told yet'}${conditionsText()}: ${plural(data.runs.length, 'run')}${repetitions}${
    count('diverged') ? `; ${count('diverged')} diverged` : ''}${count('unfinished') ? `; ${count('unfinished')} not ended` : ''}.`;
  const shown = data.columns.filter((column) => data.groups.some((group) => group.curve.mean[column.name]));
  byId('meanings').replaceChildren(...shown.flatMap((column) =>
    [element('dt', {}, column.name), element('dd', {}, column.meaning)]));
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
