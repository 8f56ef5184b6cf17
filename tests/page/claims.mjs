// Tests of the page's scripts under node, without a browser.
import {readFileSync} from 'node:fs';

// The named functions of these scripts of the page.
export function fromScripts(names, functions) {
  const scripts = names.map((name) => readFileSync(new URL(`../../driftless/report/page/${name}.js`, import.meta.url), 'utf8'));
  return new Function(`${scripts.join('\n')}\nreturn {${functions.join(', ')}};`)();
}

// Runs each test, which is named by what it claims, and ends the program.
export function hold(tests) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      test();
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  process.exit(failed ? 1 : 0);
}
