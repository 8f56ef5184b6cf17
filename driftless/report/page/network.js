// The network in words, and as a Vega specification: nodes that push each other away, held together by their edges.
'use strict';

// Of links that change from round to round there is no picture.
function networkText(network) {
  const number = (value, digits) => Number(value.toPrecision(digits));
  const changes = network.period !== undefined;
  const again = network.period ? `the links come again every ${plural(network.period, 'round')}` : 'the links are drawn anew every round';
  const rounds = network.p_rounds > 1 ? `${network.p_rounds} rounds together take` : changes && !network.period ? 'a mix on average takes' : 'a mix takes';
  const parts = changes
    ? [`${plural(network.nodes, 'node')}, at most ${plural(network.most_peers, 'peer')} in a round`, again]
    : [`${plural(network.nodes, 'node')}, ${plural(network.edges, 'edge')}`,
      `degree at most ${network.max_degree}, on average ${number(2 * network.edges / network.nodes, 3)}`];
  return `${[`${network.name || 'network'}, ${parts[0]}`, parts[1],
    network.weights && `weights ${network.weights}`,
    network.p !== null && `p = ${number(network.p, 4)}: ${rounds} at least this fraction of the consensus distance away`,
    !changes && network.spectral_gap !== null && `spectral gap ${number(network.spectral_gap, 4)}`].filter(Boolean).join('; ')}.`;
}

function networkSpec(network, look) {
  const edges = network.edge_list.split(' ').filter(Boolean).map((edge) => edge.split('-').map(Number));
  const neighbours = Array.from({length: network.nodes}, () => []);
  for (const [a, b] of edges) {
    neighbours[a].push(b);
    neighbours[b].push(a);
  }
  const size = look.width;
  const middle = size / 2;
  // A circle is where rings, and all that is like them, come to rest.
  const nodes = neighbours.map((near, id) => {
    const angle = 2 * Math.PI * id / network.nodes - Math.PI / 2;
    return {id, degree: near.length, label: network.nodes <= 40 ? String(id) : '',
      neighbours: near.length <= 12 ? near.join(', ') : `${near.slice(0, 12).join(', ')}, …`,
      x: middle + 0.4 * size * Math.cos(angle), y: middle + 0.4 * size * Math.sin(angle)};
  });
  const degrees = nodes.map((node) => node.degree);
  const [few, many] = look.dark ? ['#56b4e9', '#f0803c'] : ['#0072b2', '#d55e00'];
  const config = lookOf(look.dark);
  const ink = config.legend.labelColor;
  const radius = Math.max(4, Math.min(12, size / (3 * Math.sqrt(network.nodes) + 8)));
  const reach = size / (2 * Math.sqrt(network.nodes));
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    width: size, height: size, padding: 4, background: config.background, config: {font: config.font},
    data: [
      {name: 'edges', values: edges.map(([source, target]) => ({source, target}))},
      {name: 'nodes', values: nodes, transform: [{type: 'force', static: true, iterations: 300, signal: 'force', forces: [
        {force: 'center', x: middle, y: middle}, {force: 'collide', radius: radius + 2},
        {force: 'nbody', strength: -reach},
        {force: 'link', links: 'edges', distance: reach}]},
      {type: 'extent', field: 'x', signal: 'across'}, {type: 'extent', field: 'y', signal: 'down'}]},
    ],
    scales: [
      {name: 'x', type: 'linear', zero: false, domain: {signal: 'across'}, range: [radius + 4, size - radius - 4]},
      {name: 'y', type: 'linear', zero: false, domain: {signal: 'down'}, range: [radius + 4, size - radius - 4]},
      {name: 'degree', type: 'linear', domain: {data: 'nodes', field: 'degree'}, zero: false,
        range: Math.min(...degrees) < Math.max(...degrees) ? [few, many] : [few, few]},
    ],
    marks: [
      {type: 'rule', from: {data: 'edges'}, encode: {update: {stroke: {value: ink},
        strokeOpacity: {value: Math.max(0.08, Math.min(0.5, 60 / edges.length))},
        x: {scale: 'x', field: 'source.x'}, y: {scale: 'y', field: 'source.y'},
        x2: {scale: 'x', field: 'target.x'}, y2: {scale: 'y', field: 'target.y'}}}},
      {type: 'symbol', from: {data: 'nodes'}, encode: {update: {size: {value: 4 * radius * radius},
        fill: {scale: 'degree', field: 'degree'}, stroke: {value: config.background},
        x: {scale: 'x', field: 'x'}, y: {scale: 'y', field: 'y'},
        tooltip: {signal: "{node: datum.id, degree: datum.degree, neighbours: datum.neighbours}"}}}},
      {type: 'text', interactive: false, from: {data: 'nodes'}, encode: {update: {text: {field: 'label'},
        x: {scale: 'x', field: 'x'}, y: {scale: 'y', field: 'y'}, align: {value: 'center'}, baseline: {value: 'middle'},
        fontSize: {value: Math.max(8, radius)}, fill: {value: look.dark ? '#111111' : '#ffffff'}}}},
    ],
  };
}
