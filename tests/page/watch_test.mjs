// node watch_test.mjs PROGRAM PLAYWRIGHT: watches a run that goes on, in a real browser.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {browserPath, chromium, program} from './browser.mjs';

const patience = {timeout: 60_000};  // a loaded machine is no fault of the page

const folder = mkdtempSync(join(tmpdir(), 'driftless-watch-'));
const started = [];
process.on('exit', () => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  rmSync(folder, {recursive: true, force: true});
});
// The runs end when they are told to, however fast the machine is.
writeFileSync(join(folder, 'config.toml'), `
[problem]
dim = 20
[algorithm]
local_rate = 1e-6
[run]
rounds = 1000000000
evaluate_every = 2000
[sweep]
"algorithm.kind" = ["k-gt", "d-sgd"]
`);

function start(...words) {
  const child = spawn(program, words, {cwd: folder, stdio: ['ignore', 'pipe', 'ignore']});
  started.push(child);
  return child;
}

async function startWatch() {
  const watch = start('watch', 'out', '--port', '0', '--metric', 'loss');
  let told = '';
  for await (const text of watch.stdout) {
    told += text;
    if (told.includes('waiting for one\n')) break;
  }
  return {watch, address: told.match(/http:\S+/)[0]};
}

async function end(child, signal) {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

const {watch, address} = await startWatch();
const browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox'], ...patience});
const page = await browser.newPage({viewport: {width: 1000, height: 700}});
const complaints = [];
page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
page.on('pageerror', (error) => complaints.push(error.message));
let run;

const becomes = (test, wanted) => page.waitForFunction(test, wanted, patience);
const says = (text) => becomes((wanted) => document.getElementById('live')?.textContent.includes(wanted), text);
// The last round in the picture. How many rows it has tells nothing: those of a long run are thinned.
const drawnRound = () => page.evaluate(() => Math.max(...document.getElementById('figure').view.data('source_0').map((row) => row.x)));
const drawsBeyond = (round) =>
    becomes((known) => document.getElementById('figure').view?.data('source_0').some((row) => row.x > known), round);

const steps = {
  async 'waits for a run that has not begun, and shows it when it has'() {
    await page.goto(address, patience);
    await says('out holds no run yet.');
    run = start('run', 'config.toml', '--out', 'out', '--quiet', '--threads', '2');
    await page.waitForSelector('body[data-ready]', patience);
    await says('live: 2 runs going on, last row ');
    await says('out/kind=d-sgd: round ');
  },

  async 'draws the rows that arrive'() {
    await drawsBeyond(await drawnRound());
    await drawsBeyond(await drawnRound());
  },

  async 'keeps what the reader has chosen'() {
    await page.selectOption('select[name="show"]', {label: 'consensus distance'});
    await page.uncheck('input[name="log"]');
    await page.click('#theme');
    await page.locator('#provenance summary').last().click();
    await page.evaluate(() => window.scrollTo({top: 150, behavior: 'instant'}));
    await becomes(() => document.getElementById('figure').dataset.drawn === 'consensus round false');
    const round = await drawnRound();
    const dark = await page.evaluate(() => isDark());
    await drawsBeyond(round);
    assert.equal(await page.evaluate(() => choice.metric), 'consensus');
    assert.equal(await page.evaluate(() => document.getElementById('figure').dataset.drawn), 'consensus round false');
    assert.equal(await page.locator('select[name="show"] option:checked').textContent(), 'consensus distance');
    assert.equal(await page.evaluate(() => isDark()), dark);
    assert.ok(await page.evaluate(() => [...document.querySelectorAll('#provenance details')].pop().open));
    assert.equal(await page.evaluate(() => window.scrollY), 150);
  },

  async 'keeps lines hidden that were hidden in the legend'() {
    const isHidden = () => document.getElementById('figure').view.data('shown_store').map((entry) => entry.values[0]).join() === 'k-gt';
    await page.evaluate(async () => {
      await drawing;  // or the click would fall on a figure that is being replaced
      const change = vega.changeset().remove((entry) => entry.values[0] === 'd-sgd');
      await document.getElementById('figure').view.change('shown_store', change).runAsync();
    });
    assert.ok(await page.evaluate(isHidden));
    await drawsBeyond(await drawnRound());
    assert.ok(await page.evaluate(isHidden));
  },

  async 'leaves the figure alone while the pointer is in it'() {
    const box = await page.locator('#figure').boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    const round = await drawnRound();
    const told = await page.evaluate(() => data.live.version);
    await becomes((version) => data.live.version !== version, told);
    assert.equal(await drawnRound(), round);
    await page.mouse.move(1, 1);
    await drawsBeyond(round);
  },

  async 'tells the end of the runs'() {
    await end(run, 'SIGINT');
    await says('live: all 2 runs have ended');
    assert.equal(await page.locator('#live progress').count(), 0);
    await becomes(() => document.getElementById('summary').textContent.includes('interrupted'));
  },

  async 'asks nobody else, and complains of nothing'() {
    assert.deepEqual(complaints, []);
  },

  async 'tells that the program has ended'() {
    assert.equal(await end(watch, 'SIGTERM'), 0);
    await says('The program that served this page has ended.');
  },
};

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack}\nthe page complains of: ${complaints.join('; ') || 'nothing'}`);
    break;  // the others go on from here
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
