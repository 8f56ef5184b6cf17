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
const short = (value, digits = 3) => (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e4)
  ? value.toExponential(digits - 1) : value.toPrecision(digits));
