// One task: its command, its phases, why it ran on its node, its files.

function taskDetails(run, task) {
  const detail = run.details[task.index] || {};
  const node = nodeOf(run, task);
  const fact = (name, ...value) => [h('dt', {}, name), h('dd', {}, value)];
  return [
    h('h3', {}, task.name),
    h('dl', {},
        detail.command ? fact('Command', h('code', {}, detail.command)) : null,
        fact('Type', task.type),
        fact('Node', node.name + (node.rack ? ', rack ' + node.rack : '') + ', worker '
            + run.workers[task.lane].id),
        fact('Attempt', String(task.attempt)),
        task.outcome === 'SUCCEEDED' ? null
            : fact('End', h('span', {class: 'failed'}, ending(task)), detail.message ? h('pre', {}, detail.message) : null),
        fact('Times', 'ready at ' + seconds(task.ready) + ', waited ' + seconds(task.wait)
            + PHASES.filter((phase) => task[phase.key] > 0)
                .map((phase) => ', ' + phase.label + ' ' + seconds(task[phase.key])).join('')),
        task.cpu || task.memory ? fact('Used', seconds(task.cpu) + ' of processors'
            + (task.run ? ' (' + percent(task.cpu / task.run) + ' of one)' : '')
            + (task.memory ? ', at most ' + bytes(task.memory) : '')) : null),
    whyHere(run, task, detail),
    fileList(run, 'Inputs', detail, 'inputs', (file) => sources(run, file)),
    fileList(run, 'Outputs', detail, 'outputs', (file) => file[2].map(([n]) => run.nodes[n].name).join(', ')),
  ];
}

function whyHere(run, task, detail) {
  const parts = [h('h4', {}, 'Why here'), h('p', {}, decisionText(task, run))];
  if (!detail.why) {
    return parts;
  }
  const [input, rate, ...candidates] = detail.why;
  const here = run.workers[task.lane].node;
  const listed = candidates.some(([node]) => node === here) ? candidates : candidates.concat([[here, 0]]);
  if (input > 0 && candidates.length > 0) {
    parts.push(table('Candidate nodes', ['Node', 'Had of its inputs', 'Missing', 'Estimate to move', 'Wait for its worker', 'Together'],
        listed.map(([node, had, wait = 0]) => {
          const move = Math.max(0, input - had) / rate;
          return [run.nodes[node].name + (node === here ? ' (chosen)' : ''), bytes(had), bytes(Math.max(0, input - had)),
            rate > 0 ? seconds(move) : '', wait > 0 ? 'at least ' + seconds(wait) : '', rate > 0 ? seconds(move + wait) : ''];
        })),
    h('p', {class: 'soft'}, 'Its inputs had ' + bytes(input) + '. The estimate takes the rate measured until then, '
        + bytes(rate) + '/s. A wait is shown where the scheduler compared it with the move. At most four candidates are recorded, those with most bytes.'));
  }
  return parts;
}

function decisionText(task, run) {
  if (task.decision === 'unknown' && read(task) === 0) {
    return 'It has no inputs, so any free worker was as good.';
  }
  const reason = REASONS[task.decision] || task.decision;
  return run.mode === 'stock' && task.decision === 'free-worker'
      ? 'Mode stock gives a free worker the task that is ready longest, wherever its inputs are.' : reason + '.';
}

function sources(run, file) {
  const [, size, nodes, caches] = file;
  const own = size - sum(nodes, ([, b]) => b) - sum(caches, ([, b]) => b);
  return [own > 0 ? 'own node ' + bytes(own) : '',
    ...nodes.map(([n, b]) => run.nodes[n].name + ' ' + bytes(b)),
    ...caches.map(([n, b]) => 'cache of ' + run.nodes[n].name + ' ' + bytes(b))].filter((t) => t).join(', ');
}

function fileList(run, title, detail, key, where) {
  const files = detail[key];
  if (!files) {
    return null;
  }
  const all = detail[key + 'Count'];
  return [h('h4', {}, title),
    table(title, ['File', 'Size', key === 'inputs' ? 'Read from' : 'On'],
        files.map((file) => [file[0], bytes(file[1]), where(file)])),
    all > files.length ? h('p', {class: 'soft'}, count(all - files.length) + ' more') : null];
}
