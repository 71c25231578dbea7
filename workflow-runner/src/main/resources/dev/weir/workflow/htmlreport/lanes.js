// What each worker did: a lane a worker, one above the other, on canvases of some lanes each.

const LANE = 24;
const HEAD = 22;
const LANES_A_CANVAS = 40;
// With more workers than this fits, lanes are thinner.
const MAX_HEIGHT = 12000;

const lanesView = {from: 0, to: 1, type: ''};

function laneHeight(run) {
  return Math.max(3, Math.min(LANE, Math.floor(MAX_HEIGHT / Math.max(1, run.workers.length))));
}

/** The canvases of a run, which are painted when they come into view. */
function drawLanes(run, longest, onTask) {
  const boxes = [];
  for (let from = 0; from < Math.max(1, run.workers.length); from += LANES_A_CANVAS) {
    boxes.push(drawSomeLanes(run, {from, to: Math.min(run.workers.length, from + LANES_A_CANVAS), longest}, onTask));
  }
  return boxes;
}

function drawSomeLanes(run, part, onTask) {
  const canvas = h('canvas', {role: 'img', 'aria-label': 'Lanes of ' + plural(part.to - part.from, 'worker')
      + ' over ' + seconds(run.makespan) + '; the table of tasks has the same in words'});
  const tip = h('div', {class: 'tip', hidden: true});
  const box = h('div', {class: 'chart lanes', style: 'min-height:' + ((part.to - part.from) * laneHeight(run) + HEAD) + 'px'},
      canvas, tip);
  onWidth(box, (width) => paintLanes(run, part, canvas, width));
  const at = (event) => {
    const bounds = canvas.getBoundingClientRect();
    return findTask(run, part, bounds, event.clientX - bounds.left, event.clientY - bounds.top);
  };
  canvas.addEventListener('pointermove', (event) => {
    const task = at(event);
    canvas.style.cursor = task ? 'pointer' : '';
    showTip(tip, box, run, task, event);
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('click', (event) => {
    const task = at(event);
    if (task) {
      onTask(task);
    }
  });
  return box;
}

function showTip(tip, box, run, task, event) {
  tip.hidden = !task;
  if (!task) {
    return;
  }
  tip.replaceChildren(h('b', {}, task.name), h('br'), nodeOf(run, task).name + ', ' + seconds(task.start)
      + ', took ' + seconds(task.end - task.start), h('br'),
  ...PHASES.filter((phase) => task[phase.key] > 0).flatMap((phase) =>
    [swatch(phase.colour), phase.label + ' ' + seconds(task[phase.key]), h('br')]));
  const bounds = box.getBoundingClientRect();
  const left = Math.min(event.clientX - bounds.left + 12, Math.max(0, bounds.width - tip.offsetWidth - 4));
  tip.style.left = Math.max(0, left) + 'px';
  tip.style.top = (event.clientY - bounds.top + 16) + 'px';
}

/** The task at a place; of several the last. */
function findTask(run, part, bounds, x, y) {
  const scale = timeScale(part, bounds.width);
  const tasks = run.byLane.get(part.from + Math.floor(y / laneHeight(run))) || [];
  return tasks.findLast((task) => x >= scale.x(task.start) - 2 && x <= scale.x(task.end) + 2
      && x >= scale.left && x <= scale.right);
}

/** Where times are: between left and right. */
function timeScale(part, width) {
  const left = Math.min(160, Math.floor(width / 4));
  const right = width - 8;
  const span = part.longest * (lanesView.to - lanesView.from);
  return {left, right, span, x: (time) => left + (right - left) * (time - part.longest * lanesView.from) / span};
}

function laneName(run, worker, i, first) {
  const node = run.nodes[worker.node].name;
  const several = run.byNode.get(worker.node).length > 1;
  return (!first && run.workers[i - 1].node === worker.node ? '' : node) + (several ? ' ' + worker.id.slice(-6) : '');
}

function paintLanes(run, part, canvas, width) {
  const scale = timeScale(part, width);
  const lane = laneHeight(run);
  const height = (part.to - part.from) * lane;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = width * ratio;
  canvas.height = (height + HEAD) * ratio;
  canvas.style.width = width + 'px';
  canvas.style.height = height + HEAD + 'px';
  const draw = canvas.getContext('2d');
  draw.scale(ratio, ratio);
  draw.font = '12px ' + getComputedStyle(document.body).fontFamily;
  draw.textBaseline = 'middle';
  const colours = Object.fromEntries(['band', 'soft', 'ink', 'wait', ...PHASES.map((phase) => phase.colour)]
      .map((name) => [name, colour(name)]));
  for (let i = part.from; i < part.to; i++) {
    const top = (i - part.from) * lane;
    paintWorker(run, i, draw, {scale, top, lane, width, colours, first: i === part.from});
    (run.byLane.get(i) || []).forEach((task) => paintTask(task, draw, {scale, top, lane, colours}));
  }
  draw.globalAlpha = 1;
  paintTimes(part, draw, {scale, height, ink: colours.soft});
}

function paintWorker(run, i, draw, at) {
  const worker = run.workers[i];
  if (worker.node % 2 === 0) {
    draw.fillStyle = at.colours.band;
    draw.fillRect(0, at.top, at.width, at.lane);
  }
  if (at.lane >= 11) {
    draw.fillStyle = at.colours.soft;
    draw.textAlign = 'right';
    draw.fillText(shorten(laneName(run, worker, i, at.first), Math.floor(at.scale.left / 7)), at.scale.left - 6, at.top + at.lane / 2);
  }
  const from = Math.max(at.scale.left, at.scale.x(0));
  const begin = Math.min(at.scale.x(worker.started), at.scale.right);
  if (begin > from) {
    draw.fillStyle = at.colours.cold;
    draw.globalAlpha = 0.3;
    draw.fillRect(from, at.top + at.lane * 0.35, begin - from, at.lane * 0.3);
  }
  draw.globalAlpha = 1;
}

function paintTask(task, draw, at) {
  const {x, left, right} = at.scale;
  const from = x(task.start);
  const to = x(task.end);
  if (to < left || from > right) {
    return;
  }
  const bar = Math.max(2, Math.round(at.lane * 0.6));
  const top = at.top + Math.round((at.lane - bar) / 2);
  draw.globalAlpha = lanesView.type !== '' && task.type !== lanesView.type ? 0.12 : 1;
  const rect = (begin, end, y, high, name) => {
    const x0 = Math.max(begin, left);
    const x1 = Math.min(end, right);
    if (x1 >= x0) {
      draw.fillStyle = at.colours[name];
      draw.fillRect(x0, y, Math.max(x1 - x0, 0.5), high);
    }
  };
  if (to - from < 1) {
    // A task of less than a pixel has the colour of its longest phase.
    rect(from, from + 1, top, bar, PHASES.reduce((a, b) => (task[b.key] > task[a.key] ? b : a)).colour);
    return;
  }
  if (task.wait > 0 && at.lane > 12) {
    rect(x(task.ready), from, top + bar + 1, 2, 'wait');
  }
  let time = task.start;
  PHASES.forEach((phase) => {
    if (task[phase.key] > 0) {
      rect(x(time), x(time + task[phase.key]), top, bar, phase.colour);
      time += task[phase.key];
    }
  });
  if (task.outcome !== 'SUCCEEDED') {
    draw.strokeStyle = at.colours.ink;
    draw.lineWidth = 2;
    draw.strokeRect(Math.max(from, left), top - 1, Math.max(3, Math.min(to, right) - Math.max(from, left)), bar + 2);
  }
}

function paintTimes(part, draw, {scale, height, ink}) {
  draw.fillStyle = ink;
  draw.textAlign = 'center';
  const step = ticks(scale.span, Math.max(2, Math.floor((scale.right - scale.left) / 110)))[1] || scale.span;
  for (let t = Math.ceil(part.longest * lanesView.from / step) * step; t <= part.longest * lanesView.to + 1e-9; t += step) {
    const place = scale.x(t);
    draw.globalAlpha = 0.25;
    draw.fillRect(place, 0, 1, height);
    draw.globalAlpha = 1;
    draw.fillText(seconds(t), Math.min(place, scale.right - 18), height + HEAD / 2);
  }
}

function redrawLanes() {
  document.querySelectorAll('.lanes').forEach((box) => {
    box.weirWidth = 0;
    drawIfNear(box);
  });
}

/** Zooms by a factor, or moves by a share of what is seen. */
function zoomLanes(factor, move) {
  const middle = (lanesView.from + lanesView.to) / 2;
  const half = Math.min(0.5, (lanesView.to - lanesView.from) / 2 * factor);
  const centre = Math.min(1 - half, Math.max(half, middle + move * 2 * half));
  lanesView.from = centre - half;
  lanesView.to = centre + half;
  redrawLanes();
}
