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
  'overdue': 'it had been ready for too long, so bytes did not count',
  'reserved': 'it is large, so the worker reserved room for it',
  'second-copy': 'a second copy of a slow attempt',
};

function decode(data) {
  data.runs.forEach((run) => decodeRun(run, data.types));
  return data;
}

function decodeRun(run, types) {
  const columns = run.tasks;
  const keys = Object.keys(columns).filter((key) => key !== 'outcomes' && key !== 'decisions');
  run.tasks = columns.name.map((_, i) => {
    const task = {index: i};
    keys.forEach((key) => { task[key] = columns[key][i]; });
    task.type = types[task.type];
    task.outcome = columns.outcomes[task.outcome];
    task.decision = columns.decisions[task.decision];
    task.start = task.dispatched;
    task.wait = task.dispatched - task.ready;
    task.end = task.dispatched + task.local + task.remote + task.run + task.out;
    task.cold = 0;
    return task;
  });
  run.workers = run.workers.map(([id, node, started, ended]) => ({id, node, started, ended}));
  run.nodes = run.nodes.map(([name, rack]) => ({name, rack}));
  run.path = run.path.map((i) => run.tasks[i]);
  run.files = {rows: run.fileRows, total: run.files, unread: run.unread, unreadBytes: run.unreadBytes};
  run.byType = groups(run.tasks, (task) => task.type);
  run.byNode = groups(run.workers, (worker) => worker.node);
  markColdStarts(run);
}

function groups(list, key) {
  const map = new Map();
  list.forEach((item) => {
    if (!map.has(key(item))) {
      map.set(key(item), []);
    }
    map.get(key(item)).push(item);
  });
  return map;
}

const tasksOf = (run, type) => run.byType.get(type) || [];

const nodeOf = (run, task) => run.nodes[run.workers[task.lane].node];

const read = (task) => task.inputLocal + task.inputRemote + task.inputCached;

const localShare = (t) => {
  const all = t.inputLocal + t.inputCached + t.inputRemote;
  return all === 0 ? 1 : (t.inputLocal + t.inputCached) / all;
};

/**
 * A cold start is the stage-in of a worker's first task beyond what its later tasks take for as many
 * bytes: the worker loads its code and opens its first connections.
 */
function markColdStarts(run) {
  const first = new Map();
  run.tasks.forEach((task) => {
    const known = first.get(task.lane);
    if (!known || task.dispatched < known.dispatched) {
      first.set(task.lane, task);
    }
  });
  const firsts = new Set(first.values());
  const warm = run.tasks.filter((task) => !firsts.has(task) && task.outcome === 'SUCCEEDED');
  if (warm.length < firsts.size) {
    return;
  }
  const small = warm.map((task) => task.local + task.remote).sort((a, b) => a - b);
  const perByte = warm.filter((task) => read(task) > 1e6)
      .map((task) => (task.local + task.remote) / read(task)).sort((a, b) => a - b);
  firsts.forEach((task) => {
    const usual = Math.max(quantile(small, 0.5), quantile(perByte, 0.5) * read(task));
    const cold = Math.max(0, task.local + task.remote - usual);
    task.cold = Math.round(1e3 * Math.min(cold, task.local + task.remote)) / 1e3;
    const fromLocal = Math.min(task.local, task.cold);
    task.local -= fromLocal;
    task.remote -= task.cold - fromLocal;
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
