// The page: fills its sections, and again when new data comes.

const REFRESH_MILLIS = 3000;

const view = {data: null, run: 0, task: null, opener: null, tasks: null, files: null};

const current = () => view.data.runs[view.run];

function openTask(task) {
  view.task = task.name + ' ' + task.attempt;
  view.opener = document.activeElement;
  replace('task', ...taskDetails(current(), task).flat(Infinity).filter((part) => part),
      h('button', {type: 'button', onclick: closeTask}, 'Close'));
  const box = byId('task');
  box.hidden = false;
  box.focus();
  box.scrollIntoView({block: 'nearest'});
}

function closeTask() {
  view.task = null;
  byId('task').hidden = true;
  // The table may have been drawn again since.
  const opener = view.opener !== document.body && view.opener.isConnected ? view.opener : byId('search');
  opener.focus();
}

function runSwitch() {
  const box = byId('which');
  box.hidden = view.data.runs.length < 2;
  const select = byId('run');
  if (select.options.length !== view.data.runs.length) {
    select.replaceChildren(...view.data.runs.map((run, i) => h('option', {value: i}, run.label)));
  }
}

function header(data) {
  const run = data.runs[0];
  byId('subtitle').textContent = [data.runs.map((one) => one.label).join(', '),
    plural(run.nodes.length, 'node') + ', ' + plural(run.workers.length, 'worker'),
    'started ' + run.started.replace('T', ' ').replace(/\.\d+/, '').replace('Z', ' UTC')].join(' \u00b7 ');
  byId('failure').hidden = !data.failure;
  byId('failure-text').textContent = data.failure;
  const standIns = data.runs.filter((one) => one.standIn).map((one) => one.label);
  byId('stand-in').hidden = standIns.length === 0;
  byId('stand-in').textContent = 'Stand-ins took the place of the commands (' + standIns.join(', ')
      + '): they read and write the declared bytes and sleep for the recorded time. Their outputs have no meaning.';
}

function lanes(data) {
  const longest = Math.max(most(data.runs, (run) => run.makespan), 1e-3);
  byId('lanes').replaceChildren(...data.runs.map((run, i) =>
    h('figure', {}, h('figcaption', {}, run.label + ': ' + seconds(run.makespan)
        + (inputBytes(run.totals) ? ', ' + percent(localShare(run.totals)) + ' of input bytes read locally' : '')),
    drawLanes(run, longest, (task) => {
      choose(i);
      openTask(task);
    }))));
  const types = byId('types');
  if (types.options.length !== data.types.length + 1) {
    types.replaceChildren(h('option', {value: ''}, 'all types'), ...data.types.map((type) => h('option', {value: type}, type)));
  }
}

function choose(i) {
  view.run = i;
  byId('run').value = i;
  showRun();
}

function showRun() {
  const data = view.data;
  const run = current();
  view.tasks.show(run.tasks);
  view.files.show(run.files.rows);
  replace('types-table', typesTable(data, run));
  replace('decisions', decisionsTable(run));
  const detailed = Object.keys(run.details).length;
  byId('detailed').textContent = detailed === run.tasks.length ? ''
      : 'Command, reason and files are in this page for ' + count(detailed) + ' of ' + count(run.tasks.length)
      + ' attempts: failed ones, the critical path, those that moved the most bytes or took longest.';
  byId('files-note').textContent = plural(run.files.total, 'file') + '; ' + plural(run.files.unread, 'replica')
      + ' of files that tasks read (' + bytes(run.files.unreadBytes) + ') never read.'
      + (run.files.rows.length < run.files.total ? ' The ' + count(run.files.rows.length) + ' of which most bytes were moved:' : '');
  section('files', run.files.rows.length > 0);
  const matrices = [matrix(run, run.fromNodes, 'From DataNodes'), matrix(run, run.fromCaches, 'From caches')].filter((m) => m);
  replace('matrix-tables', ...matrices);
  section('matrix', matrices.length > 0);
  replace('time-charts', ...overTime(run));
  replace('graph-picture', ...typeGraph(data, run));
  section('graph', run.edges.length > 0);
  replace('path-parts', ...criticalPath(run, openTask));
  section('path', run.path.length > 0);
  if (view.task) {
    const task = run.tasks.find((one) => one.name + ' ' + one.attempt === view.task);
    byId('task').hidden = !task;
  }
}

function show(data) {
  view.data = decode(data);
  view.run = Math.min(view.run, data.runs.length - 1);
  header(view.data);
  runSwitch();
  replace('totals-table', totalsTable(view.data));
  // The runs of a session need not be of one workflow.
  const alike = view.data.runs.length > 1 && view.data.runs.every((run) => run.workflow === view.data.runs[0].workflow);
  section('compare', alike);
  replace('comparison', ...(alike ? comparison(view.data) : []));
  lanes(view.data);
  // The rest is filled after the first screen is painted, because it is slow with 100,000 tasks.
  requestAnimationFrame(() => setTimeout(showRun));
}

function controls() {
  const search = () => {
    const outcome = byId('outcome').value;
    view.tasks.find(byId('search').value, (task) => outcome === '' || (outcome === 'bad') === (task.outcome !== 'SUCCEEDED'));
  };
  view.tasks = new PagedTable(byId('task-rows'), 'Tasks', taskColumns(current, openTask),
      (task) => task.name + ' ' + task.type + ' ' + nodeOf(current(), task).name + ' ' + commandOf(current(), task));
  view.files = new PagedTable(byId('file-rows'), 'Files', fileColumns(current), (row) => row[0] + ' ' + row[3]);
  byId('search').addEventListener('input', search);
  byId('outcome').addEventListener('change', search);
  byId('file-search').addEventListener('input', (event) => view.files.find(event.target.value, () => true));
  byId('run').addEventListener('change', (event) => choose(Number(event.target.value)));
  byId('types').addEventListener('change', (event) => {
    lanesView.type = event.target.value;
    redrawLanes();
  });
  document.querySelectorAll('[data-zoom]').forEach((button) => button.addEventListener('click', () =>
      zoomLanes(Number(button.dataset.zoom), Number(button.dataset.move || 0))));
  byId('legend').replaceChildren(...PHASES.map((phase) => h('li', {}, swatch(phase.colour), phase.label)),
      h('li', {}, swatch('wait'), 'ready, waiting'));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && view.task) {
      closeTask();
    }
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redrawLanes());
}

/** A live page asks for its data until the run ends. */
async function refresh(source) {
  try {
    const answer = await fetch(source, {cache: 'no-store'});
    if (!answer.ok) {
      throw new Error(answer.status);
    }
    show(await answer.json());
    byId('live').textContent = 'Live, with the attempts that have ended: updated ' + new Date().toLocaleTimeString();
  } catch (problem) {
    byId('live').textContent = 'Not live: the run does not answer (' + problem.message + ')';
  }
  if (view.data.runs.some((run) => run.state === 'RUNNING')) {
    setTimeout(() => refresh(source), REFRESH_MILLIS);
  } else {
    byId('live').textContent = 'The run has ended';
  }
}

const initial = JSON.parse(byId('data').textContent);
byId('data').textContent = '';
controls();
show(initial);
if (initial.live) {
  byId('live').hidden = false;
  setTimeout(() => refresh(initial.live), REFRESH_MILLIS);
}
