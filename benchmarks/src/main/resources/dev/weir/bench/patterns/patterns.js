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

  /** The ratio and its p-value; the ratio is coloured if p is below 0.05. */
  function compared(row, versus) {
    const ratio = cell(row, versus ? fixed(versus.ratio, 2) : '–');
    cell(row, versus ? bench.p(versus.p) : '–');
    const certain = versus && versus.p !== null && versus.p < 0.05;
    ratio.className = certain ? (versus.ratio > 1 ? 'good' : 'bad') : '';
  }

  function overview() {
    const both = data.experiments.filter((one) => one.bestStock);
    if (both.length === 0) {
      return;
    }
    const staged = both.some((one) => one.staged);
    const table = document.createElement('table');
    header(table, ['pattern', 'bound, s', 'weir, s', 'weir ÷ bound', 'stock r3 ÷ weir',
      'best stock ÷ weir', 'p'].concat(staged ? ['with staging: best stock ÷ weir', 'p'] : []));
    const body = table.createTBody();
    both.forEach((experiment) => {
      const weir = find(experiment, 'weir');
      const three = find(experiment, 'stock-r3');
      const row = body.insertRow();
      cell(row, experiment.label);
      cell(row, fixed(experiment.bound, 2));
      cell(row, fixed(weir.mean, 2));
      cell(row, fixed(weir.mean / experiment.bound, 2));
      cell(row, three ? fixed(three.mean / weir.mean, 2) : '–');
      compared(row, experiment.bestStock);
      if (staged) {
        compared(row, experiment.stagedBestStock);
      }
    });
    document.getElementById('overview').appendChild(table);
  }

  function table(experiment) {
    const made = document.createElement('table');
    const names = ['setup', 'runs', 'reps', 's', '±'].concat(
        experiment.inARow ? ['± in a run'] : [], ['÷ bound', 'p'],
        experiment.staged ? ['staged, s', '±', 'p'] : [],
        ['until idle, s', 'local', 'network', 'storage']);
    header(made, names);
    const body = made.createTBody();
    experiment.setups.forEach((setup) => {
      const row = body.insertRow();
      row.className = setup.label;
      cell(row, setup.label);
      cell(row, String(setup.runs));
      cell(row, String(setup.repetitions));
      cell(row, fixed(setup.mean, 2));
      cell(row, fixed(setup.deviation, 2));
      if (experiment.inARow) {
        cell(row, fixed(setup.deviationWithin, 2));
      }
      cell(row, fixed(setup.mean / experiment.bound, 2));
      cell(row, setup.p === undefined ? '' : bench.p(setup.p));
      if (experiment.staged) {
        cell(row, fixed(setup.stagedTimes.mean, 2));
        cell(row, fixed(setup.stagedTimes.deviation, 2));
        cell(row, setup.stagedP === undefined ? '' : bench.p(setup.stagedP));
      }
      cell(row, fixed(setup.settle, 1));
      cell(row, (100 * setup.localShare).toFixed(0) + ' %');
      cell(row, megabytes(setup.networkBytes));
      cell(row, megabytes(setup.peakStorage));
    });
    return made;
  }

  /** The time of runs beside their tasks, and their failures. */
  function beside(experiment) {
    const made = document.createElement('table');
    header(made, ['setup', 'beside the tasks, s', 'failed runs', 'extra attempts', 'failed or lost', 'cancelled']);
    const body = made.createTBody();
    experiment.setups.forEach((setup) => {
      const row = body.insertRow();
      cell(row, setup.label);
      cell(row, fixed(setup.beside, 1));
      [setup.failedRuns, setup.again, setup.failed, setup.cancelled].forEach((n) => {
        cell(row, String(n)).className = n > 0 ? 'noted' : 'stage';
      });
    });
    return made;
  }

  function stages(experiment) {
    const made = document.createElement('table');
    const both = experiment.stages.some((stage) => stage.bestStock);
    header(made, ['stage, s'].concat(experiment.setups.map((setup) => setup.label),
        both ? ['best stock ÷ weir', 'p'] : []));
    const body = made.createTBody();
    experiment.stages.forEach((stage) => {
      const row = body.insertRow();
      cell(row, stage.name);
      experiment.setups.forEach((setup) => {
        const time = stage.times[setup.label];
        cell(row, !time ? '–' : fixed(time.mean, 2) + (time.deviation === null ? '' : ' ± ' + fixed(time.deviation, 2)));
      });
      if (both) {
        compared(row, stage.bestStock);
      }
    });
    return made;
  }

  /** A sentence that compares the runner's own number of replicas with the best one. */
  function sweepText(choice) {
    return 'The runner’s own number of replicas: ' + choice.replicas + '. It takes ' + fixed(choice.ratio, 2)
        + ' times as long as the best number, ' + choice.best + ' (p ' + bench.pIs(choice.p)
        + '): ' + (choice.good ? '' : 'not ') + 'within 5 %.';
  }

  /** The study's curve: time by the number of replicas, with the runner's own choice. */
  function curve(experiment) {
    const known = experiment.setups.filter((setup) => setup.copies > 0);
    const own = find(experiment, 'weir');
    const chosen = own && experiment.choice ? (experiment.choice.chosen || []) : [];
    const line = (name, value, colour, position) => ({
      name, yAxis: value, label: {formatter: name, position, color: colour},
      lineStyle: {color: colour, type: 'dashed', width: 2}});
    const unplaced = own && chosen.length === 0
        ? [line('the runner’s choice', own.mean, COLOURS.weir, 'insideStartTop')] : [];
    return {
      animation: false,
      grid: {left: 56, right: 32, top: 52, bottom: 44},
      legend: {top: 0, right: 0, data: ['as requested', 'the runner’s own choice']},
      tooltip: {trigger: 'item'},
      xAxis: {type: 'value', name: 'replicas', nameLocation: 'middle', nameGap: 26, min: 0, minInterval: 1},
      yAxis: {type: 'value', name: 'seconds', min: 0},
      series: [
        {
          name: 'as requested', type: 'line', data: known.map((setup) => [setup.copies, setup.mean]), symbolSize: 7,
          lineStyle: {color: DARK}, itemStyle: {color: DARK},
          markLine: {symbol: 'none', silent: true,
            data: [line('bound', experiment.bound, LIMIT, 'insideStartBottom')].concat(unplaced)},
        },
        {
          type: 'scatter', symbolSize: 5, itemStyle: {color: DARK, opacity: 0.45},
          data: known.flatMap((setup) => setup.seconds.map((s) => [setup.copies, s])),
        },
        {
          name: 'the runner’s own choice', type: 'scatter', symbol: 'diamond', symbolSize: 16, z: 5,
          itemStyle: {color: COLOURS.weir, borderColor: '#ffffff', borderWidth: 1},
          label: {show: true, position: 'top', color: COLOURS.weir, fontWeight: 'bold',
            formatter: (at) => at.value[0] + ': ' + fixed(at.value[1], 2) + ' s'},
          data: chosen.map((replicas) => [replicas, own.mean]),
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
    const tables = document.createElement('div');
    tables.append(table(experiment), stages(experiment), beside(experiment));
    (experiment.choice ? [sweepText(experiment.choice)] : []).concat(experiment.remarks)
        .forEach((text) => bench.element('p', text, tables, 'note'));
    section.append(chart, tables);
    main.append(heading, section);
    bench.draw(chart, byReplicas(experiment) ? curve(experiment) : bench.bars(experiment.setups, experiment.bound));
  });
})();
