'use strict';
(function () {
  const {data, element} = bench;
  const SHOWN = {'stage-in': '#e69f00', '100 % of the workflow': '#0072b2', 'stage-out': '#cc79a7'};

  const part = (column, name) => column.parts.find((one) => one.name === name);

  bench.draw(document.getElementById('chart'), {
    animation: false,
    grid: {left: 60, right: 24, top: 40, bottom: 32},
    legend: {top: 0},
    xAxis: {type: 'category', data: data.columns.map((column) => column.label)},
    yAxis: {type: 'value', name: 'seconds'},
    series: Object.entries(SHOWN).map(([name, colour]) => ({
      name, type: 'bar', stack: 'all', barWidth: '55%', itemStyle: {color: colour},
      data: data.columns.map((column) => part(column, name).mean),
    })),
  });

  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  element('th', 'seconds', head);
  data.columns.forEach((column) => element('th', column.label, head));
  const body = table.createTBody();
  (data.columns.length === 0 ? [] : data.columns[0].parts).forEach(({name}) => {
    const row = body.insertRow();
    row.className = name === 'all together' ? 'total' : '';
    element('td', name, row);
    data.columns.forEach((column) => {
      const {mean, deviation} = part(column, name);
      element('td', mean.toFixed(2) + (column.runs > 1 ? ' ± ' + deviation.toFixed(2) : ''), row);
    });
  });
  const compared = data.columns.find((column) => column.versus.length > 0);
  (compared ? compared.versus : []).forEach(({name}) => {
    const row = body.insertRow();
    element('td', 'stock-r3 ÷ it, ' + name + ' (p)', row);
    data.columns.forEach((column) => {
      const one = column.versus.find((versus) => versus.name === name);
      element('td', one ? one.ratio.toFixed(2) + (one.p === undefined ? '' : ' (' + one.p.toFixed(3) + ')') : '', row);
    });
  });
  const runs = body.insertRow();
  element('td', 'runs', runs);
  data.columns.forEach((column) => element('td', String(column.runs), runs));
  const shares = body.insertRow();
  element('td', 'read locally', shares);
  data.columns.forEach((c) => element('td', (100 * c.localShare).toFixed(0) + ' %', shares));
  [['over the network', 'networkBytes'], ['in HDFS at most', 'peakStorage']].forEach(([name, key]) => {
    const row = body.insertRow();
    element('td', name, row);
    data.columns.forEach((c) => element('td', (c[key] / 1e6).toFixed(0) + ' MB', row));
  });
  document.getElementById('table').append(table);
})();
