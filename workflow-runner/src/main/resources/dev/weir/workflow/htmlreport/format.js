'use strict';
// Words and numbers.

const NARROW = '\u202f';

function bytes(n) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (n >= 999.5 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return (unit === 0 || n >= 100 ? n.toFixed(0) : n.toPrecision(3)) + NARROW + units[unit];
}

function seconds(s) {
  if (s < 0.0005) {
    return '0' + NARROW + 's';
  }
  if (s >= 120) {
    const minutes = Math.floor(s / 60);
    return minutes >= 60
        ? Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min'
        : minutes + ' min ' + Math.round(s - 60 * minutes) + ' s';
  }
  return (s >= 100 ? s.toFixed(0) : s >= 10 ? s.toFixed(1) : s.toFixed(s >= 1 ? 2 : 3)) + NARROW + 's';
}

function percent(share) {
  const text = share > 0.999 && share < 1 ? '> 99.9' : (100 * share).toFixed(share >= 1 ? 0 : 1);
  return text + NARROW + '%';
}

const count = (n) => Math.round(n).toLocaleString('en');

const plural = (n, word) => count(n) + ' ' + word + (n === 1 ? '' : 's');

const sum = (list, value) => list.reduce((total, item) => total + value(item), 0);

// Math.max(...list) fails for a hundred thousand values.
const most = (list, value) => list.reduce((max, item) => Math.max(max, value(item)), 0);

const sorted = (values) => Float64Array.from(values).sort();

function quantile(values, share) {
  return values.length === 0 ? 0 : values[Math.min(values.length - 1, Math.floor(share * values.length))];
}
