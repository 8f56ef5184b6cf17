// Numbers as the page writes them.
'use strict';

const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

function readableBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.length) {
    bytes /= 1000;
    ++unit;
  }
  return `${Number(bytes.toPrecision(3))} ${units[unit]}`;
}
const whole = (value) => Math.round(value).toLocaleString('en');
const short = (value, digits = 3) => (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e4)
  ? value.toExponential(digits - 1) : value.toPrecision(digits));
// An interval with the decimals of its mean.
function shortInterval(value, mean) {
  const text = short(mean);
  return text.includes('e') ? short(value, 2) : value.toFixed(text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
}
const threeDecimals = (value) => value.toFixed(3);

// "51 ± 3", with the number of repetitions where it is not that of the line.
function estimateText(estimate, runs, text, intervalText = text) {
  if (!estimate) return '';
  const interval = estimate.half_width === null ? '' : ` ± ${intervalText(estimate.half_width, estimate.mean)}`;
  const count = estimate.n === runs ? '' : ` (in ${estimate.n} of ${runs})`;
  return text(estimate.mean) + interval + count;
}
