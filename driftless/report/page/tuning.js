// What tuning chose, and from what.
'use strict';

// The points of a grid that were chosen for each combination, as the sweep's summary.json tells them.
function tunedTable(tuned) {
  const varied = Object.keys(tuned.combinations[0].varied ?? {});
  const rows = tuned.combinations.map((combination) => {
    const chosen = combination.points.find((point) => point.chosen);
    return [...varied.map((key) => combination.varied[key]),
      ...tuned.keys.map((key) => (combination.chosen ? combination.chosen[key] : 'none was fit')),
      typeof chosen?.score === 'number'
        ? estimateText({mean: chosen.score, half_width: chosen.interval_95, n: chosen.n}, chosen.n, short, shortInterval) : chosen?.score ?? '',
      `${combination.points.length}`,
      combination.at_edge.length ? `${combination.at_edge.map(nameOfKey).join(', ')} at the edge of the grid: a wider one may do better` : ''];
  });
  return table([...varied.map(nameOfKey), ...tuned.keys.map(nameOfKey), tuned.metric, 'points tried', ''], rows);
}

function showTuning() {
  const tunings = data.experiments.filter((experiment) => experiment.tuned);
  byId('tuning-section').hidden = tunings.length === 0;
  byId('tuning').replaceChildren(...tunings.flatMap(({folder, tuned}) => [
    ...(tunings.length > 1 ? [element('h3', {}, folder)] : []),
    element('div', {class: 'scroll'}, tunedTable(tuned)),
    element('p', {class: 'note'}, `Every combination had the same grid, judged by its ${tuned.metric} (${tuned.direction}, ${
      tuned.read}) over ${plural(tuned.repetitions, 'run')} a point, with seeds that the runs above do not use. tune.csv has all points.`),
  ]));
}
