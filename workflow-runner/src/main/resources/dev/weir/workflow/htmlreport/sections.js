// The sections of the page, each of one run or of all.

function totalsTable(data) {
  const longest = Math.max(most(data.runs, (run) => run.makespan), 1e-9);
  const first = data.runs[0];
  const than = data.runs.length > 1 ? 'Than ' + first.label : null;
  return table('Totals', ['Run', 'Time', ...(than ? [than] : []), 'Tasks', 'Own node', 'Cache', 'Other nodes', 'Share local', 'Written',
    'Copies sent', 'Between nodes in all'], data.runs.map((run) => {
    const t = run.totals;
    const local = localShare(t);
    return [
      [run.label, run.standIn ? h('span', {class: 'badge'}, 'stand-ins') : null,
        run.state === 'SUCCEEDED' ? null : h('span', {class: run.state === 'RUNNING' ? 'badge' : 'failed'}, ' ' + run.state)],
      stackedBar([[run.makespan / longest, 'run']], seconds(run.makespan)),
      ...(than ? [run === first ? '' : h('span', {class: 'soft'}, ratioText(run.makespan / first.makespan))] : []),
      [count(t.tasks), t.unsuccessful ? h('span', {class: 'note'}, '+ ' + plural(t.unsuccessful, 'failed or lost attempt')) : null,
        t.reused ? h('span', {class: 'note'}, '+ ' + t.reused + ' taken over') : null],
      bytes(t.inputLocal), bytes(t.inputCached),
      [bytes(t.inputRemote), t.betweenCaches ? h('span', {class: 'note'}, bytes(t.betweenCaches) + ' from caches') : null],
      inputBytes(t) ? stackedBar([[local, 'local'], [1 - local, 'remote']], percent(local)) : '',
      [bytes(t.output), t.deleted ? h('span', {class: 'note'}, bytes(t.deleted) + ' deleted again') : null],
      bytes(t.outputRemote), bytes(t.inputRemote + t.outputRemote)];
  }));
}

function ratioText(ratio) {
  return Math.abs(ratio - 1) < 0.005 ? 'the same'
      : (100 * Math.abs(ratio - 1)).toFixed(0) + NARROW + '% ' + (ratio < 1 ? 'shorter' : 'longer');
}

// --- comparison ----------------------------------------------------------------------------------

function comparison(data) {
  const [first, ...others] = data.runs;
  return others.map((other) => [h('h3', {}, first.label + ' and ' + other.label),
    h('p', {}, traffic(first) + '; ' + traffic(other) + '.' + trade(first, other) + trade(other, first)),
    firstDifference(first, other), slowerTypes(data, first, other)]);
}

function traffic(run) {
  const t = run.totals;
  return run.label + ' read ' + percent(localShare(t)) + ' locally and moved ' + bytes(t.inputRemote + t.outputRemote)
      + ' between nodes (' + bytes(t.inputRemote) + ' read, ' + bytes(t.outputRemote) + ' copies of outputs)';
}

/** Why a run with fewer replicas reads less locally. */
function trade(many, few) {
  const read = few.totals.inputRemote - many.totals.inputRemote;
  const saved = many.totals.outputRemote - few.totals.outputRemote;
  return read <= 0 || saved <= 0 ? '' : ' ' + few.label + ' wrote fewer replicas, so its tasks read ' + bytes(read)
      + ' more from other nodes, and it sent ' + bytes(saved) + ' less for copies.';
}

const succeeded = (run) => new Map(run.tasks.filter((t) => t.outcome === 'SUCCEEDED').map((t) => [t.name, t]));

function firstDifference(one, other) {
  const there = succeeded(other);
  const both = [...succeeded(one).values()].filter((t) => there.has(t.name)).sort((a, b) => a.start - b.start);
  const rows = [];
  for (const task of both) {
    const twin = there.get(task.name);
    const differs = differences(one, task, other, twin);
    if (differs.length > 0) {
      rows.push([task.name, seconds(task.start), seconds(twin.start), differs.join('; ')]);
    }
    if (rows.length === 5) {
      break;
    }
  }
  return rows.length === 0 ? h('p', {}, 'The tasks of both ran on the same nodes, as long, from the same places.')
      : [h('p', {}, 'What differs first, in the order of starts in ' + one.label + ':'),
        table('First differences', ['Task', 'Start in ' + one.label, 'Start in ' + other.label, 'Difference'], rows,
            {class: 'differences'}, [3])];
}

function differences(one, task, other, twin) {
  const found = [];
  const names = [nodeOf(one, task).name, nodeOf(other, twin).name];
  if (names[0] !== names[1]) {
    found.push('on ' + names[0] + ' (' + bytes(task.inputRemote) + ' from other nodes), on ' + names[1] + ' ('
        + bytes(twin.inputRemote) + ')');
  }
  PHASES.forEach(({key, label}) => {
    const apart = Math.abs(task[key] - twin[key]);
    if (apart > 1 && apart > Math.min(task[key], twin[key])) {
      found.push(label + ' ' + seconds(task[key]) + ', ' + seconds(twin[key]));
    }
  });
  return found;
}

function slowerTypes(data, one, other) {
  const rows = data.types.map((type) => {
    const of = (run) => tasksOf(run, type);
    const time = (run) => sum(of(run), (t) => t.end - t.start);
    const bytesOf = (run) => sum(of(run), (t) => t.inputRemote);
    return {type, times: [time(one), time(other)], moved: [bytesOf(one), bytesOf(other)]};
  }).sort((a, b) => Math.abs(b.times[1] - b.times[0]) - Math.abs(a.times[1] - a.times[0])).slice(0, 12);
  return table('By type', ['Type', 'Time, ' + one.label, 'Time, ' + other.label, 'From other nodes, ' + one.label,
    'From other nodes, ' + other.label], rows.map((row) =>
      [row.type, seconds(row.times[0]), seconds(row.times[1]), bytes(row.moved[0]), bytes(row.moved[1])]));
}

// --- types and decisions -------------------------------------------------------------------------

function typesTable(data, run) {
  const rows = data.types.map((type) => {
    const tasks = tasksOf(run, type);
    const times = sorted(tasks.filter((t) => t.outcome === 'SUCCEEDED').map((t) => t.run));
    const inputs = {inputLocal: sum(tasks, (t) => t.inputLocal), inputCached: sum(tasks, (t) => t.inputCached),
      inputRemote: sum(tasks, (t) => t.inputRemote)};
    const words = 'median ' + seconds(quantile(times, 0.5)) + ', longest ' + seconds(quantile(times, 1));
    return tasks.length === 0 ? null : [type, count(new Set(tasks.map((t) => t.name)).size),
      histogram(times, 'Run times of ' + type + ': ' + words),
      seconds(quantile(times, 0)), seconds(quantile(times, 0.5)), seconds(quantile(times, 0.9)), seconds(quantile(times, 1)),
      seconds(sum(tasks, (t) => t.cold + t.local + t.remote)), seconds(sum(tasks, (t) => t.run)), seconds(sum(tasks, (t) => t.out)),
      percent(localShare(inputs)), bytes(inputs.inputRemote), orNothing(sum(tasks, (t) => t.cpu), seconds),
      orNothing(most(tasks, (t) => t.memory), bytes)];
  }).filter((row) => row);
  return table('By type of task', ['Type', 'Tasks', 'Run times', 'Least', 'Median', '90 %', 'Most', 'Stage-in', 'Run',
    'Stage-out', 'Local', 'Other nodes', 'Processor', 'Memory'], rows);
}

/** What decided, and what it cost: the answer to why so many bytes were not local. */
function decisionsTable(run) {
  const sums = new Map();
  run.tasks.forEach((task) => {
    const key = task.decision === 'unknown' && read(task) === 0 ? 'no inputs' : task.decision;
    const at = sums.get(key) || {attempts: 0, own: 0, moved: 0};
    at.attempts++;
    at.own += task.inputLocal + task.inputCached;
    at.moved += task.inputRemote;
    sums.set(key, at);
  });
  const rows = [...sums].sort((a, b) => b[1].moved - a[1].moved).map(([key, at]) =>
      [REASONS[key] || 'no inputs to read', count(at.attempts), bytes(at.own), bytes(at.moved)]);
  return table('What decided where tasks ran', ['What decided', 'Attempts', 'Read on own node', 'From other nodes'], rows,
      {class: 'decisions'});
}

// --- bytes between nodes -------------------------------------------------------------------------

const MAX_MATRIX = 20;

function matrix(run, flows, title) {
  if (flows.length === 0) {
    return null;
  }
  const weight = run.nodes.map(() => 0);
  flows.forEach(([from, to, n]) => {
    weight[from] += n;
    weight[to] += from === to ? 0 : n;
  });
  const shown = run.nodes.map((_, i) => i).filter((i) => weight[i] > 0)
      .sort((a, b) => weight[b] - weight[a]).slice(0, MAX_MATRIX).sort((a, b) => a - b);
  const cells = new Map(flows.map(([from, to, n]) => [from + ' ' + to, n]));
  const max = most(flows, (flow) => flow[2]);
  const rows = shown.map((from) => [run.nodes[from].name, ...shown.map((to) => {
    const n = cells.get(from + ' ' + to) || 0;
    return n === 0 ? '' : h('span', {class: 'cell', style: '--share:' + (n / max).toFixed(3)}, bytes(n));
  })]);
  const left = weight.filter((w) => w > 0).length - shown.length;
  return [h('h3', {}, title), table(title, ['From \\ to', ...shown.map((i) => run.nodes[i].name)], rows, {class: 'matrix'}),
    left > 0 ? h('p', {class: 'soft'}, plural(left, 'node') + ' with fewer bytes left out') : null];
}

// --- over time -----------------------------------------------------------------------------------

const MAX_HEAT_ROWS = 40;

function overTime(run) {
  const series = seriesOf(run);
  const span = run.makespan;
  const width = span / POINTS;
  const rates = [...series.received].sort((a, b) => sum(b[1], (v) => v) - sum(a[1], (v) => v)).slice(0, MAX_HEAT_ROWS)
      .sort((a, b) => a[0] - b[0]).map(([node, values]) => ({name: run.nodes[node].name, values: values.map((v) => v / width)}));
  const few = (v) => (v >= 10 ? v.toFixed(0) : String(Number(v.toPrecision(2))));
  return [
    lineChart('Tasks', [{label: 'waiting', colour: 'wait', values: series.waiting},
      {label: 'stage-in', colour: 'remote', values: series.stageIn}, {label: 'running', colour: 'run', values: series.running},
      {label: 'stage-out', colour: 'out', values: series.stageOut}], span, few),
    lineChart('Processors of commands', [{label: 'processors', colour: 'run', values: series.processors}], span, few),
    rates.length === 0 ? null : heatMap('Bytes that each node received from others', rates, span, (v) => bytes(v) + '/s'),
    lineChart('Disk: bytes of made files that tasks had still to read', [{label: 'needed', colour: 'out', values: run.needed}], span, bytes),
    !run.caches ? null : lineChart('Fill of the caches of nodes', [{label: 'all together', colour: 'local', values: run.caches},
      {label: 'the fullest', colour: 'run', values: run.largestCache}], span, bytes),
    !run.caches ? null
        : lineChart('Free space of the fullest disk of a node', [{label: 'free', colour: 'out', values: run.leastFree}], span, bytes),
    most(series.cached, (v) => v) === 0 ? null
        : lineChart('Bytes read from the caches of own nodes', [{label: 'per second', colour: 'local', values: series.cached.map((v) => v / width)}], span, bytes),
  ];
}

// --- graph by type -------------------------------------------------------------------------------

/** Types in rows from the inputs down; edges have the bytes that tasks read. */
function typeGraph(data, run) {
  const used = run.byType;
  const edges = run.edges.filter(([, to]) => used.has(data.types[to]));
  const layer = layersOf(data.types, edges, run);
  const rows = [];
  data.types.forEach((type, i) => {
    if (used.has(type)) {
      (rows[layer[i]] = rows[layer[i]] || []).push(i);
    }
  });
  const box = h('div', {class: 'chart'});
  const draw = (width) => box.replaceChildren(paintGraph(data, run, edges, [edges.some(([from]) => from < 0) ? [-1] : [], ...rows].filter((row) => row && row.length > 0), width));
  onWidth(box, draw);
  return [box, h('details', {}, h('summary', {}, 'The same as a table'),
      table('Bytes between types', ['From', 'To', 'Reads', 'Bytes'], edges.map(([from, to, n, files]) =>
          [from < 0 ? 'inputs of the workflow' : data.types[from], data.types[to], count(files), bytes(n)])))];
}

/** Layers by the edges that go from types that start earlier to later ones: types may read from each other. */
function layersOf(types, edges, run) {
  const starts = types.map((type) => quantile(sorted(tasksOf(run, type).map((t) => t.ready)), 0.5));
  const order = types.map((_, i) => i).sort((a, b) => starts[a] - starts[b]);
  const layer = types.map(() => 0);
  order.forEach((to) => edges.forEach(([from, target]) => {
    if (target === to && from >= 0 && order.indexOf(from) < order.indexOf(to)) {
      layer[to] = Math.max(layer[to], layer[from] + 1);
    }
  }));
  return layer;
}

const ROW = 84;
const BOX = 34;

function placesOf(rows, width) {
  const places = new Map();
  const across = Math.max(1, Math.floor(width / 110));
  let line = 0;
  rows.forEach((row) => {
    for (let i = 0; i < row.length; i += across) {
      const part = row.slice(i, i + across);
      part.forEach((type, j) => places.set(type, {x: width * (j + 0.5) / part.length, y: 6 + BOX / 2 + line * ROW, line,
        w: Math.min(180, width / part.length - 8)}));
      line++;
    }
  });
  return {places, height: line * ROW - ROW + BOX + 12};
}

/** The curve of an edge, and the place of its label: edges over several rows pass beside the boxes. */
function curve(a, b, width, number) {
  const down = b.y >= a.y ? 1 : -1;
  const from = a.y + down * BOX / 2;
  const to = b.y - down * BOX / 2;
  const aside = b.line - a.line !== 1 ? (number % 2 === 0 ? 1 : -1) * (110 + 22 * (number % 5)) : 0;
  const bend = (x) => Math.max(8, Math.min(width - 8, x + aside));
  const middle = (from + to) / 2;
  const [x1, x2] = [bend(a.x), bend(b.x)];
  return {d: 'M' + a.x + ' ' + from + ' C' + x1 + ' ' + middle + ' ' + x2 + ' ' + middle + ' ' + b.x + ' ' + to,
    x: Math.max(26, Math.min(width - 26, (a.x + 3 * x1 + 3 * x2 + b.x) / 8)), y: middle + 4};
}

function paintGraph(data, run, edges, rows, width) {
  const {places, height} = placesOf(rows, width);
  const max = most(edges, (edge) => edge[2]) || 1;
  const graph = picture(width, height, 'Graph of task types; the table below has the same');
  const labels = [];
  edges.forEach(([from, to, n], i) => {
    const a = places.get(from);
    const b = places.get(to);
    if (a && b && from !== to) {
      const line = curve(a, b, width, i);
      graph.append(svg('path', {class: 'edge', 'stroke-width': (1 + 9 * n / max).toFixed(1), d: line.d}));
      labels.push(svg('text', {class: 'axis halo', x: line.x, y: line.y + (i % 3 - 1) * 9, 'text-anchor': 'middle'}, bytes(n)));
    }
  });
  places.forEach((place, type) => {
    const tasks = tasksOf(run, data.types[type]).length;
    const name = type < 0 ? 'inputs' : data.types[type];
    graph.append(svg('rect', {class: 'node', x: place.x - place.w / 2, y: place.y - BOX / 2, width: place.w, height: BOX, rx: 5}),
        svg('text', {class: 'label', x: place.x, y: place.y + (type < 0 ? 4 : -2), 'text-anchor': 'middle'},
            shorten(name, Math.floor(place.w / 8))),
        svg('text', {class: 'axis', x: place.x, y: place.y + 12, 'text-anchor': 'middle'}, type < 0 ? '' : plural(tasks, 'attempt')));
  });
  graph.append(...labels);
  return graph;
}

// --- critical path -------------------------------------------------------------------------------

const PATH_PHASES = [['start', 'start of the session'], ['between', 'between tasks'], ['wait', 'waiting for a worker'],
  ['cold', 'cold start'], ['local', 'stage-in, own node'], ['remote', 'stage-in, other nodes'], ['run', 'compute'],
  ['out', 'stage-out'], ['end', 'end of the run']];

const MAX_STEPS = 200;

function criticalPath(run, onTask) {
  const parts = pathParts(run);
  const total = Math.max(sum(parts, (part) => part.seconds), 1e-9);
  const sums = PATH_PHASES.map(([phase, label]) =>
      [phase, label, sum(parts.filter((part) => part.phase === phase), (part) => part.seconds)]).filter((s) => s[2] > 0);
  const steps = run.path.slice(0, MAX_STEPS).map((task) => [
    h('button', {type: 'button', class: 'link', onclick: () => onTask(task)}, task.name), nodeOf(run, task).name,
    seconds(task.start), orNothing(task.wait, seconds), orNothing(task.cold, seconds), orNothing(task.local + task.remote, seconds),
    seconds(task.run), orNothing(task.out, seconds)]);
  return [stackedBar(sums.map(([phase, , s]) => [s / total, phase === 'start' || phase === 'end' || phase === 'between' ? 'rest' : phase]), ''),
    h('ul', {class: 'legend'}, sums.map(([phase, label, s]) => h('li', {},
        swatch(phase === 'start' || phase === 'end' || phase === 'between' ? 'rest' : phase), label + ' ' + seconds(s) + ' (' + percent(s / total) + ')'))),
    table('Tasks of the critical path', ['Task', 'Node', 'Start', 'Waited', 'Cold start', 'Stage-in', 'Run', 'Stage-out'], steps, {}, [1]),
    run.path.length > MAX_STEPS ? h('p', {class: 'soft'}, count(run.path.length - MAX_STEPS) + ' more') : null];
}
