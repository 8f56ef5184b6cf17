// node page_test.mjs PROGRAM PLAYWRIGHT: makes a report and reads it in a real browser, from file://.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {browserPath, chromium, program} from './browser.mjs';

const patience = {timeout: 120_000};  // a loaded machine is no fault of the page

// Text that would break out of a script, an attribute or a tag, as the path of a file and in a comment.
const hostile = `<img src=x onerror="document.title='broken'">'\\u0022 ünï`;
const config = `# </script>${hostile}
[problem]
file = '''evil</script><img src=x onerror=hurt()>"ü.json'''
noise = 0.1
[network]
topology = "ring"
[algorithm]
kind = "k-gt"
local_rate = 0.02
[run]
rounds = 30
repetitions = 3
target = 0.5
[[sweep]]
"algorithm.kind" = ["k-gt", "d-sgd", "led"]
"algorithm.local_steps" = [1, 4]
[[sweep]]
"algorithm.kind" = "d-sgd"
"algorithm.local_steps" = 4
"algorithm.local_rate" = 1e9
`;

const folder = mkdtempSync(join(tmpdir(), 'driftless-page-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

// A tuned experiment on samples: it has a split to draw, and points of a grid that diverge.
const learning = `[problem]
kind = "softmax"
data = "points.svm"
split = "dirichlet"
batch = 4
[network]
nodes = 4
[run]
rounds = 10
repetitions = 5
[sweep]
"algorithm.kind" = ["k-gt", "led"]
[tune]
"algorithm.local_rate" = [1e308, 0.1, 0.01]
metric = "loss"
`;

function makeReport() {
  mkdirSync(join(folder, 'evil<'));
  const nodes = [0, 1, 2, 3, 4];
  writeFileSync(join(folder, 'evil<', 'script><img src=x onerror=hurt()>"ü.json'), JSON.stringify(
    {A: nodes.map((i) => [[1 + i, 0], [0, 2]]), b: nodes.map((i) => [i, -i])}));
  writeFileSync(join(folder, 'config.toml'), config);
  const run = spawnSync(program, ['run', 'config.toml', '--out', 'out', '--quiet'], {cwd: folder, encoding: 'utf8'});
  assert.equal(run.status, 1, run.stderr);  // one of the methods diverges
  execFileSync(program, ['report', 'out', '-o', 'page.html'], {cwd: folder});
  const samples = Array.from({length: 60}, (_, k) => `${k % 3} 1:${Math.sin(k)} ${2 + k % 3}:1`);
  writeFileSync(join(folder, 'points.svm'), `${samples.join('\n')}\n`);
  writeFileSync(join(folder, 'learning.toml'), learning);
  execFileSync(program, ['run', 'learning.toml', '--out', 'learning', '--quiet'], {cwd: folder});
  execFileSync(program, ['report', 'learning', '-o', 'learning.html'], {cwd: folder});
}

// The middle of each symbol of the legend, in pixels of the page.
const legendSymbols = () => {
  const found = [];
  const walk = (mark, x, y) => {
    for (const item of mark.items) {
      if (mark.role === 'legend-symbol') found.push({x: x + item.x, y: y + item.y});
      for (const inner of item.items ?? []) if (inner.items) walk(inner, x + (item.x ?? 0), y + (item.y ?? 0));
    }
  };
  const view = document.getElementById('figure').view;
  walk(view.scenegraph().root, ...view.origin());
  const box = document.querySelector('#figure canvas').getBoundingClientRect();
  return found.map((symbol) => ({x: box.x + symbol.x, y: box.y + symbol.y}));
};

// How many pixels of each canvas are neither grey nor paper: lines and nodes.
const colouredPixels = () => [...document.querySelectorAll('canvas')].map((canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let k = 0; k < data.length; k += 4) {
    const [red, green, blue] = data.subarray(k, k + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) ++count;
  }
  return count;
});

const drawn = (page, text) => page.waitForFunction(
  (wanted) => document.getElementById('figure').dataset.drawn.startsWith(wanted), text, patience);
const ready = (page) => page.waitForSelector('body[data-ready]', patience);

async function open(browser, options, file = 'page.html') {
  const page = await browser.newPage(options);
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`file://${join(folder, file)}`, patience);
  await ready(page);
  return {page, complaints};
}

const tests = {
  async 'draws every metric against every cost, and complains of nothing'({page, complaints}) {
    const options = (name) => page.locator(`select[name="${name}"] option`).allTextContents();
    const column = (name) => page.evaluate((wanted) => [wanted].map(() => Object.keys(TITLES).find((key) => TITLES[key] === wanted))[0], name);
    const metrics = await options('show');
    const costs = await options('against');
    assert.ok(metrics.length >= 5 && costs.length >= 5, `${metrics} / ${costs}`);
    for (const metric of metrics) {
      await page.selectOption('select[name="show"]', {label: metric});
      for (const cost of metric === metrics[0] ? costs : costs.slice(-1)) {
        await page.selectOption('select[name="against"]', {label: cost});
        await drawn(page, `${await column(metric)} ${await column(cost)}`);
        const [figure] = await page.evaluate(colouredPixels);
        assert.ok(figure > 500, `${metric} against ${cost}: ${figure} coloured pixels`);
      }
    }
    assert.deepEqual(complaints, []);
  },

  async 'has a panel for each combination of the other keys, and for one key alone'({page}) {
    const panels = () => page.evaluate(() => [...new Set(figureRows(data, choice).map((row) => row.panel))].sort());
    assert.deepEqual(await panels(), ['local_steps = 1, local_rate = 0.02', 'local_steps = 4, local_rate = 0.02',
      'local_steps = 4, local_rate = 1000000000']);
    await page.selectOption('select[name="a panel for each"]', {label: 'local_steps'});
    assert.deepEqual(await panels(), ['local_steps = 1', 'local_steps = 4']);
    await page.selectOption('select[name="a panel for each"]', {label: 'all others'});
  },

  async 'says what is seen, of the figure that is shown'({page}) {
    const told = () => page.locator('#story p').allTextContents();
    await page.selectOption('select[name="show"]', {label: 'loss f(x̄)'});
    await page.selectOption('select[name="against"]', {label: 'communication rounds'});
    await drawn(page, 'loss round');
    assert.equal((await told()).length, 3);  // a paragraph for each panel
    assert.match((await told())[0], /^local_steps = 1, local_rate = 0\.02: After 30 rounds the loss is \S+ with (K-GT|D-SGD|LED)/);
    assert.equal((await told())[2], 'local_steps = 4, local_rate = 1000000000: All 3 runs of D-SGD diverged.');
    await page.selectOption('select[name="show"]', {label: 'consensus distance'});
    await drawn(page, 'consensus');
    assert.match((await told())[0], /the consensus distance is/);
  },

  async 'draws few runs one by one, and names methods as papers do'({page}) {
    const lines = await page.evaluate(() => new Set(figureRows(data, choice).filter((row) => row.of === 'run').map((row) => row.id)).size);
    assert.equal(lines, 7 * 3);
    assert.match(await page.textContent('#summary'), /K-GT.*D-SGD.*LED/);
    assert.match(await page.textContent('#figure-note'), /A thin line is a run/);
  },

  async 'draws the network and says p'({page}) {
    const pixels = await page.evaluate(colouredPixels);
    assert.equal(pixels.length, 2);
    assert.ok(pixels[1] > 300, `${pixels}`);
    assert.match(await page.textContent('#networks figcaption'), /ring, 5 nodes, 5 edges; degree at most 2.*p = 0\.\d+/);
  },

  async 'shows hostile text as text'({page}) {
    assert.match(await page.title(), /^out – Driftless report$/);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.textContent('pre'), config);
    const settings = await page.locator('details table').first().textContent();
    assert.ok(settings.includes('evil</script><img src=x onerror=hurt()>"ü.json'), settings);
  },

  async 'marks the runs that diverged, and tells what was not reached'({page}) {
    const rows = await page.locator('#summary tbody tr').allTextContents();
    assert.equal(rows.length, 7);
    assert.equal(rows.filter((row) => row.includes('diverged')).length, 1);
    assert.ok(rows.filter((row) => row.includes('diverged'))[0].includes('not reached'));
    assert.equal(await page.locator('#summary td.bad').count(), 1);
    assert.equal(await page.locator('#failures li').count(), 3);  // a diagnosis for each run
  },

  async 'hides and shows a line by its name in the legend'({page}) {
    const becomes = (count) => page.waitForFunction((wanted) => {
      const stored = document.getElementById('figure').view.data('shown_store');
      return new Set(stored.map((entry) => entry.values[0])).size === wanted;
    }, count, patience);
    await becomes(3);
    for (const count of [2, 3]) {
      const [first] = await page.evaluate(legendSymbols);
      await page.mouse.click(first.x, first.y);
      await becomes(count);
    }
  },

  async 'tells the values under the pointer'({page}) {
    const box = await page.locator('#figure canvas').boundingBox();
    for (const step of [0, 1, 2]) await page.mouse.move(box.x + 250 + 5 * step, box.y + 150 + 5 * step);
    await page.waitForSelector('#vg-tooltip-element.visible', patience);
    assert.match(await page.textContent('#vg-tooltip-element'), /method.*mean.*runs from.* to .*n3/s);
  },

  async 'saves SVG and PNG'({page}) {
    for (const format of ['SVG', 'PNG']) {
      await page.evaluate(() => { document.querySelector('#figure details').open = true; });
      const [download] = await Promise.all([page.waitForEvent('download', patience),
        page.locator('#figure').getByText(`Save as ${format}`).click()]);
      const saved = readFileSync(await download.path());
      assert.ok(saved.includes(format === 'SVG' ? '<svg' : 'PNG') && saved.length > 5000, `${saved.length} bytes`);
    }
  },

  async 'switches between light and dark'({page}) {
    const paper = () => page.evaluate(() => getComputedStyle(document.querySelector('section')).backgroundColor);
    const light = await paper();
    await page.click('#theme');
    await ready(page);
    assert.notEqual(await paper(), light);
    await page.click('#theme');
    assert.equal(await paper(), light);
  },
};

makeReport();
const browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox'], ...patience});
let failed = 0;
const check = async (name, test) => {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
};
const opened = await open(browser, {viewport: {width: 1200, height: 900}, colorScheme: 'light', acceptDownloads: true});
for (const [name, test] of Object.entries(tests)) await check(name, () => test(opened));
await check('complains of nothing to the end', () => assert.deepEqual(opened.complaints, []));
await check('draws the split of the data, the tuning, and bands where runs are enough', async () => {
  const {page, complaints} = await open(browser, {viewport: {width: 1200, height: 900}, colorScheme: 'dark'}, 'learning.html');
  assert.match(await page.textContent('#networks'), /points\.svm, dirichlet, alpha 0\.1, seed 1: 4 nodes with .* samples each, of .* of 3 classes/);
  assert.match(await page.textContent('#networks'), /and 1 more split$/);
  assert.equal(await page.locator('#tuning canvas').count(), 1);
  const points = await page.evaluate(() => tunedRows(data.experiments[0].tuned, 'algorithm.local_rate'));
  assert.deepEqual(points.map((point) => point.failed), ['diverged', undefined, undefined, 'diverged', undefined, undefined]);
  assert.equal(points.filter((point) => point.chosen).length, 2);
  for (const pixels of await page.evaluate(colouredPixels)) assert.ok(pixels > 200, `${pixels}`);
  const rows = await page.evaluate(() => figureRows(data, choice));
  assert.ok(rows.every((row) => row.of === 'mean' && row.low >= 0));
  assert.deepEqual(complaints, []);
});
await check('fits a phone, dark as the phone is', async () => {
  const {page, complaints} = await open(browser, {viewport: {width: 390, height: 844}, colorScheme: 'dark'});
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `${width} pixels wide`);
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains('dark')));
  assert.deepEqual(complaints, []);
});
await browser.close();
process.exit(failed ? 1 : 0);
