'use strict';
(function () {
  const {data, element} = bench;
  const main = document.getElementById('workloads');
  const COLOURS = {jbod: '#c3c9d0', 'mirror-2': '#a6afb9', 'mirror-3': '#8b95a1', 'mirror-4': '#55606e',
    stripe: '#e69f00', scarlett: '#cc79a7', 'weir-laas': '#a5d5f2', 'weir-udr': '#56b4e9', weir: '#009e73',
    ideal: '#1c2430'};
  const grid = {left: 64, right: 24, top: 84, bottom: 52};
  /** In a narrow chart the names would cover the lines. */
  const legend = (place) => ({top: 0, type: place.clientWidth < 420 ? 'scroll' : 'plain'});
  const axis = (name) => ({type: 'value', name, nameLocation: 'middle', nameGap: 36, min: 0});

  function pareto(place, setups) {
    const kinds = [...new Set(setups.map((setup) => setup.kind))];
    bench.draw(place, {
      animation: false, grid, legend: legend(place), tooltip: {trigger: 'item'},
      xAxis: axis('stored bytes, × one replica of each file'), yAxis: axis('harmonic mean, MB/s'),
      series: kinds.map((kind) => ({
        name: kind, type: 'line', symbol: 'circle', symbolSize: 10,
        itemStyle: {color: COLOURS[kind]}, lineStyle: {color: COLOURS[kind]},
        data: setups.filter((setup) => setup.kind === kind).sort((a, b) => a.capacity - b.capacity)
            .map((setup) => ({name: setup.label, value: [setup.capacity, setup.mean]})),
      })),
    });
  }

  function byLoad(place, setups) {
    // Of each policy with budgets, the largest.
    const last = [...new Map(setups.map((setup) => [setup.kind, setup])).values()];
    bench.draw(place, {
      animation: false, grid, legend: legend(place), tooltip: {trigger: 'axis'},
      xAxis: {type: 'category', name: 'threads', nameLocation: 'middle', nameGap: 30, data: data.threads.map(String)},
      yAxis: axis('MB/s'),
      series: last.map((setup) => ({
        name: setup.label, type: 'line', itemStyle: {color: COLOURS[setup.kind]}, data: setup.levels})),
    });
  }

  data.workloads.forEach((workload) => {
    element('h2', workload.name, main);
    const charts = element('div', '', main, 'charts');
    [pareto, byLoad].forEach((draw) => draw(element('div', '', charts, 'chart'), workload.setups));
  });
})();
