// node story_test.mjs: what the page says of made-up runs whose truth is known.
import assert from 'node:assert/strict';
import {fromScripts, hold} from './claims.mjs';

const page = fromScripts(['text', 'choice', 'colours', 'curves', 'figure', 'story'],
  ['story', 'curveAt', 'clustersOf', 'figureRows', 'figureSpec', 'naturalRange', 'rangeOf', 'lineLooks', 'figureText']);

const columns = [
  {name: 'round', is_cost: true}, {name: 'bytes_total', is_cost: true}, {name: 'loss'}, {name: 'test_accuracy', most: 1},
].map((column) => ({meaning: column.name, is_cost: false, least: 0, most: null, ...column}));
const titles = {'algorithm.kind': {'k-gt': 'K-GT', 'd-sgd': 'D-SGD', led: 'LED'}};

// A group whose mean takes these losses, a row every `every` rounds of 10 bytes; its runs lie `spread` to both sides.
function group(values, losses, {spread = 0, runs = 3, every = 1, outcomes = {finished: runs}, more = {}, ...figures} = {}) {
  const round = losses.map((_, k) => every * k);
  const all = {round, bytes_total: round.map((k) => 10 * k), loss: losses, ...more};
  const beside = (sign) => Object.fromEntries(['loss', ...Object.keys(more)].map((name) => [name, all[name].map((value) => value + sign * spread)]));
  const curve = {ranks: round.map((_, k) => k), mean: all, ...(runs > 1 && {least: beside(-1), greatest: beside(1)})};
  return {values, runs, outcomes, target: null, level_of: 'loss', rounds_to_target: null, bytes_to_target: null, curve, ...figures};
}

const data = (groups, keys = ['algorithm.kind']) => ({columns, titles, keys, axes: keys, groups, runs: []});
const choice = {metric: 'loss', against: 'round', lines: 'algorithm.kind', panels: null, only: {}, log: false};
const said = (groups, chosen = {}, keys = undefined) => page.story(data(groups, keys), {...choice, ...chosen})
  .map(({panel, text}) => (panel ? `${panel}: ${text}` : text));

const tests = {
  'compares at the greatest cost that all lines reached'() {
    // D-SGD falls to 0.1 in the end, but only where K-GT has no numbers any more.
    assert.deepEqual(said([group(['k-gt'], [4, 2, 1]), group(['d-sgd'], [4, 3, 2, 0.1])]),
      ['After 2 rounds the loss is 1.0 with K-GT and 2.0 with D-SGD.']);
  },
  'reads between two rows where a line has none there'() {
    assert.deepEqual(said([group(['k-gt'], [4, 2, 1, 1]), group(['d-sgd'], [4, 3], {every: 2})]),
      ['After 2 rounds the loss is 1.0 with K-GT and 3.0 with D-SGD.']);
    assert.deepEqual(said([group(['k-gt'], [4, 2], {every: 2}), group(['d-sgd'], [4, 3.5])]),
      ['After 1 round the loss is 3.0 with K-GT and 3.5 with D-SGD.']);
    assert.equal(page.curveAt({mean: {round: [0, 2], loss: [1, 0.01]}}, 'mean', 'loss', 'round', 1), 0.1);  // straight on a log scale
    assert.equal(page.curveAt({mean: {round: [1, 2], loss: [1, 1]}}, 'mean', 'loss', 'round', 0), null);
    assert.equal(page.curveAt({mean: {round: [1, 2], loss: [1, null]}}, 'mean', 'loss', 'round', 2), null);
  },
  'names costs as readers do, however small'() {
    const cost = (column, per) => {
      const line = group(['k-gt'], [4, 2], {runs: 1, more: {[column]: [0, per]}});
      return said([line], {against: column})[0].split(' the loss')[0];
    };
    assert.equal(cost('seconds', 0.000123), 'After 1.2e-4 s in rounds');
    assert.equal(cost('gradients', 12000), 'After 12,000 stochastic gradients of each node');
    assert.equal(cost('passes', 0.25), 'After 0.250 epochs');
    assert.equal(cost('bytes_busiest', 1.5e6), 'After 1.5 MB through the busiest point');
  },
  'says where runs overlap, of those lines alone'() {
    assert.deepEqual(said([group(['k-gt'], [4, 1], {spread: 0.3}), group(['d-sgd'], [4, 1.5], {spread: 0.3})]),
      ['After 1 round the loss is 1.0 with K-GT and 1.5 with D-SGD, within the spread of the runs.']);
    assert.deepEqual(said([group(['k-gt'], [4, 1], {spread: 0.3}), group(['d-sgd'], [4, 1.7], {spread: 0.3})]),
      ['After 1 round the loss is 1.0 with K-GT and 1.7 with D-SGD.']);
    assert.deepEqual(said([group(['k-gt'], [4, 1], {spread: 0.3}), group(['led'], [4, 1.5], {spread: 0.3}), group(['d-sgd'], [4, 3])]),
      ['After 1 round the loss is 1.0 with K-GT, 1.5 with LED and 3.0 with D-SGD; K-GT and LED within the spread of the runs.']);
  },
  'takes no chain of overlaps for one that holds between all'() {
    const lines = [1, 1.5, 2].map((value) => ({value, low: value - 0.3, high: value + 0.3}));
    assert.deepEqual(page.clustersOf(lines).map((cluster) => cluster.length), [2, 1]);
  },
  'shows the digits that tell lines apart'() {
    assert.deepEqual(said([group(['k-gt'], [4, 0.4991]), group(['d-sgd'], [4, 0.5012])]),
      ['After 1 round the loss is 0.499 with K-GT and 0.501 with D-SGD.']);
    assert.equal(page.figureText(123.4, 2), '120');
    assert.equal(page.figureText(3.04e-5, 2), '3.0e-5');
  },
  'puts the highest accuracy first'() {
    const learning = (values, accuracy) => group(values, [2, 1], {more: {test_accuracy: [0.1, accuracy]}});
    assert.deepEqual(said([learning(['d-sgd'], 0.37), learning(['k-gt'], 0.9)], {metric: 'test_accuracy', against: 'bytes_total'}),
      ['After 10 B sent by all nodes the test accuracy is 0.90 with K-GT and 0.37 with D-SGD.']);
    assert.deepEqual(said([learning(['d-sgd'], 0.37), learning(['k-gt'], 0.9)]),
      ['After 1 round the loss is 1.0 with D-SGD and 1.0 with K-GT, within the spread of the runs. '
        + 'The test accuracy: 0.90 with K-GT and 0.37 with D-SGD.']);
  },
  'takes the share of links that were up for no accuracy'() {
    const links = {name: 'links_up', most: 1, meaning: 'links_up', is_cost: false, least: 0};
    const runs = {...data([group(['k-gt'], [4, 2], {more: {links_up: [1, 0.5]}})]), columns: [...columns, links]};
    assert.deepEqual(page.story(runs, choice).map(({text}) => text), ['After 1 round the loss is 2.0 with K-GT.']);
  },
  'tells what each spent to the target, and who missed it'() {
    // As the program tells them: a mean is over all runs, or null.
    const reached = (min, max, n = 3) => ({target: 0.6, rounds_to_target: {mean: n < 3 ? null : max, min, max, n},
      bytes_to_target: {mean: n < 3 ? null : 1e6 * max, min: 1e6 * min, max: 1e6 * max, n},
      texts: {rounds_to_target: min === max ? `${max} (all 3)` : `${min}–${max}`, bytes_to_target: `${max} MB (all 3)`}});
    const groups = [group(['d-sgd'], [4, 0.58], reached(93, 96)), group(['k-gt'], [4, 0.39], reached(18, 20, 2)), group(['led'], [4, 3], {target: 0.6})];
    assert.match(said(groups)[0], / K-GT in 2 of 3 runs reached 0\.6 in 18 to 20 rounds, D-SGD in 93–96 rounds; LED did not\.$/);
    assert.match(said(groups, {against: 'bytes_total'})[0], / reached 0\.6 with 18 MB to 20 MB, D-SGD with 96 MB; LED did not\.$/);
    assert.match(said([group(['k-gt'], [4, 0.39], reached(20, 20))])[0], / K-GT reached 0\.6 in 20 rounds\.$/);
    const lost = group(['d-sgd'], [4, 1e9], {target: 0.6, outcomes: {diverged: 3}});
    assert.doesNotMatch(said([group(['k-gt'], [4, 0.39], reached(20, 20)), lost])[0], /D-SGD did not/);
    assert.match(said([group(['k-gt'], [4, 3], {target: 0.6})])[0], / K-GT did not reach the target of 0\.6\.$/);
  },
  'leaves lines that diverged out of the comparison, and says so'() {
    const lost = (diverged) => ({outcomes: {finished: 3 - diverged, diverged}});
    assert.deepEqual(said([group(['k-gt'], [4, 2, 1]), group(['d-sgd'], [4, 1e9], lost(3))]),
      ['After 2 rounds the loss is 1.0 with K-GT. All 3 runs of D-SGD diverged.']);
    assert.deepEqual(said([group(['k-gt'], [4, 1e9], lost(1))]), ['1 of 3 runs of K-GT diverged.']);
  },
  'has words for one run, and none where there is only a start'() {
    assert.deepEqual(said([group(['k-gt'], [4, 2], {runs: 1})]), ['After 1 round the loss is 2.0 with K-GT.']);
    assert.deepEqual(said([group(['k-gt'], [4, 2], {runs: 1}), group(['d-sgd'], [4, 3], {runs: 1})]),
      ['After 1 round the loss is 2.0 with K-GT and 3.0 with D-SGD (one run each).']);
    assert.deepEqual(said([group(['k-gt'], [4])]), []);
    assert.deepEqual(said([group(['k-gt'], [4, 2]), group(['d-sgd'], [4])]), []);
  },
  'speaks of each panel where they are few, and counts where they are many'() {
    const keys = ['algorithm.kind', 'algorithm.local_steps'];
    const panel = (steps, ours, theirs, spread = 0) => [group(['k-gt', steps], [4, ours], {spread}), group(['d-sgd', steps], [4, theirs], {spread})];
    const chosen = {panels: 'algorithm.local_steps'};
    assert.deepEqual(said([...panel('1', 1, 2), ...panel('4', 3, 2)], chosen, keys),
      ['local_steps = 1: After 1 round the loss is 1.0 with K-GT and 2.0 with D-SGD.',
        'local_steps = 4: After 1 round the loss is 2.0 with D-SGD and 3.0 with K-GT.']);
    const many = [...panel('1', 1, 2), ...panel('2', 1, 2), ...panel('3', 2, 1), ...panel('4', 1, 2, 0.7)];
    assert.deepEqual(said(many, chosen, keys),
      ['Of 4 panels, each at the greatest cost that all its lines reached, the loss is lowest with K-GT in 2 and with D-SGD in 1; '
        + 'in 1 the lowest is within the spread of the runs of another line.']);
    assert.deepEqual(said(panel('1', 1, 2), {only: {'algorithm.kind': 'k-gt'}}, keys), ['After 1 round the loss is 1.0 with K-GT.']);
  },
  'tells lines of one method apart by their other keys'() {
    const keys = ['algorithm.kind', 'algorithm.local_steps'];
    assert.deepEqual(said([group(['k-gt', '1'], [4, 2]), group(['k-gt', '4'], [4, 1])], {}, keys),
      ['After 1 round the loss is 1.0 with K-GT (local_steps = 4) and 2.0 with K-GT (local_steps = 1).']);
    assert.deepEqual(said([group(['k-gt', '1'], [4, 2]), group(['k-gt', '4'], [4, 1])], {lines: 'algorithm.local_steps'}, keys),
      ['After 1 round the loss is 1.0 with local_steps = 4 and 2.0 with local_steps = 1.']);
  },
  'names the two ends of many lines'() {
    const many = [1, 2, 3, 4, 5, 6].map((value) => group([`method ${value}`], [9, value]));
    assert.deepEqual(said(many), ['After 1 round the loss is between 1.0 with method 1 and 6.0 with method 6, over 6 lines.']);
    const close = [1, 1.2, 3, 4, 5, 6].map((value) => group([`method ${value}`], [9, value], {spread: 0.2}));
    assert.deepEqual(said(close), ['After 1 round the loss is between 1.0 with method 1 (method 1.2 is within the spread of its runs) '
      + 'and 6.0 with method 6, over 6 lines.']);
  },
  'draws no band below what a metric can be, nor above'() {
    const wide = group(['k-gt'], [1, 0.01], {runs: 5, more: {test_accuracy: [0.5, 0.9]}});
    wide.curve.half_width = {loss: [2, 2], test_accuracy: [0.1, 0.4]};
    for (const [metric, low, high] of [['loss', 0, 2.01], ['test_accuracy', 0.5, 1]]) {
      const last = page.figureRows(data([wide]), {...choice, metric}).pop();
      assert.deepEqual([last.low, last.high], [low, high]);
      const [{scale}] = page.figureSpec(data([wide]), {...choice, metric}, {width: 600, height: 300}).layer.map(({encoding}) => encoding.y);
      assert.ok(scale.domain[0] >= 0 && (metric === 'loss' || scale.domain[1] === 1), `${scale.domain}`);
    }
    assert.deepEqual(page.naturalRange(data([group(['k-gt'], [1, -2])]), 'loss'), [-2, Infinity]);
  },
  'draws single runs where they are few, each to its own end, and no band'() {
    const few = group(['k-gt'], [4, 2], {spread: 1, outcomes: {finished: 2, diverged: 1}});
    few.single = [3, 2, 1].map((rows, k) => ({seed: `${k}`, outcome: k === 2 ? 'diverged' : 'finished', curve: group([], [4, 2, 1].slice(0, rows), {runs: 1}).curve}));
    const rows = page.figureRows(data([few]), choice);
    const count = (id) => rows.filter((row) => row.id === id).length;
    assert.deepEqual(['0', '0/0', '0/1', '0/2'].map(count), [2, 3, 2, 1]);
    assert.ok(rows.every((row) => row.low === undefined));
    assert.deepEqual(rows.filter((row) => row.diverged).map((row) => row.id), ['0/2']);
    delete few.single;
    assert.deepEqual(page.figureRows(data([few]), choice).map(({low, high}) => [low, high]), [[3, 5], [1, 3]]);
  },
  'gives every panel its own y axis, and its own target'() {
    const keys = ['algorithm.kind', 'problem.kind'];
    const groups = [group(['k-gt', 'softmax'], [2, 1], {target: 1.5}), group(['k-gt', 'cnn'], [200, 100], {target: 150})];
    const spec = page.figureSpec(data(groups, keys), {...choice, panels: 'problem.kind'}, {width: 900, height: 300});
    const domains = spec.concat.map((panel) => panel.layer[0].encoding.y.scale.domain);
    assert.ok(domains[0][1] < 3 && domains[1][0] > 50, JSON.stringify(domains));
    const rules = spec.concat.map((panel) => panel.layer.find(({mark}) => mark.type === 'rule').data.values);
    assert.deepEqual(rules, [[{target: 1.5}], [{target: 150}]]);
  },
  'gives a method one colour whatever else is shown'() {
    const alone = page.lineLooks(data([group(['led'], [1])]), 'algorithm.kind', false);
    const among = page.lineLooks(data([group(['other'], [1]), group(['led'], [1]), group(['d-sgd'], [1])]), 'algorithm.kind', false);
    assert.deepEqual(alone.get('led'), among.get('led'));
    assert.equal(new Set([...among.values()].map(({colour}) => colour)).size, 3);
    const numbers = page.lineLooks(data(['10', '1', '100'].map((value) => group([value], [1])), ['n']), 'n', false);
    assert.deepEqual([...numbers].map(([value, {colour}]) => [value, colour]), [['1', '#f0a030'], ['10', '#b0307f'], ['100', '#1b1180']]);
  },
};

hold(tests);
