// node ribbon_test.mjs PROGRAM PLAYWRIGHT: what was down when, below the figure, in a real browser.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {browserPath, chromium, program} from './browser.mjs';

const patience = {timeout: 120_000};  // a loaded machine is no fault of the page
const folder = mkdtempSync(join(tmpdir(), 'driftless-ribbon-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

const config = `[problem]
dim = 4
[network]
nodes = 5
[algorithm]
kind = "k-gt"
local_rate = 0.01
[run]
rounds = 40
`;
// Node 1 pauses for five rounds, node 3 is lost for ten.
const outages = `round,event,node,peer,value
5,pause,1,,
10,resume,1,,
10,crash,3,,
20,join,3,,
`;

const report = (of, page) => execFileSync(program, ['report', of, '-o', page], {cwd: folder});
function run(name, text) {
  writeFileSync(join(folder, `${name}.toml`), text);
  execFileSync(program, ['run', `${name}.toml`, '--out', name, '--quiet'], {cwd: folder});
  report(name, `${name}.html`);
}
writeFileSync(join(folder, 'outages.csv'), outages);
run('fair', config);
run('foul', `${config}[faults]\ntrace = "outages.csv"\n`);
rmSync(join(folder, 'outages.csv'));
report('foul', 'lost.html');

// The ribbon's lines, and in how many columns of pixels each colour is.
const ribbonOf = (page, colours) => page.evaluate((wanted) => {
  const [{view}] = document.getElementById('weather').views;
  const canvas = document.querySelector('#weather canvas');
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
  const begin = 4 * Math.round(view.origin()[1] + view.padding().top) * canvas.width;  // the legend is above
  const columnsIn = (colour) => {
    const found = new Set();
    for (let k = begin; k < data.length; k += 4) {
      if ([0, 1, 2].every((part) => data[k + part] === parseInt(colour.slice(1 + 2 * part, 3 + 2 * part), 16))) found.add(k / 4 % canvas.width);
    }
    return found.size;
  };
  return {lines: view.scale('y').domain(), colours: wanted.map(columnsIn)};
}, colours);

// Where a plot begins and ends on the page, and its rounds.
const plotOf = (page, place) => page.evaluate((id) => {
  const view = id === 'weather' ? document.getElementById(id).views[0].view : document.getElementById(id).view;
  const begin = document.querySelector(`#${id} canvas`).getBoundingClientRect().x + view.origin()[0] + view.padding().left;
  return {begin, end: begin + view.width(), rounds: view.scale('x').domain()};
}, place);

const browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox'], ...patience});
const complaints = [];
async function open(name, options) {
  const page = await browser.newPage({viewport: {width: 1200, height: 900}, ...options});
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`file://${join(folder, name)}`, patience);
  await page.waitForSelector('body[data-ready]', patience);
  return page;
}

const tests = {
  async 'has a line for each node, and bars as long as the outages'() {
    const page = await open('foul.html', {colorScheme: 'light'});
    const {lines, colours: [paused, lost]} = await ribbonOf(page, ['#e69f00', '#b3261e']);
    assert.deepEqual(lines, ['links', 'node 0', 'node 1', 'node 2', 'node 3', 'node 4']);
    const {begin, end} = await plotOf(page, 'figure');
    const round = (end - begin) / 40;
    assert.ok(Math.abs(paused - 5 * round) < 4, `${paused} pixels of 5 rounds of ${round}`);
    assert.ok(lost > 9 * round && lost < 10 * round + 4, `${lost} pixels of 10 rounds of ${round}, less the mark of the return`);
    assert.match(await page.textContent('#sentence'), /\(ring\), with what outages\.csv tells: 1 run/);
  },

  async 'lies on the scale of a figure over rounds, and else has its own'() {
    const page = await open('foul.html');
    assert.deepEqual(await plotOf(page, 'weather'), await plotOf(page, 'figure'));
    await page.selectOption('select[name="against"]', {label: 'bytes sent by all nodes'});
    await page.waitForFunction(() => document.getElementById('figure').dataset.drawn.includes('bytes_total'), null, patience);
    assert.deepEqual((await plotOf(page, 'weather')).rounds, [0, 40]);
    assert.ok((await plotOf(page, 'figure')).rounds[1] > 1000);
  },

  async 'fits a phone, in colours for the dark'() {
    const page = await open('foul.html', {viewport: {width: 390, height: 844}, colorScheme: 'dark'});
    const [light, dark] = (await ribbonOf(page, ['#b3261e', '#ff5c4d'])).colours;
    assert.ok(light === 0 && dark > 20, `${light} and ${dark} pixels`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  },

  async 'is not there in fair weather'() {
    assert.equal(await (await open('fair.html')).locator('#weather *').count(), 0);
  },

  async 'says why it cannot be shown'() {
    const page = await open('lost.html');
    assert.match(await page.textContent('#weather'), /^What was down cannot be shown: .*outages\.csv: cannot be read/);
    assert.equal(await page.locator('#weather canvas').count(), 0);
  },

  async 'complains of nothing'() {
    assert.deepEqual(complaints, []);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
