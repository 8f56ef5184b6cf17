// What the figure shows, in words. Everything said follows from the numbers: lines are compared at a cost that all of them
// reached, and where the runs of two lines overlap it is said so.
'use strict';

// The numbers of one column of a curve over one cost, between its points as the page draws them: a straight line on the
// scale that suits the column.
function curveAt(curve, part, metric, against, cost) {
  const costs = curve.mean[against] ?? [];
  const values = curve[part]?.[metric] ?? [];
  const places = [...costs.keys()].filter((k) => costs[k] !== null && (values[k] ?? null) !== null);
  const after = places.findIndex((k) => costs[k] >= cost);
  if (after < 0 || (after === 0 && costs[places[0]] > cost)) return null;
  const end = places[after];
  if (costs[end] === cost) return values[end];
  const begin = places[after - 1];
  const share = (cost - costs[begin]) / (costs[end] - costs[begin]);
  const [low, high] = extent(places.map((k) => values[k]));
  if (low > 0 && high > 10 * low) return values[begin] ** (1 - share) * values[end] ** share;
  return (1 - share) * values[begin] + share * values[end];
}

// The cost up to which a curve has numbers of a metric; null: it has none.
function reachOf(curve, metric, against) {
  const [costs, values] = [curve.mean[against] ?? [], curve.mean[metric] ?? []];
  const last = [...costs.keys()].filter((k) => costs[k] !== null && (values[k] ?? null) !== null).pop();
  return last === undefined ? null : costs[last];
}

// Lines of one panel by the names that readers know them by.
function namedLines(data, choice, groups) {
  const plain = (group) => {
    const value = valueOf(data, group, choice.lines);
    return choice.lines === 'algorithm.kind' ? nameOfValue(data, choice.lines, value) : `${nameOfKey(choice.lines)} = ${value}`;
  };
  const others = (group) => data.axes.filter((key) => key !== choice.lines && !panelKeys(data, choice).includes(key)
    && !(key in choice.only) && valueOf(data, group, key) !== NO_VALUE)
    .map((key) => `${nameOfKey(key)} = ${nameOfValue(data, key, valueOf(data, group, key))}`).join(', ');
  return groups.map((group) => {
    const alone = groups.filter((other) => plain(other) === plain(group)).length === 1;
    return {group, name: alone || !others(group) ? plain(group) : `${plain(group)} (${others(group)})`};
  });
}

const isLost = (group) => (group.outcomes.diverged ?? 0) > 0;

// {cost, found: [{name, runs, value, low, high}]}, lowest first, or highest where more is better. Null where there is nothing to
// compare yet.
function comparedLines(data, lines, metric, against, atCost) {
  const there = lines.filter(({group}) => !isLost(group) && reachOf(group.curve, metric, against) !== null);
  const cost = atCost ?? Math.min(...there.map(({group}) => reachOf(group.curve, metric, against)));
  if (there.length === 0 || !(cost > 0)) return null;
  const found = there.map(({group, name}) => {
    const at = (part) => curveAt(group.curve, part, metric, against, cost);
    const value = at('mean');
    return {name, runs: group.runs, value, low: at('least') ?? value, high: at('greatest') ?? value};
  }).filter(({value}) => value !== null);
  const sign = columnOf(data, metric).most === 1 ? -1 : 1;
  found.sort((a, b) => sign * (a.value - b.value));
  return found.length ? {cost, found} : null;
}

const overlap = (a, b) => a.low <= b.high && b.low <= a.high;

// Neighbours in the order of their values whose runs all overlap with one another.
function clustersOf(found) {
  const clusters = [];
  for (const line of found) {
    const last = clusters[clusters.length - 1];
    if (last && last.every((other) => overlap(other, line))) last.push(line);
    else clusters.push([line]);
  }
  return clusters;
}

// ---- words

const listed = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`);
const plainTitle = (metric) => titleOf(metric).replace(/ (f\(|‖).*$/, '');

function costText(against, cost) {
  const count = (digits) => (cost < 1 ? figureText(cost, digits) : Number(cost.toPrecision(digits)).toLocaleString('en'));
  switch (against) {
    case 'bytes_total': return `${readableBytes(cost)} sent by all nodes`;
    case 'bytes_busiest': return `${readableBytes(cost)} through the busiest point`;
    case 'gradients': return `${count(4)} stochastic gradients of each node`;
    case 'passes': return `${count(3)} epochs`;
    case 'seconds': return `${count(2)} s in rounds`;
    default: return plural(Math.round(cost), 'round');
  }
}

// With so many digits, and without an exponent where one would not write it: 120, 0.39, 3.0e-5.
function figureText(value, digits) {
  const text = short(value, digits);
  return text.includes('e+') && Math.abs(value) < 1e4 ? String(Number(text)) : text;
}

// Values with two digits, or with as many as it takes to tell those apart that do not overlap.
function valueTexts(found) {
  for (let digits = 2; digits < 5; ++digits) {
    const texts = found.map(({value}) => figureText(value, digits));
    const clash = found.some((line, k) => k > 0 && texts[k] === texts[k - 1] && !overlap(line, found[k - 1]));
    if (!clash) return texts;
  }
  return found.map(({value}) => figureText(value, 5));
}

const mostNamed = 5;

// "0.39 with K-GT and 0.58 with D-SGD"; with many lines the two ends.
function valuesText(found) {
  const texts = valueTexts(found);
  const named = found.map(({name}, k) => `${texts[k]} with ${name}`);
  const ties = clustersOf(found).filter((cluster) => cluster.length > 1);
  if (found.length > mostNamed) {
    const tied = ties.find((cluster) => cluster[0] === found[0]);
    const others = (tied ?? []).slice(1).map(({name}) => name);
    const who = others.length > mostNamed ? `${others.length} other lines` : listed(others);
    const near = who ? ` (${who} ${others.length > 1 ? 'are' : 'is'} within the spread of its runs)` : '';
    return `between ${named[0]}${near} and ${named[named.length - 1]}, over ${found.length} lines`;
  }
  const within = ties.length === 1 && ties[0].length === found.length
    ? ', within the spread of the runs'
    : ties.map((cluster) => `; ${listed(cluster.map(({name}) => name))} within the spread of the runs`).join('');
  return `${listed(named)}${within}`;
}

function comparisonText(metric, against, compared) {
  const once = compared.found.length > 1 && compared.found.every(({runs}) => runs === 1) ? ' (one run each)' : '';
  return `After ${costText(against, compared.cost)} the ${plainTitle(metric)} is ${valuesText(compared.found)}${once}.`;
}

// "K-GT reached 0.6 with 50 MB, D-SGD with 121 MB; LED did not." Where rows are sparse the program tells a span.
function targetText(choice, lines) {
  const asked = lines.filter(({group}) => !isLost(group));
  const targets = new Set(asked.map(({group}) => (group.level_of === choice.metric ? group.target : null)));
  if (targets.size !== 1 || targets.has(null) || asked.length > mostNamed) return '';
  const spent = choice.against === 'bytes_total' ? 'bytes_to_target' : 'rounds_to_target';
  const reached = asked.filter(({group}) => group[spent]).sort((a, b) => a.group[spent].max - b.group[spent].max);
  const missed = asked.filter(({group}) => !group[spent]).map(({name}) => name);
  const target = [...targets].map((value) => (Math.abs(value) < 1e-3 ? value.toExponential() : String(value)))[0];
  if (reached.length === 0) return `${missed.length === 1 ? `${missed[0]} did not reach` : 'None of them reached'} the target of ${target}.`;
  const texts = reached.map(({group, name}, k) => {
    const {min, max, n} = group[spent];
    const some = n < group.runs;
    const written = (value) => (spent === 'bytes_to_target' ? readableBytes(value) : value.toLocaleString('en'));
    const cost = some ? [...new Set([min, max].map(written))].join(' to ') : group.texts[spent].replace(/ \(all \d+\)$/, '');
    return `${name}${some ? ` in ${n} of ${group.runs} runs` : ''}${k === 0 ? ` reached ${target}` : ''} ${
      spent === 'bytes_to_target' ? `with ${cost}` : `in ${cost} ${max === 1 ? 'round' : 'rounds'}`}`;
  });
  return `${texts.join(', ')}${missed.length ? `; ${listed(missed)} did not` : ''}.`;
}

function lostText(lines) {
  const texts = lines.filter(({group}) => isLost(group)).map(({group, name}) => {
    const {diverged} = group.outcomes;
    if (diverged < group.runs) return `${diverged} of ${group.runs} runs of ${name}`;
    return group.runs === 1 ? `the run of ${name}` : `all ${group.runs} runs of ${name}`;
  });
  if (texts.length > mostNamed) return `Runs of ${texts.length} lines diverged.`;
  const text = listed(texts);
  return text ? `${text[0].toUpperCase()}${text.slice(1)} diverged.` : '';
}

// All that there is to say of one panel.
function panelStory(data, choice, lines) {
  const {metric, against} = choice;
  const compared = comparedLines(data, lines, metric, against);
  const said = [compared && comparisonText(metric, against, compared), targetText(choice, lines)];
  const accuracies = data.columns.filter(({name, most}) => most === 1 && ![metric, 'links_up'].includes(name)).map(({name}) => name);
  for (const column of compared && compared.found.length <= mostNamed ? accuracies : []) {
    const also = comparedLines(data, lines, column, against, compared.cost);
    if (also && also.found.length === compared.found.length) said.push(`The ${plainTitle(column)}: ${valuesText(also.found)}.`);
  }
  said.push(lostText(lines));
  return said.filter(Boolean).join(' ');
}

// In how many panels each line is ahead of all others; a panel in which runs overlap with the best has none.
function panelsStory(data, choice, panels) {
  const {metric, against} = choice;
  const wins = new Map();
  let [close, compared] = [0, 0];
  const once = panels.flat().every(({group}) => group.runs === 1) ? ' (one run each)' : '';
  for (const lines of panels) {
    const found = comparedLines(data, lines, metric, against)?.found ?? [];
    if (found.length < 2) continue;
    ++compared;
    const [best, ...others] = found;
    if (others.some((line) => overlap(best, line))) ++close;
    else wins.set(best.name, (wins.get(best.name) ?? 0) + 1);
  }
  if (compared === 0) return '';
  const side = columnOf(data, metric).most === 1 ? 'highest' : 'lowest';
  const texts = [...wins].sort((a, b) => b[1] - a[1]).map(([name, count]) => `with ${name} in ${count}`);
  const won = texts.length ? `the ${plainTitle(metric)} is ${side} ${listed(texts)}` : '';
  const tied = close ? `in ${close} the ${side} is within the spread of the runs of another line` : '';
  return `Of ${plural(compared, 'panel')}, each at the greatest cost that all its lines reached, ${[won, tied].filter(Boolean).join('; ')}${once}.`;
}

const mostTold = 3;  // panels, each in words of its own

// Paragraphs as {panel, text}: one, or one for each panel where these are few.
function story(data, choice) {
  const panels = new Map(panelNames(data, choice).map((name) => [name, []]));
  for (const group of data.groups) {
    if (isShown(data, group, choice)) panels.get(panelOf(data, group, choice)).push(group);
  }
  const filled = [...panels].filter(([, groups]) => groups.length > 0);
  const lines = filled.map(([, groups]) => namedLines(data, choice, groups));
  if (filled.length > mostTold) {
    const lost = data.groups.filter((group) => isShown(data, group, choice)).reduce((sum, group) => sum + (group.outcomes.diverged ?? 0), 0);
    return [panelsStory(data, choice, lines), lost ? `${plural(lost, 'run')} diverged.` : '']
      .filter(Boolean).map((text) => ({panel: '', text}));
  }
  return filled.map(([panel], k) => ({panel, text: panelStory(data, choice, lines[k])})).filter(({text}) => text);
}
