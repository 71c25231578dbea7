'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const PHASES = [
    {key: 'local', label: 'stage-in, own node', css: '--local'},
    {key: 'remote', label: 'stage-in, other nodes', css: '--remote'},
    {key: 'run', label: 'run', css: '--run'},
    {key: 'out', label: 'stage-out', css: '--out'},
  ];
  const style = getComputedStyle(document.documentElement);
  const colour = (css) => style.getPropertyValue(css).trim();
  PHASES.forEach((phase) => { phase.colour = colour(phase.css); });
  const WAIT = colour('--wait');
  const INK = colour('--ink');
  const SOFT = colour('--soft');
  const FONT = getComputedStyle(document.body).fontFamily;

  // --- words and numbers -------------------------------------------------------------------------

  const escape = (text) => String(text).replace(/[&<>"']/g,
      (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'})[c]);

  function bytes(n) {
    const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
    let unit = 0;
    while (n >= 999.5 && unit < units.length - 1) {
      n /= 1000;
      unit++;
    }
    return (unit === 0 || n >= 100 ? n.toFixed(0) : n.toPrecision(3)) + '\u202f' + units[unit];
  }

  function seconds(s) {
    if (s < 0.0005) {
      return '0\u202fs';
    }
    if (s >= 120) {
      const minutes = Math.floor(s / 60);
      const rest = Math.round(s - 60 * minutes);
      return minutes >= 60
          ? Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min'
          : minutes + ' min ' + rest + ' s';
    }
    return (s >= 100 ? s.toFixed(0) : s >= 10 ? s.toFixed(1) : s.toFixed(s >= 1 ? 2 : 3))
        + '\u202fs';
  }

  const percent = (share) =>
      (share > 0.999 && share < 1 ? '> 99.9' : (100 * share).toFixed(share >= 1 ? 0 : 1)) + '\u202f%';

  const share = (local, remote) => (local + remote === 0 ? 1 : local / (local + remote));

  const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

  // --- totals ------------------------------------------------------------------------------------

  function meter(parts, text) {
    const track = parts.map(([fraction, css]) =>
        `<i style="width:${(100 * fraction).toFixed(2)}%;background:var(${css})"></i>`).join('');
    return `<div class="meter"><span class="track">${track}</span><b>${text}</b></div>`;
  }

  function comparison(run, first) {
    if (run === first) {
      return data.runs.length > 1 ? '<span class="small">the measure</span>' : '';
    }
    const ratio = run.makespan / first.makespan - 1;
    const words = Math.abs(ratio) < 0.005 ? 'the same'
        : `${(100 * Math.abs(ratio)).toFixed(0)}\u202f% ${ratio < 0 ? 'shorter' : 'longer'}`;
    return `<span class="small ${ratio < -0.005 ? 'better' : ratio > 0.005 ? 'worse' : ''}">${words}</span>`;
  }

  function totals() {
    const longest = Math.max(...data.runs.map((run) => run.makespan), 1e-9);
    const rows = data.runs.map((run) => {
      const t = run.totals;
      const state = run.state === 'SUCCEEDED' ? '' : ` <span class="failed">${escape(run.state)}</span>`;
      const again = (t.unsuccessful === 0 ? ''
          : ` <span class="small">+ ${plural(t.unsuccessful, 'failed or lost attempt')}</span>`)
          + (t.reused === 0 ? '' : ` <span class="small">+ ${t.reused} taken over</span>`);
      const local = share(t.inputLocal + t.inputCached, t.inputRemote);
      return `<tr><th scope="row">${escape(run.label)}${state}</th>
        <td class="bar">${meter([[run.makespan / longest, '--ink']], seconds(run.makespan))}</td>
        <td>${comparison(run, data.runs[0])}</td>
        <td>${t.tasks}${again}</td>
        <td>${bytes(t.inputLocal)}${t.inputCached ? ` <span class="small">+ ${bytes(t.inputCached)} from its cache</span>` : ''}</td>
        <td>${bytes(t.inputRemote)}${t.betweenCaches ? ` <span class="small">${bytes(t.betweenCaches)} of it from caches</span>` : ''}${
            t.ahead ? ` <span class="small">+ ${bytes(t.ahead)} ahead of time, ${bytes(t.aheadUsed)} used</span>` : ''}</td>
        <td class="bar">${meter([[local, '--local'], [1 - local, '--remote']], percent(local))}</td>
        <td>${bytes(t.output)}${t.deleted ? ` <span class="small">${bytes(t.deleted)} of it deleted again</span>` : ''}</td><td>${bytes(t.outputRemote)}</td></tr>`;
    });
    document.getElementById('totals').innerHTML =
        `<thead><tr><th scope="col">Run</th><th scope="col">Makespan</th>
        <th scope="col"></th><th scope="col">Tasks</th>
        <th scope="col">Read from<br>own node</th><th scope="col">Read from<br>other nodes</th>
        <th scope="col">Share read locally</th>
        <th scope="col">Written</th><th scope="col">Copies sent to<br>other nodes</th></tr></thead>
        <tbody>${rows.join('')}</tbody>`;
  }

  function subtitle() {
    const first = data.runs[0];
    const nodes = new Set(first.lanes.map((lane) => lane.node)).size;
    document.getElementById('subtitle').textContent =
        [data.runs.map((run) => run.label).join(', '),
          plural(nodes, 'node') + ', ' + plural(first.lanes.length, 'worker'),
          'started ' + first.started.replace('T', ' ').replace(/\.\d+/, '').replace('Z', ' UTC'),
        ].join(' \u00b7 ');
  }

  // --- lanes -------------------------------------------------------------------------------------

  const LANE = 26;
  const HEAD = 44;
  const chart = echarts.init(document.getElementById('lanes'), null, {renderer: 'canvas'});
  const view = {shown: null, type: ''};

  const shownRuns = () =>
      data.runs.filter((run) => view.shown === null || data.runs[view.shown] === run);

  /** Draws one attempt: its phases in the lane, its wait as a line below them. */
  function drawTask(run, params, api) {
    const task = run.tasks[params.dataIndex];
    const [left, middle] = api.coord([task.dispatched, task.lane]);
    const height = Math.min(LANE, api.size([0, 1])[1]);
    const bar = Math.round(height * 0.62);
    const top = Math.round(middle - bar / 2 - 2);
    const area = params.coordSys;
    const dim = view.type !== '' && task.type !== view.type;
    const opacity = dim ? 0.12 : 1;
    const children = [];
    const rect = (from, to, y, h, fill, extra) => {
      const x0 = Math.max(api.coord([from, task.lane])[0], area.x);
      const x1 = Math.min(api.coord([to, task.lane])[0], area.x + area.width);
      if (x1 > x0) {
        children.push(Object.assign({
          type: 'rect',
          shape: {x: x0, y: y, width: Math.max(x1 - x0, 0.5), height: h},
          style: {fill: fill, opacity: opacity},
        }, extra));
      }
    };
    if (task.dispatched > task.ready) {
      rect(task.ready, task.dispatched, top + bar + 2, 3, WAIT,
          {silent: true, style: {fill: WAIT, opacity: dim ? 0.08 : 0.5}});
    }
    let at = task.dispatched;
    PHASES.forEach((phase) => {
      rect(at, at + task[phase.key], top, bar, phase.colour);
      at += task[phase.key];
    });
    if (task.outcome !== 'SUCCEEDED') {
      const width = Math.max(api.coord([at, task.lane])[0] - left, 3);
      children.push({type: 'rect', silent: true,
        shape: {x: left, y: top - 1, width: width, height: bar + 2},
        style: {fill: 'none', stroke: '#111', lineWidth: 2, opacity: opacity}});
    } else if (api.coord([at, task.lane])[0] - left > 4) {
      children.push({type: 'line', silent: true,
        shape: {x1: left, y1: top, x2: left, y2: top + bar},
        style: {stroke: '#fff', lineWidth: 1, opacity: 0.8}});
    }
    return {type: 'group', children: children};
  }

  const ENDS = {LOST: 'worker or node lost', CANCELLED: 'cancelled'};

  function tip(run, task) {
    const line = (name, value, more, fill) => `<tr><td>${fill ? `<i style="background:${fill}"></i>` : ''}${name}</td>
      <td>${value}</td><td>${more || ''}</td></tr>`;
    const moved = {local: bytes(task.inputLocal) + (task.inputCached ? ', ' + bytes(task.inputCached) + ' from the cache' : ''),
      remote: bytes(task.inputRemote), run: '',
      out: bytes(task.output) + (task.outputRemote ? ', ' + bytes(task.outputRemote) + ' to other nodes' : '')};
    const lane = run.lanes[task.lane];
    const took = task.cpu || task.memory
        ? line('processors', seconds(task.cpu), task.run ? percent(task.cpu / task.run) + ' of one' : '')
            + line('most memory', task.memory ? bytes(task.memory) : 'not seen')
        : '';
    const end = task.outcome === 'SUCCEEDED' ? ''
        : `<div class="failed">${ENDS[task.outcome] || 'failed, exit code ' + task.exit}</div>`;
    return `<div class="tip"><h3>${escape(task.name)}</h3>
      ${escape(task.type)} on ${escape(lane.node)}, worker ${escape(lane.worker)}${task.attempt > 1 ? ', attempt ' + task.attempt : ''}${end}
      <table>${line('started at', seconds(task.dispatched))}
      ${line('waited', seconds(task.dispatched - task.ready), '', WAIT)}
      ${PHASES.map((p) => line(p.label, seconds(task[p.key]), moved[p.key], p.colour)).join('')}
      ${took}</table></div>`;
  }

  /** What is written before a lane, in parts: rack and node where they change, then the worker. */
  function laneLabels(run) {
    const domains = new Set(run.lanes.map((lane) => lane.node.replace(/^[^.]*/, '')));
    const shortNode = (node) => (domains.size === 1 && !/^[\d.]+$/.test(node) ? node.replace(/\..*/, '') : node);
    const racks = new Set(run.lanes.map((lane) => lane.rack)).size;
    return run.lanes.map((lane, i) => {
      const above = run.lanes[i - 1];
      const newRack = !above || above.rack !== lane.rack;
      const newNode = !above || above.node !== lane.node;
      const siblings = run.lanes.filter((other) => other.node === lane.node).length;
      return [
        ['soft', racks > 1 && newRack ? lane.rack : ''],
        ['node', newNode ? shortNode(lane.node) : ''],
        ['soft', siblings > 1 ? lane.worker : ''],
      ].filter(([, text]) => text !== '');
    });
  }

  /** The room that the longest of these labels takes. */
  function labelWidth(runs) {
    const context = document.createElement('canvas').getContext('2d');
    const width = (parts) => parts.reduce((sum, [part, text]) => {
      context.font = (part === 'node' ? 'bold 14px ' : '12px ') + FONT;
      return sum + context.measureText(text + ' ').width;
    }, 0);
    return Math.min(360, Math.max(48, ...runs.flatMap((run) => laneLabels(run).map(width))) + 24);
  }

  /** A band behind every second node, so that the lanes of a node are seen to belong together. */
  function bands(run) {
    const areas = [];
    let node = -1;
    run.lanes.forEach((lane, i) => {
      if (i === 0 || run.lanes[i - 1].node !== lane.node) {
        node++;
      }
      if (node % 2 === 0) {
        areas.push([{yAxis: i - 0.5}, {yAxis: i + 0.5}]);
      }
    });
    return areas;
  }

  function option() {
    const runs = shownRuns();
    const longest = 1.02 * Math.max(...runs.map((run) => run.makespan), 1e-3);
    const base = {animation: false, textStyle: {fontFamily: FONT}, aria: {enabled: false},
      grid: [], xAxis: [], yAxis: [], series: [], title: []};
    let top = 0;
    const left = labelWidth(runs);
    runs.forEach((run, i) => {
      const height = run.lanes.length * LANE;
      base.title.push({left: 0, top: top + 12,
        text: `{mode|${run.label.replace(/[{}|]/g, '_')}}  {soft|${seconds(run.makespan)}, ${percent(share(run.totals.inputLocal + run.totals.inputCached, run.totals.inputRemote))} of input bytes read locally}`,
        textStyle: {fontSize: 15, rich: {mode: {fontSize: 16, fontWeight: 'bold', color: INK},
          soft: {fontSize: 14, color: SOFT}}}});
      base.grid.push({left: left, right: 70, top: top + HEAD, height: height});
      base.xAxis.push({gridIndex: i, type: 'value', min: 0, max: longest,
        axisLine: {show: true, lineStyle: {color: '#aab4c0'}}, axisTick: {show: true},
        splitLine: {lineStyle: {color: '#e4e8ed'}},
        axisLabel: {show: true, color: SOFT, fontSize: 13, hideOverlap: true, showMaxLabel: false,
          formatter: (v) => +v.toFixed(3) + ' s'}});
      base.yAxis.push({gridIndex: i, type: 'value', inverse: true, min: -0.5,
        max: run.lanes.length - 0.5, show: true, interval: 1,
        axisLine: {show: false}, axisTick: {show: false}, splitLine: {show: false}, axisLabel: {show: false}});
      base.series.push(series(run, i), labels(run, i));
      top += HEAD + height + 30;
    });
    base.dataZoom = [
      {type: 'inside', xAxisIndex: runs.map((_, i) => i), filterMode: 'none',
        zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, moveOnMouseWheel: false,
        preventDefaultMouseMove: false},
      {type: 'slider', xAxisIndex: runs.map((_, i) => i), filterMode: 'none', top: top + 6, height: 18,
        left: left, right: 70, brushSelect: false, showDetail: false, showDataShadow: false,
        borderColor: '#d5dbe3', fillerColor: 'rgba(86,180,233,0.18)'},
    ];
    base.tooltip = {trigger: 'item', confine: true, transitionDuration: 0, borderColor: '#aab4c0',
      formatter: (p) => p.seriesIndex % 2 === 0 && p.dataIndex !== undefined && p.componentType === 'series'
          ? tip(runs[p.seriesIndex / 2], runs[p.seriesIndex / 2].tasks[p.dataIndex]) : ''};
    return {option: base, height: top + 40};
  }

  function series(run, i) {
    return {type: 'custom', xAxisIndex: i, yAxisIndex: i, clip: true,
      renderItem: (params, api) => drawTask(run, params, api),
      encode: {x: [0, 1], y: 2},
      data: run.tasks.map((task) => [task.ready,
        task.dispatched + task.local + task.remote + task.run + task.out, task.lane]),
      markArea: {silent: true, itemStyle: {color: '#f4f6f9'}, data: bands(run)},
      markLine: {silent: true, symbol: 'none', animation: false,
        lineStyle: {color: INK, type: 'solid', width: 1.5},
        label: {show: true, position: 'start', distance: 4, formatter: seconds(run.makespan), color: INK,
          fontSize: 13, fontWeight: 'bold'},
        data: [{xAxis: run.makespan}]}};
  }

  /** The names of the lanes; drawn as items so that the axis can be a plain number line. */
  function labels(run, i) {
    const names = laneLabels(run).map((parts) =>
        parts.map(([part, text]) => `{${part}|${text.replace(/[{}|]/g, '_')}}`).join(' '));
    return {type: 'custom', xAxisIndex: i, yAxisIndex: i, silent: true, clip: false,
      encode: {x: -1, y: 0}, data: run.lanes.map((_, lane) => [lane]),
      renderItem: (params, api) => {
        const y = api.coord([0, api.value(0)])[1];
        return {type: 'text', style: {text: names[params.dataIndex], x: params.coordSys.x - 10, y: y,
          align: 'right', verticalAlign: 'middle',
          rich: {node: {fontSize: 14, fontWeight: 'bold', fill: INK, fontFamily: FONT},
            soft: {fontSize: 12, fill: SOFT, fontFamily: FONT}}}};
      }};
  }

  function draw() {
    const {option: next, height} = option();
    const element = document.getElementById('lanes');
    element.style.height = height + 'px';
    element.setAttribute('aria-label', 'Lanes of '
        + shownRuns().map((run) => run.label + ', ' + seconds(run.makespan)).join('; '));
    chart.resize();
    chart.setOption(next, {notMerge: true});
  }

  // --- controls ----------------------------------------------------------------------------------

  function controls() {
    const modes = document.getElementById('modes');
    const choices = data.runs.length > 1
        ? [['all', null]].concat(data.runs.map((run, i) => [run.label, i])) : [];
    choices.forEach(([label, index]) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.setAttribute('aria-pressed', String(view.shown === index));
      button.addEventListener('click', () => {
        view.shown = index;
        modes.querySelectorAll('button').forEach((other) =>
            other.setAttribute('aria-pressed', String(other === button)));
        draw();
      });
      modes.append(button);
    });
    modes.hidden = choices.length === 0;
    const select = document.getElementById('types');
    select.append(new Option('all types', ''));
    data.types.forEach((type) => select.append(new Option(type, type)));
    select.addEventListener('change', () => {
      view.type = select.value;
      draw();
    });
    const unsuccessful = data.runs.some((run) => run.totals.unsuccessful > 0);
    document.getElementById('legend').innerHTML =
        PHASES.map((p) => `<li><i style="background:${p.colour}"></i>${p.label}</li>`).join('')
        + `<li><i class="line" style="background:${WAIT}"></i>ready, waiting for the worker</li>`
        + (unsuccessful ? '<li><i class="broken"></i>failed or lost</li>' : '');
    window.addEventListener('resize', () => chart.resize());
  }

  // --- by type -----------------------------------------------------------------------------------

  function byType() {
    const head = data.runs.map((run) => `<th colspan="6" scope="colgroup">${escape(run.label)}</th>`).join('');
    const sub = data.runs.map(() => '<th scope="col" class="first">stage-in</th><th scope="col">run</th><th scope="col">stage-out</th><th scope="col">local</th><th scope="col">processors</th><th scope="col">memory</th>').join('');
    const rows = data.types.map((type) => {
      let count = 0;
      const cells = data.runs.map((run) => {
        const tasks = run.tasks.filter((task) => task.type === type);
        count = Math.max(count, new Set(tasks.map((task) => task.name)).size);
        const most = (some) => (some.some((task) => task.memory)
            ? bytes(some.reduce((peak, task) => Math.max(peak, task.memory), 0)) : '');
        const sum = (key) => tasks.reduce((all, task) => all + task[key], 0);
        return tasks.length === 0 ? '<td class="first"></td><td></td><td></td><td></td><td></td><td></td>'
            : `<td class="first">${seconds(sum('local') + sum('remote'))}</td><td>${seconds(sum('run'))}</td>
              <td>${seconds(sum('out'))}</td><td>${percent(share(sum('inputLocal') + sum('inputCached'), sum('inputRemote')))}</td>
              <td>${sum('cpu') ? seconds(sum('cpu')) : ''}</td><td>${most(tasks)}</td>`;
      }).join('');
      return `<tr><th scope="row">${escape(type)}</th><td>${count}</td>${cells}</tr>`;
    });
    document.getElementById('by-type').innerHTML =
        `<thead><tr><th rowspan="2" scope="col">Type</th><th rowspan="2" scope="col">Tasks</th>${head}</tr><tr>${sub}</tr></thead>
        <tbody>${rows.join('')}</tbody>`;
  }

  data.runs.forEach((run) => {
    run.tasks = run.tasks.map((row) => Object.fromEntries(data.columns.map((c, i) => [c, row[i]])));
    run.tasks.forEach((task) => { task.type = data.types[task.type]; });
  });
  document.getElementById('failure').hidden = !data.failure;
  document.getElementById('failure-text').textContent = data.failure;
  subtitle();
  totals();
  controls();
  byType();
  draw();
})();
