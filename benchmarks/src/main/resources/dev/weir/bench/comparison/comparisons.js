'use strict';
(function () {
  const {data, INK, fixed, element} = bench;
  const main = document.getElementById('subjects');

  function table(subject) {
    const weir = subject.setups.find((setup) => setup.label === 'weir');
    const made = document.createElement('table');
    const head = made.createTHead().insertRow();
    ['setup', 'runs', 's', '±', '÷ weir', 'p', 'stage-in, s', 'until idle, s', 'local', 'network', 'storage',
      'failed runs', 'retried', 'failed', 'cancelled']
        .forEach((text) => element('th', text, head));
    const body = made.createTBody();
    subject.setups.forEach((setup) => {
      const row = body.insertRow();
      row.className = setup.label;
      [setup.label, String(setup.runs), fixed(setup.mean, 1),
        setup.runs > 1 ? fixed(setup.deviation, 1) : '–',
        weir ? fixed(setup.mean / weir.mean, 2) : '–',
        !weir || setup === weir ? '' : bench.p(setup.p),
        fixed(setup.stageIn, 1),
        fixed(setup.settle, 1),
        (100 * setup.localShare).toFixed(0) + ' %',
        (setup.networkBytes / 1e6).toFixed(0) + ' MB',
        (setup.peakStorage / 1e6).toFixed(0) + ' MB',
        String(setup.failedRuns), String(setup.again), String(setup.failed), String(setup.cancelled)].forEach((text) => element('td', text, row));
    });
    return made;
  }

  function drawRatios(place, subjects) {
    const names = subjects.map((subject) => subject.name);
    const bar = (name, key, colour) => ({
      name, type: 'bar', itemStyle: {color: colour}, barGap: '10%', barCategoryGap: '34%',
      label: {show: true, position: 'right', formatter: (at) => fixed(at.value, 2), color: INK},
      data: subjects.map((subject) => subject[key]),
    });
    const best = bar('best stock ÷ weir', 'bestStockOverWeir', '#009e73');
    best.markLine = bench.limit('as fast', 1);
    place.style.height = (80 + 62 * subjects.length) + 'px';
    bench.draw(place, {
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
      mean.textContent = 'Geometric means: best stock ÷ weir ' + fixed(data.geometricMean, 2)
          + ', stock-r3 ÷ weir ' + fixed(data.stockR3GeometricMean, 2) + '.';
      document.getElementById('ratios').after(mean);
    }
  }
  data.subjects.forEach((subject) => {
    const equals = (p) => 'p ' + bench.pIs(p);
    const p = subject.bestStockOverWeir === null ? '' : ' (best stock ÷ weir ' + fixed(subject.bestStockOverWeir, 2)
        + ', ' + equals(subject.p) + '; with stage-in ' + fixed(subject.stagedBestStockOverWeir, 2) + ', '
        + equals(subject.stagedP) + ')';
    element('h2', subject.name, main);
    element('p', subject.about + p, main, 'about');
    const section = document.createElement('section');
    section.className = 'subject';
    const chart = document.createElement('div');
    chart.className = 'chart';
    section.append(chart, table(subject));
    main.append(section);
    bench.draw(chart, bench.bars(subject.setups));
  });
})();
