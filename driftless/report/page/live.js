// The page of runs that go on, as `driftless watch` serves it: asks for what is new and shows it, with all that the reader
// has chosen. A page that was saved has nobody to ask, and stays as it is.
'use strict';

const between = 1000;  // milliseconds from an answer to the next question
const mostGoingOn = 8;
let told = performance.now();  // when the newest data came
let isGone = false;  // nobody answers
const chosen = new Set();  // the parts of the choice that the reader has made
let pointed = -Infinity;  // when the pointer last moved over the figure

const isUnfinished = (run) => run.outcome === 'unfinished';

function ago(seconds) {
  const units = [[86400, 'days'], [3600, 'h'], [60, 'min']];
  const [length, name] = units.find(([least]) => seconds >= 2 * least) ?? [1, 's'];
  return `${Math.max(0, Math.round(seconds / length))} ${name} ago`;
}

// "live: 3 runs going on, last row 2 s ago; 4 of 12 have ended"
function stateText() {
  const {planned, seconds_since_row, awaited} = data.live;
  const goingOn = data.runs.filter(isUnfinished).length;
  const ended = data.runs.length - goingOn;
  const waits = awaited.length ? `; waiting for runs in ${awaited.join(', ')}` : '';
  if (ended === planned) return `live: ${ended === 1 ? 'the run has' : `all ${planned} runs have`} ended${waits}`;
  const age = seconds_since_row + (performance.now() - told) / 1000;
  const mayBeKilled = goingOn > 0 && age > 600;
  const lastRow = goingOn > 0 ? `, last row ${ago(age)}` : '';
  const share = planned > 1 ? `; ${ended} of ${planned} have ended` : '';
  return `live: ${plural(goingOn, 'run')} ${mayBeKilled ? 'not ended' : 'going on'}${lastRow}${share}${waits}`;
}

function showState() {
  const goingOn = data.runs.filter(isUnfinished);
  const counted = (rounds) => rounds.toLocaleString('en');
  const lines = goingOn.slice(0, mostGoingOn).map((run) => element('li', {},
    element('progress', {max: run.rounds, value: run.round}), ` ${run.folder}: round ${counted(run.round)} of ${counted(run.rounds)}`));
  if (goingOn.length > mostGoingOn) lines.push(element('li', {}, `and ${plural(goingOn.length - mostGoingOn, 'more run')}`));
  const state = isGone
    ? element('p', {class: 'bad'}, 'The program that served this page has ended. This is the last that it told.')
    : element('p', {}, stateText());
  byId('live').replaceChildren(state, ...(isGone ? [] : [element('ul', {}, ...lines)]),
    ...data.live.faults.map((fault) => element('p', {class: 'bad'}, fault)));
}

// What the reader has not chosen is as it would be on a new page.
function renewChoice() {
  for (const [name, value] of Object.entries(firstChoice(data))) if (!chosen.has(name)) choice[name] = value;
  if (!chosen.has('log')) choice.log = data.choice.log ?? suitsLog(data, choice.metric);
}

// Shows parts of the page anew that may have been opened and scrolled.
function inPlace(show) {
  const opened = [...document.querySelectorAll('#provenance details')].map((details) => details.open);
  const scrolled = [...document.querySelectorAll('.scroll')].map((box) => [box.scrollLeft, box.scrollTop]);
  const top = window.scrollY;
  show();
  document.querySelectorAll('#provenance details').forEach((details, k) => { details.open = opened[k] ?? false; });
  document.querySelectorAll('.scroll').forEach((box, k) => { [box.scrollLeft, box.scrollTop] = scrolled[k] ?? [0, 0]; });
  window.scrollTo({top, behavior: 'instant'});
}

const optionsOf = (of) => JSON.stringify([of.keys, of.axes, of.groups.map((group) => group.values), shownColumns(of, false), shownColumns(of, true)]);

function take(fresh) {
  told = performance.now();
  if (!fresh.groups) {  // the folder is gone, or its runs begin again
    data.live = fresh.live;
    return;
  }
  const before = data;
  data = fresh;
  renewChoice();
  inPlace(() => {
    showWords();
    if (optionsOf(before) !== optionsOf(data)) showChoices();
    showSummary();
    showProvenance();
  });
  const differs = (name) => JSON.stringify(before[name]) !== JSON.stringify(data[name]);
  if (differs('experiments')) showTuning();
  if (differs('networks') || differs('splits')) showNetworks();
  figureWaits = true;
}

// A reader who points at the figure is reading it.
let figureWaits = false;
function showFigureUnlessRead() {
  if (!figureWaits || performance.now() - pointed < 3000 || document.querySelector('#figure details[open]')) return;
  figureWaits = false;
  showFigure();
}

async function ask() {
  try {
    const answer = await fetch(`data?known=${data.live.version}`, {cache: 'no-store'});
    if (answer.status === 200) take(await answer.json());
    isGone = !answer.ok;
  } catch {
    isGone = true;
  }
  showState();
  showFigureUnlessRead();
  setTimeout(ask, between);
}

function live() {
  byId('sentence').after(element('div', {id: 'live'}));
  byId('figure').addEventListener('pointermove', () => { pointed = performance.now(); });
  byId('figure').addEventListener('pointerleave', () => { pointed = -Infinity; });
  // The page's own listeners come between these two.
  let before;
  byId('choices').addEventListener('change', () => { before = structuredClone(choice); }, {capture: true});
  byId('choices').addEventListener('change', () => {
    for (const name of Object.keys(choice))
      if (JSON.stringify(choice[name]) !== JSON.stringify(before[name])) chosen.add(name);
  });
  showState();
  setTimeout(ask, between);
}
if (data.live && window.location.protocol === 'http:') live();
