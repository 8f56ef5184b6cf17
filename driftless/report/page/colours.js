// The look of a line. A method has the same colour and dashes on every page and figure, whatever else is shown.
'use strict';

// Okabe and Ito's colours, which also colour-blind readers tell apart; then the same again with dashes.
const COLOURS = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a8000', '#555555'],
  dark: ['#56b4e9', '#f0803c', '#2fc69a', '#e29cc4', '#f2b134', '#9fd4f5', '#f0e442', '#bbbbbb'],
};
const DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]];
// Numbers are read in their order, so their colours go from light to heavy.
const RAMPS = {
  light: ['#f0a030', '#de5f4c', '#b0307f', '#6a1fa0', '#1b1180'],
  dark: ['#8f8cff', '#c06bd6', '#e8677a', '#f9a03f', '#f7e34a'],
};

// The colour at a place from 0 to 1.
function onRamp(ramp, place) {
  const at = place * (ramp.length - 1);
  const from = Math.min(Math.floor(at), ramp.length - 2);
  const part = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mixed = [0, 1, 2].map((k) => Math.round(part(ramp[from], k) * (from + 1 - at) + part(ramp[from + 1], k) * (at - from)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

// {colour, dash} of each value of a key. Methods go by their place in the program's list of them; those that it does not
// know come after.
function lineLooks(data, key, dark, values = valuesOf(data, key)) {
  const theme = dark ? 'dark' : 'light';
  const known = key === 'algorithm.kind' ? Object.keys(data.titles[key]) : [];
  const all = [...known, ...values.filter((value) => !known.includes(value))];
  const numbers = values.filter((value) => value !== NO_VALUE);
  const ordered = numbers.length > 1 && numbers.every((value) => Number.isFinite(Number(value)));
  const asked = data.choice?.colours ?? {};
  const look = (value) => {
    if (asked[value]) return {colour: asked[value], dash: DASHES[0]};
    if (ordered && value !== NO_VALUE) {
      return {colour: onRamp(RAMPS[theme], numbers.indexOf(value) / (numbers.length - 1)), dash: DASHES[0]};
    }
    const [colours, place] = [COLOURS[theme], all.indexOf(value)];
    return {colour: colours[place % colours.length], dash: DASHES[Math.floor(place / colours.length) % DASHES.length]};
  };
  return new Map(values.map((value) => [value, look(value)]));
}
