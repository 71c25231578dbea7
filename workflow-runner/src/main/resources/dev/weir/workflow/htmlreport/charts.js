// Pictures: series over time, heat maps, histograms, bars. Each has a text for screen readers.

const TICKS = [1, 2, 5];

function ticks(max, wanted) {
  const rough = max / wanted;
  const power = Math.pow(10, Math.floor(Math.log10(rough || 1)));
  const step = power * (TICKS.find((tick) => tick * power >= rough) || 10);
  const list = [];
  for (let value = 0; value <= max * 1.0001; value += step) {
    list.push(value);
  }
  return list;
}

/** Lines over time, with an axis each way. */
function lineChart(title, series, span, format) {
  const max = most(series, (line) => most(line.values, (v) => v));
  const figure = h('figure', {}, h('figcaption', {}, title,
      h('ul', {class: 'legend'}, series.map((line) => h('li', {}, swatch(line.colour), line.label)))));
  const box = h('div', {class: 'chart'});
  figure.append(box);
  onWidth(box, (width) => {
    const height = 150;
    const left = 64;
    const area = {width: Math.max(40, width - left - 12), height: height - 30};
    const x = (i, n) => left + area.width * i / (n - 1);
    const y = (value) => 8 + area.height * (1 - value / (max || 1));
    const chart = picture(width, height, title + ': ' + series.map((line) => line.label + ' at most '
        + format(most(line.values, (v) => v))).join(', '));
    ticks(max, 3).forEach((value) => chart.append(
        svg('line', {class: 'grid', x1: left, x2: left + area.width, y1: y(value), y2: y(value)}),
        svg('text', {class: 'axis', x: left - 6, y: y(value) + 4, 'text-anchor': 'end'}, format(value))));
    timeTicks(chart, span, left, area.width, height - 6);
    series.forEach((line) => chart.append(svg('polyline', {class: 'line',
      style: 'stroke:var(--' + line.colour + ')',
      points: line.values.map((v, i) => (v === null ? '' : x(i, line.values.length).toFixed(1) + ',' + y(v).toFixed(1))).join(' ')})));
    box.replaceChildren(chart);
  });
  return figure;
}

function timeTicks(chart, span, left, width, y) {
  ticks(span, Math.max(2, Math.floor(width / 110))).forEach((time) => {
    const x = left + width * time / span;
    chart.append(svg('text', {class: 'axis', x, y,
      'text-anchor': x > left + width - 20 ? 'end' : time === 0 ? 'start' : 'middle'}, seconds(time)));
  });
}

/** A row for each name, a column for each moment; darker is more. */
function heatMap(title, rows, span, format) {
  const max = most(rows, (row) => most(row.values, (v) => v));
  const figure = h('figure', {}, h('figcaption', {}, title, h('span', {class: 'soft'},
      'darkest: ' + format(max))));
  const box = h('div', {class: 'chart'});
  figure.append(box);
  onWidth(box, (width) => {
    const left = Math.min(150, width / 3, Math.max(64, 8 * most(rows, (r) => r.name.length)));
    const row = 16;
    const height = rows.length * row + 24;
    const area = Math.max(40, width - left - 8);
    const map = picture(width, height, title + ': '
        + rows.map((r) => r.name + ' at most ' + format(most(r.values, (v) => v))).join(', '));
    rows.forEach((r, i) => {
      map.append(svg('text', {class: 'axis', x: left - 6, y: i * row + 12, 'text-anchor': 'end'},
          shorten(r.name, Math.floor(left / 7.5))),
          svg('rect', {class: 'band', x: left, y: i * row + 1, width: area, height: row - 2}));
      r.values.forEach((value, j) => {
        if (value > 0) {
          map.append(svg('rect', {x: left + area * j / r.values.length, y: i * row + 1,
            width: area / r.values.length + 0.3, height: row - 2, class: 'heat',
            'fill-opacity': (0.12 + 0.88 * value / max).toFixed(2)}));
        }
      });
    });
    timeTicks(map, span, left, area, height - 6);
    box.replaceChildren(map);
  });
  return figure;
}

function shorten(text, length) {
  return text.length <= length ? text : text.slice(0, Math.max(1, length - 1)) + '\u2026';
}

/** How often values occur, on a logarithmic axis of time. */
function histogram(values, label) {
  const bins = new Array(24).fill(0);
  const low = Math.log10(0.001);
  const high = Math.log10(Math.max(1, most(values, (v) => v)));
  values.forEach((v) => {
    const place = (Math.log10(Math.max(v, 0.001)) - low) / (high - low);
    bins[Math.min(bins.length - 1, Math.floor(place * bins.length))]++;
  });
  const max = most(bins, (v) => v);
  return picture(120, 26, label, bins.map((n, i) => n === 0 ? null : svg('rect', {class: 'bar', x: i * 5,
    y: 26 - Math.max(2, 26 * n / max), width: 4, height: Math.max(2, 26 * n / max)})));
}

/** Parts of a whole, as one bar: [share, name of the colour]. */
function stackedBar(parts, text) {
  return h('span', {class: 'meter'},
      h('span', {class: 'track', 'aria-hidden': 'true'}, parts.map(([share, name]) =>
          h('i', {style: 'width:' + (100 * share).toFixed(2) + '%;background:var(--' + name + ')'}))),
      text === '' ? null : h('b', {}, text));
}

// --- drawing what is in view or near it, and again when its width changes --------------------------

const NEAR = 600;

const widths = new ResizeObserver((entries) => entries.forEach((entry) => drawIfNear(entry.target)));

const views = new IntersectionObserver((entries) => entries.forEach((entry) => drawIfNear(entry.target)),
    {rootMargin: NEAR + 'px'});

function drawIfNear(box) {
  const place = box.getBoundingClientRect();
  if (place.bottom > -NEAR && place.top < innerHeight + NEAR) {
    drawIfDue(box);
  }
}

function drawIfDue(box) {
  const width = Math.floor(box.clientWidth);
  if (box.weirDraw && width > 0 && width !== box.weirWidth) {
    box.weirWidth = width;
    box.weirDraw(width);
  }
}

function onWidth(box, draw) {
  box.weirDraw = draw;
  widths.observe(box);
  views.observe(box);
}

// A printed page has all charts, also those that are not in view.
addEventListener('beforeprint', () => document.querySelectorAll('.chart').forEach(drawIfDue));
