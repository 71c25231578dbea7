'use strict';
(function () {
  const {data, COLOURS, INK: DARK, LIMIT, fixed} = bench;
  const main = document.getElementById('experiments');

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1) + ' MB';
  const find = (experiment, label) => experiment.setups.find((setup) => setup.label === label);
  const byReplicas = (experiment) => experiment.setups.some((setup) => setup.copies > 0);

  function cell(row, text, tag) {
    const made = document.createElement(tag || 'td');
    made.textContent = text;
    row.appendChild(made);
    return made;
  }

  function header(table, names) {
    const row = table.createTHead().insertRow();
    names.forEach((name) => cell(row, name, 'th'));
  }

  function bestStock(experiment) {
    return experiment.setups.filter((setup) => setup.label.startsWith('stock-'))
        .reduce((best, setup) => (!best || setup.mean < best.mean ? setup : best), null);
  }

  function overview() {
    const compared = data.experiments.filter((one) => find(one, 'weir') && bestStock(one));
    if (compared.length === 0) {
      return;
    }
    const table = document.createElement('table');
    header(table, ['pattern', 'bound, s', 'weir, s', 'weir ÷ bound', 'stock r3 ÷ weir',
      'best stock ÷ weir', 'p']);
    const body = table.createTBody();
    compared.forEach((experiment) => {
      const weir = find(experiment, 'weir');
      const three = find(experiment, 'stock-r3');
      const best = bestStock(experiment);
      const row = body.insertRow();
      cell(row, experiment.label);
      cell(row, fixed(experiment.bound, 2));
      cell(row, fixed(weir.mean, 2));
      cell(row, fixed(weir.mean / experiment.bound, 2));
      cell(row, three ? fixed(three.mean / weir.mean, 2) : '–');
      const ratio = cell(row, fixed(best.mean / weir.mean, 2));
      cell(row, fixed(best.p, 3));
      const certain = best.p !== null && best.p < 0.05;
      ratio.className = certain ? (best.mean > weir.mean ? 'good' : 'bad') : '';
    });
    document.getElementById('overview').appendChild(table);
  }

  /** As tasks follow each other. */
  const STAGES = ['stage-in', 'first', 'second', 'third', 'produce', 'consume', 'reduce', 'join', 'read', 'stage-out'];

  /** All types of tasks, in order. */
  function stagesOf(experiment) {
    const types = [...new Set(experiment.setups.flatMap((setup) => Object.keys(setup.stages)))];
    return types.sort((a, b) => STAGES.indexOf(a) - STAGES.indexOf(b));
  }

  function table(experiment) {
    const made = document.createElement('table');
    const stages = stagesOf(experiment);
    header(made, ['setup', 'runs', 's', '±', '÷ bound', 'p'].concat(
        experiment.staged ? ['staged, s', '±'] : [],
        ['local', 'network', 'storage'], stages));
    const body = made.createTBody();
    experiment.setups.forEach((setup) => {
      const row = body.insertRow();
      row.className = setup.label;
      cell(row, setup.label);
      cell(row, String(setup.runs));
      cell(row, fixed(setup.mean, 2));
      cell(row, setup.runs > 1 ? fixed(setup.deviation, 2) : '–');
      cell(row, fixed(setup.mean / experiment.bound, 2));
      cell(row, setup.label === 'weir' ? '' : fixed(setup.p, 3));
      if (experiment.staged) {
        cell(row, fixed(setup.whole, 2));
        cell(row, setup.runs > 1 ? fixed(setup.wholeDeviation, 2) : '–');
      }
      cell(row, (100 * setup.localShare).toFixed(0) + ' %');
      cell(row, megabytes(setup.networkBytes));
      cell(row, megabytes(setup.peakStorage));
      stages.forEach((stage) => {
        cell(row, fixed(setup.stages[stage], 2)).className = 'stage';
      });
    });
    return made;
  }

  /** The study's curve: time by the number of replicas, and what the runner chose. */
  function curve(experiment) {
    const told = experiment.setups.filter((setup) => setup.copies > 0);
    const chosen = find(experiment, 'weir');
    const line = (name, value, colour, position) => ({
      name, yAxis: value, label: {formatter: name, position, color: colour},
      lineStyle: {color: colour, type: 'dashed', width: 2}});
    return {
      animation: false,
      grid: {left: 56, right: 24, top: 24, bottom: 44},
      tooltip: {trigger: 'item'},
      xAxis: {type: 'category', name: 'replicas', nameLocation: 'middle', nameGap: 26,
        data: told.map((setup) => String(setup.copies))},
      yAxis: {type: 'value', name: 'seconds', min: 0},
      series: [
        {
          type: 'line', data: told.map((setup) => setup.mean), symbolSize: 7,
          lineStyle: {color: DARK}, itemStyle: {color: DARK},
          markLine: {symbol: 'none', silent: true, data: [line('bound', experiment.bound, LIMIT, 'insideStartBottom')]
              .concat(chosen ? [line('the runner’s choice', chosen.mean, COLOURS.weir, 'insideStartTop')] : [])},
        },
        {
          type: 'scatter', symbolSize: 5, itemStyle: {color: DARK, opacity: 0.45},
          data: told.flatMap((setup, i) => setup.seconds.map((s) => [i, s])),
        },
      ],
    };
  }

  overview();
  data.experiments.forEach((experiment) => {
    const heading = document.createElement('h2');
    heading.textContent = experiment.label;
    const section = document.createElement('section');
    section.className = 'experiment';
    const chart = document.createElement('div');
    chart.className = 'chart';
    section.append(chart, table(experiment));
    main.append(heading, section);
    bench.draw(chart, byReplicas(experiment) ? curve(experiment) : bench.bars(experiment.setups, experiment.bound));
  });
})();
