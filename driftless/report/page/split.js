// The split of the data as a Vega-Lite specification: nodes along, classes up, and a dot whose area is the number of samples.
'use strict';

// Every how many of so many labels have room, each so many pixels of `length`.
function labelStep(count, length, pixels) {
  const steps = [1, 2, 5, 10, 20, 50];
  return steps.find((step) => length / count * step >= pixels) ?? 100;
}

function splitSpec(split, look) {
  const nodes = split.samples.map((text) => text.split(' ').map(Number));
  const [columns, rows] = [nodes.length, split.classes.length];
  const cell = Math.max(3, Math.min(30, look.width / columns, 300 / rows));
  const [width, height] = [cell * columns, cell * rows];
  const dots = nodes.flatMap((counts, node) => counts.map((samples, k) => ({node, class: split.classes[k], samples}))
    .filter(({samples}) => samples > 0));
  const most = Math.max(...dots.map(({samples}) => samples));
  const every = (step) => `indexof(domain('$'), datum.value) % ${step} == 0 ? datum.label : ''`;
  const axis = (name, title, step) => ({title, labelAngle: 0, labelExpr: every(step).replace('$', name), labelOverlap: false, ticks: false});
  const sorted = [...Array(columns).keys()];
  const config = lookOf(look.dark);
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json', width, height, padding: 6, config,
    data: {values: dots},
    mark: {type: 'point', filled: true, opacity: 0.9, color: COLOURS[look.dark ? 'dark' : 'light'][0]},
    encoding: {
      x: {field: 'node', type: 'ordinal', scale: {domain: sorted, padding: 0.5}, axis: {...axis('x', 'node', labelStep(columns, width, 18)), grid: false}},
      y: {field: 'class', type: 'nominal', scale: {domain: [...split.classes].reverse(), padding: 0.5},
        axis: {...axis('y', 'class', labelStep(rows, height, 13)), grid: true}},
      size: {field: 'samples', type: 'quantitative', legend: null, scale: {domain: [0, most], range: [0, Math.PI * (0.46 * cell) ** 2]}},
      tooltip: [{field: 'node'}, {field: 'class'}, {field: 'samples', format: ','}],
    },
  };
}

// "mnist, sorted: 10 nodes with 5,421 to 6,742 samples each, of 1 of 10 classes."
function splitText(split) {
  const nodes = split.samples.map((text) => text.split(' ').map(Number));
  const between = (numbers) => {
    const [low, high] = extent(numbers);
    return low === high ? low.toLocaleString('en') : `${low.toLocaleString('en')} to ${high.toLocaleString('en')}`;
  };
  const sizes = nodes.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const classes = nodes.map((counts) => counts.filter((count) => count > 0).length);
  const kind = [split.split, split.alpha && `alpha ${split.alpha}`, split.shards && `${split.shards} shards a node`,
    split.split !== 'sorted' && `seed ${split.seed}`].filter(Boolean).join(', ');
  return `${split.data.split('/').pop()}, ${kind}: ${plural(nodes.length, 'node')} with ${between(sizes)} samples each, of ${
    between(classes)} of ${split.classes.length} classes. The area of a dot is the number of samples.`;
}
