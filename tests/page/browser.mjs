// node TEST PROGRAM PLAYWRIGHT: the program under test and a real browser. Without one the test is skipped, and says so.
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';

export const [program, playwright] = process.argv.slice(2);
export const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(browserPath)) {
  console.log(`skipped: no browser at ${browserPath}; apt-get install chromium, or set CHROMIUM`);
  process.exit(77);
}
export const {chromium} = createRequire(import.meta.url)(playwright);
