'use strict';
(function () {
  const {data, INK, fixed, element} = bench;

  function drawRatios(place, ratios) {
    const bar = (name, key, colour) => ({
      name, type: 'bar', itemStyle: {color: colour}, barGap: '10%', barCategoryGap: '34%',
      label: {show: true, position: 'right', formatter: (at) => fixed(at.value, 2), color: INK},
      data: ratios.map((one) => one[key]),
    });
    const best = bar('best stock ÷ weir', 'bestStockOverWeir', '#009e73');
    best.markLine = bench.limit('as fast', 1);
    place.style.height = (80 + 62 * ratios.length) + 'px';
    bench.draw(place, {
      animation: false,
      grid: {left: 24, right: 60, top: 36, bottom: 32, containLabel: true},
      legend: {top: 0, left: 'center'},
      xAxis: {type: 'value', min: 0},
      yAxis: {type: 'category', inverse: true, data: ratios.map((one) => one.name)},
      series: [best, bar('stock-r3 ÷ weir', 'stockR3OverWeir', '#8b95a1')],
    });
  }

  const compared = data.charts.filter((one) => one.bestStockOverWeir !== null);
  if (compared.length > 0) {
    drawRatios(document.getElementById('ratios'), compared);
  }
  data.charts.forEach((one) => {
    const section = element('section', '', document.getElementById('charts'));
    element('h2', one.name, section);
    bench.draw(element('div', '', section, 'chart'), bench.bars(one.setups, one.bound));
  });
})();
