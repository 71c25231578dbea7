'use strict';
bench.draw(document.getElementById('utilisation'), {
  animation: false, grid: {left: 64, right: 24, top: 52, bottom: 52}, legend: {top: 0}, tooltip: {trigger: 'axis'},
  xAxis: {type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 30, min: 0},
  yAxis: {type: 'value', name: 'utilisation, %', nameLocation: 'middle', nameGap: 40, min: 0, max: 100},
  series: Object.entries(bench.data.utilisation).map(([name, shares]) => ({
    name, type: 'line', showSymbol: false, data: shares.map((share, second) => [second, 100 * share])})),
});
