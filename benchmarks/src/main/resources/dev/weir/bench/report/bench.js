/* Shared by the pages of all experiments. */
const bench = (function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const COLOURS = {weir: '#009e73', 'dispatch-r3': '#56b4e9', 'dispatch-r1': '#a5d5f2',
    'stock-r3': '#8b95a1', 'stock-r1': '#c3c9d0'};
  const INK = '#1c2430';
  const LIMIT = '#d55e00';

  const fixed = (value, digits) => (value === null || value === undefined ? '–' : value.toFixed(digits));

  function element(tag, text, parent, name) {
    const made = document.createElement(tag);
    made.textContent = text;
    made.className = name || '';
    parent.appendChild(made);
    return made;
  }

  function whisker(params, api) {
    const low = api.coord([api.value(1), api.value(0)]);
    const high = api.coord([api.value(2), api.value(0)]);
    const style = {stroke: INK, lineWidth: 1.5};
    const line = (x1, y1, x2, y2) => ({type: 'line', shape: {x1, y1, x2, y2}, style});
    return {type: 'group', children: [
      line(low[0], low[1], high[0], high[1]),
      line(low[0], low[1] - 5, low[0], low[1] + 5),
      line(high[0], high[1] - 5, high[0], high[1] + 5)]};
  }

  /** A dashed line at a value, with a label. */
  const limit = (name, at) => ({
    symbol: 'none', silent: true, label: {formatter: name, position: 'start'},
    lineStyle: {color: LIMIT, type: 'dashed', width: 2}, data: [{xAxis: at}],
  });

  /** Means as bars, deviations as whiskers and single runs as dots; the limit may be missing. */
  function bars(setups, bound) {
    const means = {
      type: 'bar', barWidth: '58%',
      data: setups.map((setup) => ({
        value: setup.mean, itemStyle: {color: COLOURS[setup.label] || '#8b95a1'}})),
    };
    if (bound !== undefined) {
      means.markLine = limit('bound', bound);
    }
    return {
      animation: false,
      grid: {left: 90, right: 24, top: 24, bottom: 44},
      tooltip: {trigger: 'item'},
      xAxis: {type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, min: 0},
      yAxis: {type: 'category', inverse: true, data: setups.map((setup) => setup.label)},
      series: [
        means,
        {
          type: 'custom', renderItem: whisker, silent: true, z: 3,
          encode: {x: [1, 2], y: 0},
          // One run has no deviation.
          data: setups.flatMap((setup, i) => (setup.runs < 2 ? [] :
              [[i, Math.max(0, setup.mean - setup.deviation), setup.mean + setup.deviation]])),
        },
        {
          type: 'scatter', symbolSize: 5, itemStyle: {color: INK, opacity: 0.55}, z: 4,
          data: setups.flatMap((setup, i) => setup.seconds.map((s) => [s, i])),
        },
      ],
    };
  }

  /** Shows Markdown with the parts that experiments write: paragraphs, headings, items and tables. */
  function showMarkdown(text, parent) {
    let table = null;
    text.split('\n').filter((line) => !line.startsWith('|---')).forEach((line) => {
      if (!line.startsWith('|')) {
        table = null;
        if (line !== '') {
          element(line.startsWith('## ') ? 'h2' : 'p', line.replace(/^(## |- )/, ''), parent);
        }
        return;
      }
      const cells = line.split('|').slice(1, -1).map((cell) => cell.trim());
      const isHead = table === null;
      table = table || element('table', '', element('div', '', parent, 'table'));
      const row = isHead ? table.createTHead().insertRow() : (table.tBodies[0] || table.createTBody()).insertRow();
      row.className = cells[0];
      cells.forEach((cell) => element(isHead ? 'th' : 'td', cell, row));
    });
  }

  showMarkdown(data.tables, document.getElementById('tables'));

  const draw = (place, options) => echarts.init(place, null, {renderer: 'svg'}).setOption(options);

  return {data, INK, fixed, element, limit, bars, draw};
})();
