'use strict';
(function () {
  const {data, element} = bench;
  const SHOWN = {'stage-in': '#e69f00', '100 % of the workflow': '#0072b2', 'stage-out': '#cc79a7'};

  const part = (column, name) => column.parts.find((one) => one.name === name);

  bench.draw(document.getElementById('chart'), {
    animation: false,
    grid: {left: 60, right: 24, top: 40, bottom: 32},
    legend: {top: 0},
    xAxis: {type: 'category', data: data.columns.map((column) => (
      column.label === 'auto' && column.replicas ? 'auto: ' + column.replicas : column.label))},
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
      element('td', one ? one.ratio.toFixed(2) + ' (' + bench.p(one.p) + ')' : '', row);
    });
  });
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0) + ' MB';
  const more = (name, text) => {
    const row = body.insertRow();
    element('td', name, row);
    data.columns.forEach((column) => element('td', text(column), row));
  };
  more('replicas of the database', (column) => column.replicas);
  more('runs', (column) => String(column.runs));
  more('until idle, s (median)', (column) => column.settle.toFixed(1));
  more('read locally', (column) => (100 * column.localShare).toFixed(0) + ' %');
  more('over the network', (column) => megabytes(column.networkBytes));
  more('in HDFS at most', (column) => megabytes(column.peakStorage));
  more('failed runs', (column) => String(column.failedRuns));
  more('attempts retried, failed, cancelled', (column) => [column.again, column.failed, column.cancelled].join(', '));
  document.getElementById('table').append(table);
  data.remarks.forEach((text) => element('p', text, document.getElementById('table'), 'note'));
})();
