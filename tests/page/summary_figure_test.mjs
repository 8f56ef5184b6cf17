// node summary_figure_test.mjs: what a figure of what runs came to draws of made-up groups whose truth is known.
import assert from 'node:assert/strict';
import {fromScripts, hold} from './claims.mjs';

const {summarySpec, limited, inLines} = fromScripts(['choice', 'colours', 'curves', 'figure', 'summary_figure'],
  ['summarySpec', 'limited', 'inLines']);

const group = (kind, x, numbers, {half = null, diverged = 0, missing = 0} = {}) => ({
  values: [kind, String(x)], runs: numbers.length + diverged + missing, numbers, diverged, missing, half_width: half,
  mean: diverged + missing ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length});
const data = (groups, choice = {}, more = {}) => ({
  keys: ['algorithm.kind', 'algorithm.local_rate'], axes: ['algorithm.kind'], groups, title: 'rounds to the target',
  titles: {'algorithm.kind': {'k-gt': 'K-GT', 'd-sgd': 'D-SGD'}}, most: null, missing: 'not reached', fewest_for_an_interval: 5,
  choice: {y: 'rounds_to_target', x: 'algorithm.local_rate', log: null, panels: null, only: {}, x_limits: [null, null],
    y_limits: [null, null], band: null, ...choice}, ...more});
const draw = (...given) => summarySpec(data(...given), {width: 600, height: 300, dark: false});
const layerOf = (spec, type, field) => spec.layer.find(({mark, encoding}) => mark.type === type && (!field || encoding.y.field === field));
const rowsWith = (spec, field) => spec.data.values.filter((row) => row[field] !== undefined && row[field] !== null);

const tests = {
  'draws a mean only where all runs have the number, and the runs that have it': () => {
    const spec = draw([group('k-gt', 0.1, [2, 4]), group('k-gt', 0.2, [6], {diverged: 1}), group('k-gt', 0.3, [], {missing: 2})]);
    assert.deepEqual(rowsWith(spec, 'mean').map(({x, mean}) => [x, mean]), [[0.1, 3]]);
    assert.deepEqual(rowsWith(spec, 'run').map(({x, run}) => [x, run]), [[0.1, 2], [0.1, 4], [0.2, 6]]);
    assert.deepEqual(rowsWith(spec, 'lack').map(({x, lack}) => [x, lack]), [[0.2, 'diverged'], [0.3, 'not reached']]);
    const many = draw([group('k-gt', 0.1, [2, 3, 4, 5], {diverged: 1}), group('k-gt', 0.2, [2, 2, 2, 2, 2], {half: 0})]);
    assert.deepEqual(rowsWith(many, 'run').map(({run}) => run), [2, 3, 4, 5]);
  },
  'puts marks of one place below each other, and leaves them room': () => {
    const spec = draw([group('k-gt', 1, [100], {diverged: 1, missing: 1}), group('d-sgd', 1, [100, 90], {missing: 1}), group('d-sgd', 2, [50, 50, 50])]);
    assert.deepEqual(rowsWith(spec, 'lack').map(({slot}) => slot), [1, 2, 3]);
    const [bottom, top] = layerOf(spec, 'line').encoding.y.scale.domain;
    // The greatest number lies below the strip of three marks.
    assert.ok((top - 100) / (top - bottom) * 300 >= 3 * 12);
  },
  'has bars from five runs on, which end where the number can': () => {
    const five = [0.9, 0.92, 0.94, 0.96, 0.98];
    const spec = draw([group('k-gt', 1, five, {half: 0.1}), group('k-gt', 2, five, {half: 0.02})], {y: 'test_accuracy'}, {most: 1});
    assert.deepEqual(rowsWith(spec, 'low').map(({low, high}) => [low, high].map((end) => end.toFixed(4))),
      [['0.8400', '1.0000'], ['0.9200', '0.9600']]);
    assert.equal(rowsWith(spec, 'run').length, 0);
    assert.ok(layerOf(spec, 'errorbar'));
  },
  'cuts a bar that would reach zero on a logarithmic scale': () => {
    const spec = draw([group('k-gt', 1, [1, 2, 3, 4, 5], {half: 7}), group('k-gt', 2, [100, 100, 100, 100, 100], {half: 0})]);
    assert.equal(layerOf(spec, 'line').encoding.y.scale.type, 'log');
    assert.equal(rowsWith(spec, 'low')[0].low, 0.3);
  },
  'has ticks at powers of ten where the axis spans some, and else at 1, 2 and 5': () => {
    const axis = (y, last) => draw([group('k-gt', 1, [1, 2]), group('k-gt', 2, last)], {y}).layer[0].encoding.y.axis;
    assert.deepEqual(axis('suboptimality', [4000, 5000]).values, [1, 10, 100, 1000]);
    assert.deepEqual(axis('suboptimality', [40, 45]).values, [1, 2, 5, 10, 20, 50]);
    assert.deepEqual(axis('bytes_to_target', [4000, 5000]).values, [1, 10, 100, 1000]);
    assert.match(axis('bytes_to_target', [4000, 5000]).labelExpr, /'B'$/);
  },
  'names the key of the lines, unless they are methods': () => {
    const legend = (x) => layerOf(draw(['a', 'b'].map((kind) => group(kind, kind === 'a' ? 1 : 2, [3, 4])), {x},
      {axes: [x === 'algorithm.kind' ? 'algorithm.local_rate' : 'algorithm.kind']}), 'point', 'mean').encoding.color.legend;
    assert.equal(legend('algorithm.kind').title, 'local_rate');
    assert.equal(legend('algorithm.local_rate').title, null);
  },
  'shows of the repetitions what is asked for': () => {
    const three = [group('k-gt', 1, [2, 3, 7], {half: 5}), group('k-gt', 2, [2, 3, 7], {half: 5})];
    assert.deepEqual(rowsWith(draw(three, {band: 'range'}), 'low').map(({low, high}) => [low, high]), [[2, 7], [2, 7]]);
    assert.deepEqual(rowsWith(draw(three, {band: 'interval'}), 'low').map(({low, high}) => [low, high]), [[0, 9], [0, 9]]);
    const none = draw(three, {band: 'none'});
    assert.equal(rowsWith(none, 'low').length + rowsWith(none, 'run').length, 0);
  },
  'moves bars aside, by as much to both sides': () => {
    const five = [4, 4, 4, 4, 4];
    const spec = draw(['k-gt', 'd-sgd'].flatMap((kind) => [1, 3].map((x) => group(kind, x, five, {half: 1}))));
    const at = rowsWith(spec, 'mean').map(({x}) => x);
    assert.ok(at[0] < 1 && at[2] > 1);
    assert.ok(Math.abs((at[0] + at[2]) / 2 - 1) < 1e-12);
  },
  'has the axis that suits the values of the key': () => {
    const axis = (values) => draw(values.map((x) => group('k-gt', x, [2, 3]))).layer[0].encoding.x;
    assert.equal(axis([0.001, 0.05]).scale.type, 'log');
    assert.equal(axis([1, 10]).scale.type, 'linear');
    assert.equal(axis([0, 100]).scale.type, 'linear');
    assert.equal(axis(['ring', 'torus']).type, 'nominal');
  },
  'leads no line from word to word': () => {
    const spec = draw(['ring', 'torus'].flatMap((x) => ['k-gt', 'd-sgd'].map((kind) => group(kind, x, [2, 3]))));
    assert.equal(layerOf(spec, 'line'), undefined);
    assert.equal(layerOf(spec, 'point', 'mean').encoding.xOffset.field, 'line');
  },
  'has a panel for each value of what is left': () => {
    const groups = [0, 1].flatMap((zeta) => ['k-gt', 'd-sgd'].map((kind) => {
      const made = group(kind, 1, [2, 3]);
      return {...made, values: [...made.values, String(zeta)]};
    }));
    const keys = ['algorithm.kind', 'algorithm.local_rate', 'problem.heterogeneity'];
    const axes = ['algorithm.kind', 'problem.heterogeneity'];
    assert.deepEqual(draw(groups, {}, {keys, axes}).concat.map(({title}) => title), ['heterogeneity = 0', 'heterogeneity = 1']);
    const single = draw(groups, {panels: 'none'}, {keys, axes});
    assert.deepEqual([single.concat, single.title], [undefined, undefined]);
  },
  'keeps to the limits of its axes, and turns none around': () => {
    const spec = draw([1, 2, 3].map((x) => group('k-gt', x, [5, 6], {missing: x === 3 ? 1 : 0})), {x_limits: [null, 2], y_limits: [0, null]});
    assert.deepEqual(spec.layer[0].encoding.x.scale.domain, [1, 2]);
    assert.equal(layerOf(spec, 'line').encoding.y.scale.domain[0], 0);
    assert.equal(rowsWith(spec, 'lack').length, 0);
    assert.deepEqual(limited([0, 2], [5, null]), [5, 10]);
    assert.deepEqual(limited([4, 8], [null, 2]), [1, 2]);
    assert.deepEqual(limited([4, 8]), [4, 8]);
  },
  'breaks the title of an axis that is shorter': () => {
    assert.equal(inLines('rounds to the target', 210, {}), 'rounds to the target');
    assert.deepEqual(inLines('rounds to the target', 209, {}), ['rounds to the', 'target']);
    assert.equal(inLines('rounds to the target', 209, {interactive: true}), 'rounds to the target');
    assert.equal(inLines(null, 100, {}), null);
  },
};

hold(tests);
