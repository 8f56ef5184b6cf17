// What there is to show, by which names, and what of it is shown.
'use strict';

const TITLES = {
  round: 'communication rounds', gradients: 'stochastic gradients of each node', passes: 'epochs: passes over the data',
  bytes_total: 'bytes sent by all nodes', bytes_busiest: 'bytes through the busiest point', seconds: 'seconds in rounds',
  loss: 'loss f(x̄)', suboptimality: 'suboptimality f(x̄) − f*', grad_norm2: 'squared gradient norm ‖∇f(x̄)‖²',
  consensus: 'consensus distance', correction_error: 'error of the corrections', drift: 'drift of the local steps',
  heterogeneity: 'heterogeneity', train_loss: 'training loss', test_loss: 'test loss', test_accuracy: 'test accuracy',
  node_loss: "nodes' own test loss", node_accuracy: "nodes' own test accuracy", worst_node_accuracy: "worst node's test accuracy",
  members: 'nodes that are not lost', links_up: 'share of links that carried letters', late_letters: 'letters that came late so far',
  correction_sum: 'sum of the corrections ‖Σ c_i‖',
};
const titleOf = (column) => TITLES[column] ?? column;
const KEYS = {'algorithm.kind': 'method', 'problem.kind': 'problem', 'schedule.kind': 'schedule'};
const nameOfKey = (key) => KEYS[key] ?? key.slice(key.lastIndexOf('.') + 1);
// What whoever asked for the figure calls columns and keys.
function takeLabels(labels) {
  Object.assign(TITLES, labels);
  Object.assign(KEYS, labels);
}
const NO_VALUE = '–';

// As papers write it, where the program or whoever asked for the figure has such a name.
const nameOfValue = (data, key, value) => data.titles?.[key]?.[value] ?? value;

const valueOf = (data, group, key) => group.values[data.keys.indexOf(key)] || NO_VALUE;

// Numbers ascending; words as they come.
function valuesOf(data, key) {
  const values = [...new Set(data.groups.map((group) => valueOf(data, group, key)))];
  const isNumber = (value) => value === NO_VALUE || Number.isFinite(Number(value));
  return values.every(isNumber) ? values.sort((a, b) => (Number(a) || 0) - (Number(b) || 0)) : values;
}

// Columns in which some run has numbers.
function shownColumns(data, areCosts) {
  return data.columns.filter((column) => column.is_cost === areCosts
    && data.groups.some((group) => group.curve.mean[column.name])).map((column) => column.name);
}

const columnOf = (data, name) => data.columns.find((column) => column.name === name);

// A logarithmic scale suits what is positive and spans more than a power of ten; accuracies are read as they are.
function suitsLog(data, metric) {
  if (columnOf(data, metric).most === 1) return false;
  let [low, high] = [Infinity, -Infinity];
  for (const group of data.groups) {
    for (const value of group.curve.mean[metric] ?? []) {
      if (value !== null) [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  }
  return high > 0 && (low > 0 ? high > 10 * low : low === 0);
}

// A panel has one value of each of these keys. choice.panels is a key, null for a single panel, or 'all': every key that
// is left.
function panelKeys(data, choice) {
  if (choice.panels !== 'all') return choice.panels ? [choice.panels] : [];
  return data.axes.filter((key) => key !== choice.lines && !(key in choice.only) && valuesOf(data, key).length > 1);
}

// In order of their values.
function panelNames(data, choice) {
  const join = (names, key) => names.flatMap((name) => valuesOf(data, key).map((value) => [...name, [key, value]]));
  return panelKeys(data, choice).reduce(join, [[]]).map((values) => panelName(data, values));
}
const panelName = (data, values) => values.map(([key, value]) => `${nameOfKey(key)} = ${nameOfValue(data, key, value)}`).join(', ');
const panelOf = (data, group, choice) =>
  panelName(data, panelKeys(data, choice).map((key) => [key, valueOf(data, group, key)]));
const mostPanels = 12;

// What is shown at first: what was asked for, and else the figure most would ask for.
function firstChoice(data) {
  const asked = data.choice;
  const many = data.axes.filter((key) => valuesOf(data, key).length > 1);
  const lines = many.find((key) => key !== asked.panels && !(key in asked.only)) ?? data.axes[0];
  const free = many.filter((key) => key !== lines && !(key in asked.only));
  const only = {...asked.only};
  const eachPanel = new Set(data.groups.map((group) => panelOf(data, group, {lines, panels: 'all', only})));
  const all = free.length > 1 && eachPanel.size <= mostPanels ? 'all' : undefined;
  const panels = asked.panels ?? all ?? free.find((key) => valuesOf(data, key).length <= mostPanels) ?? 'none';
  for (const key of free) {
    if (panels !== 'all' && key !== panels && data.groups.length > 24) only[key] = valuesOf(data, key)[0];
  }
  return {metric: asked.metric, against: asked.against, log: asked.log ?? suitsLog(data, asked.metric), lines,
    panels: panels === 'none' ? null : panels, only, x_limits: asked.x_limits, y_limits: asked.y_limits};
}

const isShown = (data, group, choice) =>
  Object.entries(choice.only).every(([key, value]) => valueOf(data, group, key) === value);
