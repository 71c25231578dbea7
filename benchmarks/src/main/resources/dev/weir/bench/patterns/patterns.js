'use strict';
(function () {
  const {data, fixed} = bench;
  const main = document.getElementById('experiments');

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1) + ' MB';
  const find = (experiment, label) => experiment.setups.find((setup) => setup.label === label);

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
    experiment.remarks.forEach((text) => bench.element('p', text, tables, 'note'));
    section.append(chart, tables);
    main.append(heading, section);
    bench.draw(chart, bench.bars(experiment.setups, experiment.bound));
  });
})();
