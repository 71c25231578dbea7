'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const COLOURS = {weir: '#009e73', 'dispatch-r3': '#56b4e9', 'dispatch-r1': '#a5d5f2',
    'stock-r3': '#8b95a1', 'stock-r1': '#c3c9d0'};
  document.getElementById('about').textContent = data.about;
  const main = document.getElementById('experiments');

  const fixed = (value, digits) => (value === null ? '–' : value.toFixed(digits));

  function cell(row, text, tag) {
    const made = document.createElement(tag || 'td');
    made.textContent = text;
    row.appendChild(made);
  }

  function table(experiment) {
    const made = document.createElement('table');
    const head = made.createTHead().insertRow();
    ['setup', 's', '±', '÷ bound', 'p (as fast as weir)', 'read locally', 'over the network']
        .forEach((text) => cell(head, text, 'th'));
    const body = made.createTBody();
    experiment.setups.forEach((setup) => {
      const row = body.insertRow();
      row.className = setup.label;
      cell(row, setup.label);
      cell(row, fixed(setup.mean, 2));
      cell(row, fixed(setup.deviation, 2));
      cell(row, fixed(setup.mean / experiment.bound, 2));
      cell(row, setup.label === 'weir' ? '' : fixed(setup.p, 3));
      cell(row, (100 * setup.localShare).toFixed(0) + ' %');
      cell(row, (setup.networkBytes / 1e6).toFixed(1) + ' MB');
    });
    return made;
  }

  function whisker(params, api) {
    const low = api.coord([api.value(1), api.value(0)]);
    const high = api.coord([api.value(2), api.value(0)]);
    const style = {stroke: '#1c2430', lineWidth: 1.5};
    const line = (x1, y1, x2, y2) => ({type: 'line', shape: {x1, y1, x2, y2}, style});
    return {type: 'group', children: [
      line(low[0], low[1], high[0], high[1]),
      line(low[0], low[1] - 5, low[0], low[1] + 5),
      line(high[0], high[1] - 5, high[0], high[1] + 5)]};
  }

  function draw(element, experiment) {
    const setups = experiment.setups;
    echarts.init(element, null, {renderer: 'svg'}).setOption({
      animation: false,
      grid: {left: 90, right: 24, top: 24, bottom: 44},
      tooltip: {trigger: 'item'},
      xAxis: {type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, min: 0},
      yAxis: {type: 'category', inverse: true, data: setups.map((setup) => setup.label)},
      series: [
        {
          type: 'bar', barWidth: '58%',
          data: setups.map((setup) => ({
            value: setup.mean, itemStyle: {color: COLOURS[setup.label] || '#8b95a1'}})),
          markLine: {
            symbol: 'none', silent: true, label: {formatter: 'bound', position: 'start'},
            lineStyle: {color: '#d55e00', type: 'dashed', width: 2},
            data: [{xAxis: experiment.bound}],
          },
        },
        {
          type: 'custom', renderItem: whisker, silent: true, z: 3,
          encode: {x: [1, 2], y: 0},
          data: setups.map((setup, i) =>
              [i, Math.max(0, setup.mean - setup.deviation), setup.mean + setup.deviation]),
        },
        {
          type: 'scatter', symbolSize: 5, itemStyle: {color: '#1c2430', opacity: 0.55}, z: 4,
          data: setups.flatMap((setup, i) => setup.seconds.map((s) => [s, i])),
        },
      ],
    });
  }

  data.experiments.forEach((experiment) => {
    const heading = document.createElement('h2');
    heading.textContent = experiment.label;
    const section = document.createElement('section');
    section.className = 'experiment';
    const chart = document.createElement('div');
    chart.className = 'chart';
    section.append(chart, table(experiment));
    main.append(heading, section);
    draw(chart, experiment);
  });
})();
