// The page's own life. All text enters it as text, never as markup.
'use strict';

let data = JSON.parse(document.getElementById('data').textContent);
takeLabels(data.labels);
const choice = firstChoice(data);
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') made.className = value;
    else if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made[name] = value;
  }
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

function table(titles, rows) {
  const line = (tag, texts) => element('tr', {}, ...texts.map((text) => element(tag, {}, text)));
  return element('table', {}, element('thead', {}, line('th', titles)), element('tbody', {}, ...rows.map((row) => line('td', row))));
}

const isDark = () => document.documentElement.classList.contains('dark');

// ---- the figure

function select(title, options, chosen, onChange) {
  const list = element('select', {onchange: (event) => onChange(options[event.target.selectedIndex][0])},
    ...options.map(([value, text]) => element('option', {selected: value === chosen}, text)));
  list.name = title;
  return element('label', {}, title, list);
}

function showChoices() {
  const set = (name) => (value) => {
    choice[name] = value;
    if (name === 'metric') choice.log = suitsLog(data, value);
    if (name === 'lines' && choice.panels === value) choice.panels = null;
    for (const key of [choice.lines, choice.panels]) delete choice.only[key];
    showChoices();
    showFigure();
  };
  const many = data.axes.filter((key) => valuesOf(data, key).length > 1);
  const controls = [
    select('show', shownColumns(data, false).map((name) => [name, titleOf(name)]), choice.metric, set('metric')),
    select('against', shownColumns(data, true).map((name) => [name, titleOf(name)]), choice.against, set('against')),
  ];
  if (many.length > 1) {
    controls.push(select('a line for each', many.map((key) => [key, nameOfKey(key)]), choice.lines, set('lines')));
    const others = many.filter((key) => key !== choice.lines).map((key) => [key, nameOfKey(key)]);
    const all = others.length > 1 ? [['all', 'all others']] : [];
    controls.push(select('a panel for each', [[null, 'none'], ...others, ...all], choice.panels, set('panels')));
  }
  for (const key of many) {
    if (key === choice.lines || key === choice.panels) continue;
    const values = [[undefined, 'all'], ...valuesOf(data, key).map((value) => [value, nameOfValue(data, key, value)])];
    controls.push(select(nameOfKey(key), values, choice.only[key], (value) => {
      if (value === undefined) delete choice.only[key];
      else choice.only[key] = value;
      showFigure();
    }));
  }
  controls.push(element('label', {class: 'check'},
    element('input', {type: 'checkbox', name: 'log', checked: choice.log, onchange: (event) => {
      choice.log = event.target.checked;
      showFigure();
    }}), 'log scale'));
  byId('choices').replaceChildren(...controls);
}

const embedding = (name) => ({renderer: 'canvas', downloadFileName: name, tooltip: {theme: isDark() ? 'dark' : 'light'},
  actions: {export: {svg: true, png: true}, source: false, compiled: false, editor: false}});

// The lines that a click in the legend has hidden, for as long as the same key tells lines apart.
function hiddenLines(place) {
  if (place.drawnLines?.of !== choice.lines) return new Set();
  const shown = new Set(place.view.data('shown_store').map((entry) => entry.values[0]));
  return new Set(place.drawnLines.names.filter((name) => !shown.has(name)));
}

// No line ends within D-SGD, nor within 3.0e-5.
const unbroken = (text) => text.split(/(\S*-\S*)/).map((part) => (part.includes('-') ? element('span', {class: 'unbroken'}, part) : part));

let drawing = Promise.resolve();
function showFigure() {
  drawing = drawing.then(async () => {
    const place = byId('figure');
    const spec = figureSpec(data, choice, {width: place.clientWidth - 20, height: place.clientWidth < 600 ? 300 : 400,
      dark: isDark(), interactive: true, hidden: hiddenLines(place)});
    place.dataset.drawn = '';
    place.finalize?.();
    if (spec) {
      // Out of sight until it is drawn: the figure before it stays there meanwhile.
      const picture = element('div', {class: 'unseen'});
      place.append(picture);
      ({view: place.view, finalize: place.finalize} = await vegaEmbed(picture, spec, embedding(`${choice.metric}-${choice.against}`)));
      picture.classList.remove('unseen');
      place.replaceChildren(picture);
      place.drawnLines = {of: choice.lines, names: spec.usermeta.lines};
    } else {
      place.replaceChildren(element('p', {class: 'note'}, 'No run has numbers for this choice.'));
    }
    const overRounds = spec && !spec.concat && choice.against === 'round';
    await showWeather(overRounds ? {left: place.view.origin()[0] + place.view.padding().left, width: spec.width,
      domain: spec.layer[0].encoding.x.scale.domain} : null);
    place.dataset.drawn = `${choice.metric} ${choice.against} ${choice.log}`;
    byId('figure-note').textContent = figureNote();
    byId('story').replaceChildren(...story(data, choice).map(({panel, text}) =>
      element('p', {}, ...(panel ? [element('strong', {}, `${panel}: `)] : []), ...unbroken(text))));
  });
  return drawing;
}

function figureNote() {
  const shown = data.groups.filter((group) => isShown(data, group, choice));
  const {meaning} = columnOf(data, choice.metric);
  const {rows, drawn, departure} = data.thinned;
  const most = rowsForEach(data, choice);
  const single = shown.some((group) => group.single);
  const few = shown.some((group) => !group.single && group.curve.least && !group.curve.half_width);
  const many = shown.some((group) => group.curve.half_width);
  return [
    `${choice.metric}: ${meaning}.`,
    single && 'A thin line is a run, and a thick one the mean of runs that differ in their seed alone; it ends where the first of them ends.',
    few && 'A line is the mean of runs that differ in their seed alone, its band reaches from the least of them to the greatest; there are too many runs here to draw each.',
    many && 'A line is the mean over the repetitions, its band the 95 % interval of the mean (Student’s t); it ends where the first repetition ends.',
    data.runs.some((run) => run.outcome === 'diverged') && 'A cross marks where runs diverged.',
    choice.log && `On the log scale values that are not positive are left out${many || few ? ', and bands are cut at a tenth of the mean' : ''}.`,
    (many || few) && 'Wide bands may leave the picture.',
    drawn < rows && `Of ${rows.toLocaleString('en')} rows ${drawn.toLocaleString('en')} are drawn; the others lie within ${
      Math.max(0.1, 100 * departure).toPrecision(2)} % of a line’s height.`,
    shown.some((group) => group.curve.ranks.length > most)
      && `With so many lines at once, each has the ${most} of these rows that it needs most: choose fewer lines for all of them.`,
    'Click a name in the legend to hide or show its lines; the menu at the right saves SVG or PNG.',
  ].filter(Boolean).join(' ');
}

// ---- the network and the data

// A place for a picture, with words below it.
function pictureIn(place, text) {
  const picture = element('div', {});
  place.append(element('figure', {}, picture, element('figcaption', {}, text)));
  return picture;
}

async function showNetworks() {
  const {count, drawn} = data.splits;
  byId('networks-section').hidden = data.networks.length + count === 0;
  byId('networks-title').textContent = count ? 'Network and data' : 'Network';
  const place = byId('networks');
  place.replaceChildren();
  const room = place.clientWidth - 20;
  for (const network of data.networks.slice(0, 12)) {
    const picture = pictureIn(place, networkText(network));
    if (network.edge_list) {
      await vegaEmbed(picture, networkSpec(network, {width: Math.min(300, room), dark: isDark()}), embedding('network'));
    } else if (network.edges > 0) {
      picture.append(element('p', {class: 'note'}, 'Too many nodes to draw.'));
    }
  }
  for (const split of drawn) {
    await vegaEmbed(pictureIn(place, splitText(split)), splitSpec(split, {width: Math.min(560, room - 70), dark: isDark()}), embedding('split'));
  }
  const more = [[data.networks.length - 12, 'more network'], [count - drawn.length, 'more split']].filter(([left]) => left > 0);
  if (more.length) place.append(element('p', {class: 'note'}, `and ${more.map(([left, what]) => plural(left, what)).join(' and ')}`));
}

// ---- light and dark

function setTheme(dark) {
  document.documentElement.classList.toggle('dark', dark);
  byId('theme').textContent = dark ? 'light' : 'dark';
}

async function draw() {
  await showFigure();
  await showTuning();
  await showNetworks();
  document.body.dataset.ready = 'true';
}

setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches);
byId('theme').addEventListener('click', () => {
  setTheme(!isDark());
  draw();
});
let width = window.innerWidth;
window.addEventListener('resize', () => {
  if (window.innerWidth === width) return;  // a phone's address bar comes and goes
  width = window.innerWidth;
  clearTimeout(window.redraw);
  window.redraw = setTimeout(draw, 150);
});
showWords();
showChoices();
showSummary();
showProvenance();
draw();
