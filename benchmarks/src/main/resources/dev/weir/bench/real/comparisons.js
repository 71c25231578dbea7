'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const COLOURS = {weir: '#009e73', 'dispatch-r3': '#56b4e9', 'dispatch-r1': '#a5d5f2',
    'stock-r3': '#8b95a1', 'stock-r1': '#c3c9d0'};
  const INK = '#1c2430';
  document.getElementById('about').textContent = data.about;
  const main = document.getElementById('subjects');

  const fixed = (value, digits) => (value === null ? '–' : value.toFixed(digits));

  function element(tag, text, parent, name) {
    const made = document.createElement(tag);
    made.textContent = text;
    made.className = name || '';
    parent.appendChild(made);
    return made;
  }

  function table(subject) {
    const weir = subject.setups.find((setup) => setup.label === 'weir');
    const made = document.createElement('table');
    const head = made.createTHead().insertRow();
    ['setup', 's', '±', '÷ weir', 'read locally', 'over the network']
        .forEach((text) => element('th', text, head));
    const body = made.createTBody();
    subject.setups.forEach((setup) => {
      const row = body.insertRow();
      row.className = setup.label;
      [setup.label, fixed(setup.mean, 1), fixed(setup.deviation, 1),
        weir ? fixed(setup.mean / weir.mean, 2) : '–',
        (100 * setup.localShare).toFixed(0) + ' %',
        (setup.networkBytes / 1e6).toFixed(0) + ' MB'].forEach((text) => element('td', text, row));
    });
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

  function drawTimes(place, setups) {
    echarts.init(place, null, {renderer: 'svg'}).setOption({
      animation: false,
      grid: {left: 90, right: 24, top: 12, bottom: 44},
      tooltip: {trigger: 'item'},
      xAxis: {type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, min: 0},
      yAxis: {type: 'category', inverse: true, data: setups.map((setup) => setup.label)},
      series: [
        {
          type: 'bar', barWidth: '58%',
          data: setups.map((setup) => ({
            value: setup.mean, itemStyle: {color: COLOURS[setup.label] || '#8b95a1'}})),
        },
        {
          type: 'custom', renderItem: whisker, silent: true, z: 3,
          encode: {x: [1, 2], y: 0},
          data: setups.map((setup, i) =>
              [i, Math.max(0, setup.mean - setup.deviation), setup.mean + setup.deviation]),
        },
        {
          type: 'scatter', symbolSize: 5, itemStyle: {color: INK, opacity: 0.55}, z: 4,
          data: setups.flatMap((setup, i) => setup.seconds.map((s) => [s, i])),
        },
      ],
    });
  }

  function drawRatios(place, subjects) {
    const names = subjects.map((subject) => subject.name);
    const bar = (name, key, colour) => ({
      name, type: 'bar', itemStyle: {color: colour}, barGap: '10%', barCategoryGap: '34%',
      label: {show: true, position: 'right', formatter: (at) => fixed(at.value, 2), color: INK},
      data: subjects.map((subject) => subject[key]),
    });
    const best = bar('best stock ÷ weir', 'bestStockOverWeir', '#009e73');
    best.markLine = {
      symbol: 'none', silent: true, label: {formatter: 'as fast', position: 'start'},
      lineStyle: {color: '#d55e00', type: 'dashed', width: 2}, data: [{xAxis: 1}],
    };
    place.style.height = (80 + 62 * subjects.length) + 'px';
    echarts.init(place, null, {renderer: 'svg'}).setOption({
      animation: false,
      grid: {left: 24, right: 60, top: 36, bottom: 32, containLabel: true},
      legend: {top: 0, left: 'center'},
      xAxis: {type: 'value', min: 0},
      yAxis: {type: 'category', inverse: true, data: names},
      series: [best, bar('stock-r3 ÷ weir', 'stockR3OverWeir', '#8b95a1')],
    });
  }

  const compared = data.subjects.filter((subject) => subject.bestStockOverWeir !== null);
  if (compared.length > 0) {
    drawRatios(document.getElementById('ratios'), compared);
    if (compared.length > 1) {
      const mean = document.createElement('p');
      mean.textContent = 'Geometric mean of best stock ÷ weir: ' + fixed(data.geometricMean, 2);
      document.getElementById('ratios').after(mean);
    }
  }
  data.subjects.forEach((subject) => {
    const p = subject.p === null ? '' : ' (best stock against weir: p = ' + fixed(subject.p, 3) + ')';
    element('h2', subject.name, main);
    element('p', subject.about + p, main, 'about');
    const section = document.createElement('section');
    section.className = 'subject';
    const chart = document.createElement('div');
    chart.className = 'chart';
    section.append(chart, table(subject));
    main.append(section);
    drawTimes(chart, subject.setups);
  });
})();
