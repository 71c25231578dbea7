// What each worker did: a lane a worker, one above the other, on a canvas.

const LANE = 24;
const HEAD = 22;
// More lanes than this are thinner, so that the picture stays below the limit of a canvas.
const MAX_HEIGHT = 12000;

const lanesView = {from: 0, to: 1, type: '', boxes: []};

function laneHeight(run) {
  return Math.max(3, Math.min(LANE, Math.floor(MAX_HEIGHT / Math.max(1, run.workers.length))));
}

function drawLanes(run, longest, box, onTask) {
  const canvas = h('canvas', {role: 'img', 'aria-label': 'Lanes of ' + plural(run.workers.length, 'worker')
      + ' over ' + seconds(run.makespan) + '; the table of tasks has the same in words'});
  const tip = h('div', {class: 'tip', hidden: true});
  box.replaceChildren(canvas, tip);
  let places = [];
  const paint = (width) => { places = paintLanes(run, longest, canvas, width); };
  onWidth(box, paint);
  box.weirPaint = () => paint(box.clientWidth);
  lanesView.boxes.push(box);
  const at = (event) => {
    const bounds = canvas.getBoundingClientRect();
    return findTask(places, event.clientX - bounds.left, event.clientY - bounds.top);
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
}

function showTip(tip, box, run, task, event) {
  tip.hidden = !task;
  if (!task) {
    return;
  }
  tip.replaceChildren(h('b', {}, task.name), h('br'), nodeOf(run, task).name + ', ' + seconds(task.start)
      + ', took ' + seconds(task.end - task.start), h('br'),
  PHASES.filter((phase) => task[phase.key] > 0).map((phase) =>
    [swatch(phase.colour), phase.label + ' ' + seconds(task[phase.key]), h('br')]));
  const bounds = box.getBoundingClientRect();
  const left = Math.min(event.clientX - bounds.left + 12, Math.max(0, bounds.width - tip.offsetWidth - 4));
  tip.style.left = Math.max(0, left) + 'px';
  tip.style.top = (event.clientY - bounds.top + 16) + 'px';
}

/** The task at a place; the lists are by lane, with ends in order of their starts. */
function findTask(places, x, y) {
  const lane = places.find((one) => y >= one.top && y < one.bottom);
  if (!lane) {
    return null;
  }
  const hits = lane.tasks.filter((place) => x >= place.from - 2 && x <= place.to + 2);
  return hits.length === 0 ? null : hits[hits.length - 1].task;
}

function laneName(run, worker, i) {
  const node = run.nodes[worker.node].name;
  const above = run.workers[i - 1];
  const several = run.byNode.get(worker.node).length > 1;
  return (above && above.node === worker.node ? '' : node) + (several ? ' ' + worker.id.slice(-6) : '');
}

function paintLanes(run, longest, canvas, width) {
  const height = laneHeight(run);
  const left = Math.min(160, Math.floor(width / 4));
  const area = width - left - 8;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = width * ratio;
  canvas.height = (run.workers.length * height + HEAD) * ratio;
  canvas.style.width = width + 'px';
  canvas.style.height = run.workers.length * height + HEAD + 'px';
  const draw = canvas.getContext('2d');
  draw.scale(ratio, ratio);
  const span = longest * (lanesView.to - lanesView.from);
  const x = (time) => left + area * (time - longest * lanesView.from) / span;
  const ink = colour('ink');
  const soft = colour('soft');
  const fills = Object.fromEntries(PHASES.map((phase) => [phase.key, colour(phase.colour)]));
  draw.font = '12px ' + getComputedStyle(document.body).fontFamily;
  draw.textBaseline = 'middle';
  const places = run.workers.map((worker, i) => {
    const top = i * height;
    if (worker.node % 2 === 0) {
      draw.fillStyle = colour('band');
      draw.fillRect(0, top, width, height);
    }
    if (height >= 11) {
      draw.fillStyle = soft;
      draw.textAlign = 'right';
      draw.fillText(shorten(laneName(run, worker, i), Math.floor(left / 7)), left - 6, top + height / 2);
    }
    const begin = Math.max(left, Math.min(x(worker.started), left + area));
    draw.fillStyle = fills.cold;
    draw.globalAlpha = 0.3;
    if (begin > left && lanesView.from * longest < worker.started) {
      draw.fillRect(Math.max(left, x(0)), top + height * 0.35, begin - Math.max(left, x(0)), height * 0.3);
    }
    draw.globalAlpha = 1;
    return {top, bottom: top + height, tasks: []};
  });
  paintTasks(run, draw, {x, left, right: left + area, height, fills, ink, wait: colour('wait')}, places);
  draw.fillStyle = soft;
  draw.textAlign = 'center';
  const step = ticks(span, Math.max(2, Math.floor(area / 110)))[1] || span;
  for (let t = Math.ceil(longest * lanesView.from / step) * step; t <= longest * lanesView.to + 1e-9; t += step) {
    const place = x(t);
    draw.globalAlpha = 0.25;
    draw.fillRect(place, 0, 1, run.workers.length * height);
    draw.globalAlpha = 1;
    draw.fillText(seconds(t), Math.min(place, left + area - 18), run.workers.length * height + HEAD / 2);
  }
  return places;
}

function paintTasks(run, draw, at, places) {
  run.tasks.forEach((task) => {
    const lane = places[task.lane];
    const from = at.x(task.start);
    const to = at.x(task.end);
    if (to < at.left || from > at.right) {
      return;
    }
    lane.tasks.push({from: Math.max(from, at.left), to: Math.min(to, at.right), task});
    const bar = Math.max(2, Math.round(at.height * 0.6));
    const top = lane.top + Math.round((at.height - bar) / 2);
    draw.globalAlpha = lanesView.type !== '' && task.type !== lanesView.type ? 0.12 : 1;
    const rect = (begin, end, y, high, fillStyle) => {
      const x0 = Math.max(begin, at.left);
      const x1 = Math.min(end, at.right);
      if (x1 >= x0) {
        draw.fillStyle = fillStyle;
        draw.fillRect(x0, y, Math.max(x1 - x0, 0.5), high);
      }
    };
    if (to - from < 1) {
      // Less than a pixel: its longest phase stands for it.
      const longest = PHASES.reduce((a, b) => (task[b.key] > task[a.key] ? b : a));
      rect(from, from + 1, top, bar, at.fills[longest.key]);
      return;
    }
    if (task.wait > 0 && at.height > 12) {
      rect(at.x(task.ready), from, top + bar + 1, 2, at.wait);
    }
    let time = task.start;
    PHASES.forEach((phase) => {
      if (task[phase.key] > 0) {
        rect(at.x(time), at.x(time + task[phase.key]), top, bar, at.fills[phase.key]);
        time += task[phase.key];
      }
    });
    if (task.outcome !== 'SUCCEEDED') {
      draw.strokeStyle = at.ink;
      draw.lineWidth = 2;
      draw.strokeRect(Math.max(from, at.left), top - 1, Math.max(3, Math.min(to, at.right) - Math.max(from, at.left)), bar + 2);
    }
  });
  draw.globalAlpha = 1;
}

function repaintLanes() {
  lanesView.boxes.forEach((box) => box.weirPaint());
}

/** Zooms by a factor, or moves by a share of what is seen. */
function zoomLanes(factor, move) {
  const middle = (lanesView.from + lanesView.to) / 2;
  const half = Math.min(0.5, (lanesView.to - lanesView.from) / 2 * factor);
  const centre = Math.min(1 - half, Math.max(half, middle + move * 2 * half));
  lanesView.from = centre - half;
  lanesView.to = centre + half;
  repaintLanes();
}
