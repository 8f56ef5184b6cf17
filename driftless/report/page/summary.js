// The table: a line for each group of runs.
'use strict';

function showSummary() {
  const keys = data.keys.filter((key) => data.axes.includes(key) || key.startsWith('algorithm.')
    || key.startsWith('schedule.') || key === 'run.rounds');
  const some = (name) => data.groups.some((group) => group[name] !== null);
  const columns = keys.map((key) => [nameOfKey(key), (group) => nameOfValue(data, key, valueOf(data, group, key))]);
  columns.push(['n', (group) => group.runs, 'number']);
  if (some('target')) {
    const toTarget = (name) => (group) => (group.target === null ? '' : group.texts[name]);
    columns.push(['target', (group) => group.target ?? '', 'number']);
    columns.push(['rounds to it', toTarget('rounds_to_target'), 'number']);
    columns.push(['bytes to it', toTarget('bytes_to_target'), 'number']);
  }
  for (const level of ['suboptimality', 'loss']) {
    if (!data.groups.some((group) => group.level_of === level)) continue;
    columns.push([`final ${level}`, (group) => (group.level_of === level ? group.texts.level : ''), 'number']);
  }
  for (const [name, title] of [['test_accuracy', 'test accuracy'], ['node_accuracy', 'nodes’ own'], ['worst_node_accuracy', 'worst node’s']]) {
    if (some(name)) columns.push([title, (group) => group.texts[name], 'number']);
  }
  const ended = (group) => Object.entries(group.outcomes)
    .map(([outcome, count]) => (count === group.runs ? outcome : `${outcome} (${count} of ${group.runs})`)).join(', ');
  columns.push(['outcome', ended]);
  const cell = (tag, text, kind, bad) => element(tag, {class: [kind ?? '', bad ? 'bad' : ''].join(' ').trim()}, text);
  byId('summary').replaceChildren(element('table', {},
    element('thead', {}, element('tr', {}, ...columns.map(([title, , kind]) => cell('th', title, kind)))),
    element('tbody', {}, ...data.groups.map((group) => element('tr', {}, ...columns.map(([title, text, kind]) =>
      cell('td', text(group), kind, title === 'outcome' && group.outcomes.diverged)))))));
  const notes = ['Final figures are means over the rows of the last fifth of the rounds.'];
  const someRuns = (fits) => data.groups.some((group) => group.runs > 1 && fits(group.runs));
  if (someRuns((runs) => runs < data.fewest_for_an_interval)) notes.push('A range in brackets is that of the n repetitions.');
  if (someRuns((runs) => runs >= data.fewest_for_an_interval)) notes.push('± is half the 95 % interval of the mean over n repetitions (Student’s t).');
  if (some('target')) {
    notes.push('The target is of the suboptimality, or of the loss where the optimum is not known; the rounds and bytes to it are those from which on it is held, and a span of rounds is what sparse rows leave open.');
  }
  byId('summary-note').textContent = notes.join(' ');
  const failures = data.runs.filter((run) => run.diagnosis || (!data.live && (run.torn || run.outcome === 'unfinished')));
  const told = failures.slice(0, 20).map((run) => `${run.folder}: ${[run.diagnosis,
    run.outcome === 'unfinished' && `has not ended (no summary.json): ${plural(run.rows, 'row')} so far`,
    run.torn && 'the last line of metrics.csv is not whole and is left out'].filter(Boolean).join('; ')}`);
  if (failures.length > 20) told.push(`and ${failures.length - 20} more`);
  byId('failures').replaceChildren(...told.map((text) => element('li', {}, text)));
}
