// node weather_test.mjs: what the page says of networks that change, and how it lays out what was down when.
import assert from 'node:assert/strict';
import {fromScripts, hold} from './claims.mjs';

const page = fromScripts(['text', 'choice', 'colours', 'curves', 'figure', 'story', 'weather', 'network', 'words'],
  ['weatherRows', 'weatherSpec', 'weatherNote', 'weatherCaption', 'pictureless', 'networkText', 'conditionsText']);

const ribbon = {nodes: 3, rounds: 6, looked_at: 6, nodes_out: 2, links_down: [0, 0.5, 0.5, 1, 0, 0], lines: [
  {node: 0, paused: '000000', lost: '000000', joins: []},
  {node: 1, paused: '990090', lost: '000000', joins: []},
  {node: 2, paused: '000000', lost: '099900', joins: [4]},
]};
const bars = (of) => page.weatherRows(of).map(({line, what, from, to, share}) => [line, what, from, to, share]);
const inLook = (dark) => page.weatherSpec(ribbon, {dark, plot: {left: 60, width: 500, domain: [0, 6], title: null}});

const tests = {
  'draws rounds side by side that are alike as one bar'() {
    assert.deepEqual(bars(ribbon), [
      ['links', 'links down', 1, 3, 0.5], ['links', 'links down', 3, 4, 1],
      ['node 1', 'paused', 0, 2, 1], ['node 1', 'paused', 4, 5, 1],
      ['node 2', 'lost', 1, 4, 1], ['node 2', 'came back', 4, 4, 1]]);
  },
  'gives each column the rounds that it stands for'() {
    const wide = {...ribbon, rounds: 10, links_down: [0, 0, 0], lines: [{node: 7, paused: '030', lost: '009', joins: [1]}]};
    assert.deepEqual(bars(wide), [['node 7', 'paused', 4, 7, 1 / 3], ['node 7', 'lost', 7, 10, 1], ['node 7', 'came back', 4, 4, 1]]);
  },
  'has a line for the links and one for each node'() {
    const [first] = inLook(false).layer;
    assert.deepEqual(first.encoding.y.scale.domain, ['links', 'node 0', 'node 1', 'node 2']);
    assert.deepEqual(first.encoding.color.scale.domain, ['links down', 'paused', 'lost', 'came back']);
    assert.notDeepEqual(first.encoding.color.scale.range, inLook(true).layer[0].encoding.color.scale.range);
  },
  'explains what is there, and nothing else'() {
    const caption = (lines) => page.weatherCaption([{...ribbon, lines}]);
    assert.match(caption(ribbon.lines), /the top line .* a thin bar where it paused, a thick bar where it was lost and a triangle where it came back\.$/);
    assert.match(caption(ribbon.lines.slice(1, 2)), /each node has a line, with a thin bar where it paused\.$/);
    assert.match(caption([]), /carried nothing, the stronger its colour the more\.$/);
  },
  'says what the picture leaves out'() {
    const note = (of, more = {}) => page.weatherNote({ribbon: {...ribbon, ...of}, rounds: 6, seed: '1', seeds: 1, ...more});
    assert.equal(note({}), '');
    assert.equal(note({}, {seeds: 3}), 'Each repetition had weather of its own; this is that of seed 1.');
    assert.equal(note({nodes: 1200, nodes_out: 90}), 'Of 1,200 nodes 90 were down at some time; shown are the 3 that were so for longest.');
    assert.equal(note({nodes: 1200, nodes_out: 3}), 'Never down: 1,197 of 1,200 nodes.');
    assert.equal(note({nodes_out: 0, lines: []}), '');
    assert.equal(note({}, {rounds: 4000}), 'Only the first 6 of 4,000 rounds are shown: to go through all of them would take too long.');
    assert.equal(note({rounds: 60}, {rounds: 60}), 'One round in 10 is shown.');
    assert.equal(note({rounds: 60, looked_at: 60}, {rounds: 60}), 'A bar is the fainter, the fewer of some 10 rounds side by side it holds for.');
  },
  'has no picture where nothing was down or nothing is known'() {
    assert.equal(page.pictureless({ribbon}), '');
    assert.equal(page.pictureless({ribbon: {...ribbon, links_down: [0, 0], lines: []}}), 'Nothing was down in 6 rounds.');
    assert.equal(page.pictureless({fault: 'outages.csv: gone'}), 'What was down cannot be shown: outages.csv: gone.');
  },
  'tells of a network whether its links change'() {
    const of = (network) => page.networkText({name: 'some', nodes: 16, weights: '', ...network});
    assert.equal(of({edges: 16, max_degree: 2, p: 0.25, spectral_gap: 0.5}),
      'some, 16 nodes, 16 edges; degree at most 2, on average 2; p = 0.25: a mix takes at least this fraction of the consensus distance away; spectral gap 0.5.');
    assert.equal(of({most_peers: 1, period: 4, p: 1, p_rounds: 4}),
      'some, 16 nodes, at most 1 peer in a round; the links come again every 4 rounds; p = 1: 4 rounds together take at least this fraction of the consensus distance away.');
    assert.equal(of({most_peers: 3, period: 0, p: 0.5, p_rounds: 1}),
      'some, 16 nodes, at most 3 peers in a round; the links are drawn anew every round; p = 0.5: a mix on average takes at least this fraction of the consensus distance away.');
  },
  'says in what weather runs were made'() {
    const said = (settings, keys = [], groups = []) => {
      globalThis.data = {settings, keys, groups};
      return page.conditionsText();
    };
    assert.equal(said({}), '');
    assert.equal(said({'faults.drop': '0', 'faults.late': '0', 'compression.codec': 'none'}), '');
    assert.equal(said({'faults.drop': '0.2', 'faults.crash': '0.01'}), ', with links that drop and nodes that are lost');
    assert.equal(said({'compression.codec': 'int4'}), ', letters as int4');
    assert.equal(said({}, ['faults.trace', 'compression.codec'], [{values: ['', 'none']}, {values: ['/tmp/outages.csv', 'top_k']}]),
      ', with what outages.csv tells, letters whole or as top_k');
  },
};

hold(tests);
