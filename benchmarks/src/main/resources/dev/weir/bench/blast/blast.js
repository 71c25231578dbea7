'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const SHOWN = {'stage-in': '#e69f00', '100 % of the workflow': '#0072b2', 'stage-out': '#cc79a7'};
  document.getElementById('about').textContent = data.about;

  const part = (column, name) => column.parts.find((one) => one.name === name);

  function element(tag, text, parent) {
    const made = document.createElement(tag);
    made.textContent = text;
    parent.appendChild(made);
    return made;
  }

  echarts.init(document.getElementById('chart'), null, {renderer: 'svg'}).setOption({
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
      element('td', mean.toFixed(2) + ' ± ' + deviation.toFixed(2), row);
    });
  });
  const shares = body.insertRow();
  element('td', 'read locally', shares);
  data.columns.forEach((c) => element('td', (100 * c.localShare).toFixed(0) + ' %', shares));
  const network = body.insertRow();
  element('td', 'over the network, by tasks', network);
  data.columns.forEach((c) => element('td', (c.networkBytes / 1e6).toFixed(0) + ' MB', network));
  document.getElementById('table').append(table);
})();
