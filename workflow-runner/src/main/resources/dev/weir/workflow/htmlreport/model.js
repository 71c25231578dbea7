// The data of the page, and what follows from it.

const PHASES = [
  {key: 'cold', label: 'cold start', colour: 'cold'},
  {key: 'local', label: 'stage-in, own node', colour: 'local'},
  {key: 'remote', label: 'stage-in, other nodes', colour: 'remote'},
  {key: 'run', label: 'run', colour: 'run'},
  {key: 'out', label: 'stage-out', colour: 'out'},
];

const REASONS = {
  'unknown': 'not recorded',
  'free-worker': 'a free worker: no free node had bytes of its inputs',
  'best-score': 'its score was highest here: its rank, and the reading that the node saves',
  'waited': 'it waited for this busy worker: moving its inputs would have taken longer',
  'ahead': 'given to a busy worker ahead of time, to stage its inputs meanwhile',
  'taken-back': 'taken back from a busy worker, where it would have waited longer',
  'urgent': 'a user put it first',
  'reserved': 'it is large, so the worker reserved room for it',
  'second-copy': 'a second copy of a slow attempt',
};

function decode(data) {
  data.runs.forEach((run) => decodeRun(run, data.types));
  return data;
}

function decodeRun(run, types) {
  const columns = run.tasks;
  columns.type = columns.type.map((i) => types[i]);
  columns.outcome = columns.outcome.map((i) => columns.outcomes[i]);
  columns.decision = columns.decision.map((i) => columns.decisions[i]);
  columns.start = columns.dispatched;
  columns.wait = columns.start.map((start, i) => start - columns.ready[i]);
  columns.end = columns.start.map((start, i) =>
      start + columns.local[i] + columns.remote[i] + columns.run[i] + columns.out[i]);
  columns.cold = columns.start.map(() => 0);
  const Task = taskClass(columns);
  run.tasks = columns.name.map((_, i) => new Task(i));
  run.workers = run.workers.map(([id, node, started, ended]) => ({id, node, started, ended}));
  const domain = domainOf(run.nodes.map(([name]) => name));
  run.nodes = run.nodes.map(([name, rack]) => ({name: name.slice(0, name.length - domain.length), rack}));
  run.path = run.path.map((i) => run.tasks[i]);
  run.files = {rows: run.fileRows, total: run.files, unread: run.unread, unreadBytes: run.unreadBytes};
  run.byType = groups(run.tasks, (task) => task.type);
  run.byLane = groups(run.tasks, (task) => task.lane);
  run.byNode = groups(run.workers, (worker) => worker.node);
  markColdStarts(run, columns);
}

/** Tasks read their columns: a hundred thousand objects with their own values take long to make. */
function taskClass(columns) {
  class Task {
    constructor(index) {
      this.index = index;
    }
  }
  Object.entries(columns).forEach(([key, column]) => Object.defineProperty(Task.prototype, key, {
    get() {
      return column[this.index];
    },
  }));
  return Task;
}

/** The end that all names of hosts share, from their first dot. */
function domainOf(names) {
  const dot = names.length < 2 ? -1 : names[0].indexOf('.');
  const domain = dot < 0 || /^[\d.]*$/.test(names[0]) ? '' : names[0].slice(dot);
  return names.every((name) => name.slice(name.indexOf('.')) === domain) ? domain : '';
}

function groups(list, key) {
  const map = new Map();
  list.forEach((item) => {
    const group = map.get(key(item));
    if (group) {
      group.push(item);
    } else {
      map.set(key(item), [item]);
    }
  });
  return map;
}

const tasksOf = (run, type) => run.byType.get(type) || [];

const nodeOf = (run, task) => run.nodes[run.workers[task.lane].node];

const read = (task) => task.inputLocal + task.inputRemote + task.inputCached;

const inputBytes = (t) => t.inputLocal + t.inputCached + t.inputRemote;

const localShare = (t) => {
  const all = inputBytes(t);
  return all === 0 ? 1 : (t.inputLocal + t.inputCached) / all;
};

/**
 * A cold start is the stage-in of a worker's first task beyond what its later tasks take for as many
 * bytes: the worker loads its code and opens its first connections.
 */
function markColdStarts(run, columns) {
  const firsts = new Set([...run.byLane.values()].map((tasks) =>
      tasks.reduce((first, task) => (task.start < first.start ? task : first))));
  const warm = run.tasks.filter((task) => !firsts.has(task) && task.outcome === 'SUCCEEDED');
  if (warm.length < firsts.size) {
    return;
  }
  const small = sorted(warm.map((task) => task.local + task.remote));
  const perByte = sorted(warm.filter((task) => read(task) > 1e6)
      .map((task) => (task.local + task.remote) / read(task)));
  firsts.forEach((task) => {
    const usual = Math.max(quantile(small, 0.5), quantile(perByte, 0.5) * read(task));
    const cold = Math.round(1e3 * Math.max(0, task.local + task.remote - usual)) / 1e3;
    const fromLocal = Math.min(task.local, cold);
    columns.cold[task.index] = cold;
    columns.local[task.index] -= fromLocal;
    columns.remote[task.index] = Math.max(0, task.remote - (cold - fromLocal));
  });
}

/** Spreads an amount evenly over a part of a series; each point gets the amount within it. */
function spread(series, span, from, to, amount) {
  const width = span / series.length;
  const last = series.length - 1;
  const begin = Math.min(last, Math.max(0, Math.floor(from / width)));
  const end = Math.min(last, Math.max(0, Math.floor(to / width)));
  if (begin === end || to <= from) {
    series[begin] += amount;
    return;
  }
  for (let i = begin; i <= end; i++) {
    const overlap = Math.min(to, (i + 1) * width) - Math.max(from, i * width);
    series[i] += amount * Math.max(0, overlap) / (to - from);
  }
}

const POINTS = 200;
const zeros = () => new Array(POINTS).fill(0);

/** The series over time of a run, and the bytes that each node received. */
function seriesOf(run) {
  const span = Math.max(run.makespan, 1e-3);
  const width = span / POINTS;
  const series = {waiting: zeros(), stageIn: zeros(), running: zeros(), stageOut: zeros(),
    processors: zeros(), cached: zeros(), received: new Map()};
  run.tasks.forEach((task) => {
    const reading = task.start + task.cold + task.local + task.remote;
    const done = reading + task.run;
    spread(series.waiting, span, task.ready, task.start, task.wait / width);
    spread(series.stageIn, span, task.start, reading, (reading - task.start) / width);
    spread(series.running, span, reading, done, task.run / width);
    spread(series.stageOut, span, done, task.end, task.out / width);
    spread(series.processors, span, reading, done, task.cpu / width);
    spread(series.cached, span, task.start, reading, task.inputCached / width);
    if (task.inputRemote > 0) {
      const node = run.workers[task.lane].node;
      if (!series.received.has(node)) {
        series.received.set(node, zeros());
      }
      spread(series.received.get(node), span, task.start + task.cold + task.local, reading,
          task.inputRemote / width);
    }
  });
  return series;
}

/** The critical path in parts that follow each other: [task or null, phase, seconds]. */
function pathParts(run) {
  const parts = [];
  let at = 0;
  run.path.forEach((task, i) => {
    parts.push({task, phase: i === 0 ? 'start' : 'between', seconds: Math.max(0, task.ready - at)});
    parts.push({task, phase: 'wait', seconds: Math.max(0, task.start - Math.max(at, task.ready))});
    PHASES.forEach((phase) => parts.push({task, phase: phase.key, seconds: task[phase.key]}));
    at = task.end;
  });
  parts.push({task: null, phase: 'end', seconds: Math.max(0, run.makespan - at)});
  return parts;
}
