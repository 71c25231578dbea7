// Tables that are searched, sorted and paged: a hundred thousand rows are never all in the page.

const PAGE = 50;

/**
 * A table.
 *
 * @param columns [{label, value(row), show(row)}]; a column whose value is a number is right-aligned
 * @param rows all rows
 * @param search(row) the text that is searched
 */
class PagedTable {
  constructor(box, caption, columns, search) {
    this.columns = columns;
    this.search = search;
    this.rows = [];
    this.filter = () => true;
    this.words = '';
    this.sorted = null;
    this.down = false;
    this.page = 0;
    this.heads = columns.map((column) => h('th', {scope: 'col'}, h('button',
        {type: 'button', class: 'sort', onclick: () => this.sortBy(column)}, column.label)));
    this.heads.forEach((head) => head.setAttribute('role', 'columnheader'));
    this.body = h('tbody', {role: 'rowgroup'});
    this.status = h('span', {role: 'status'});
    this.earlier = h('button', {type: 'button', onclick: () => this.turn(-1)}, 'Earlier');
    this.later = h('button', {type: 'button', onclick: () => this.turn(1)}, 'Later');
    this.table = tableOf(caption, {class: 'rows'}, this.heads, this.body);
    box.replaceChildren(this.table,
        h('p', {class: 'pages'}, this.earlier, this.later, this.status));
  }

  show(rows) {
    this.rows = rows;
    this.update();
  }

  find(words, filter) {
    this.words = words.toLowerCase();
    this.filter = filter;
    this.page = 0;
    this.update();
  }

  sortBy(column) {
    this.down = this.sorted === column ? !this.down : typeof column.value(this.rows[0] || {}) === 'number';
    this.sorted = column;
    this.page = 0;
    this.update();
  }

  turn(pages) {
    this.page += pages;
    this.draw();
  }

  update() {
    this.found = this.rows.filter((row) => this.filter(row)
        && (this.words === '' || this.search(row).toLowerCase().includes(this.words)));
    if (this.sorted) {
      const value = this.sorted.value;
      const sign = this.down ? -1 : 1;
      this.found.sort((a, b) => {
        const x = value(a);
        const y = value(b);
        return sign * (typeof x === 'number' ? x - y : String(x).localeCompare(String(y)));
      });
    }
    this.columns.forEach((column, i) => {
      this.heads[i].className = this.rows.length > 0 && typeof column.value(this.rows[0]) !== 'number' ? 'text' : '';
      this.heads[i].setAttribute('aria-sort',
          this.sorted !== column ? 'none' : this.down ? 'descending' : 'ascending');
    });
    this.draw();
  }

  draw() {
    const pages = Math.max(1, Math.ceil(this.found.length / PAGE));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const from = this.page * PAGE;
    const shown = this.found.slice(from, from + PAGE);
    this.body.replaceChildren(...shown.map((row) => h('tr', {role: 'row'}, this.columns.map((column, i) =>
        cellOf(column.show(row), i, column.label, typeof column.value(row) !== 'number')))));
    fit(this.table);
    this.earlier.disabled = this.page === 0;
    this.later.disabled = this.page === pages - 1;
    this.status.textContent = this.found.length === 0 ? 'No rows'
        : count(from + 1) + ' to ' + count(from + shown.length) + ' of ' + count(this.found.length);
  }
}

const orNothing = (n, format) => (n > 0 ? format(n) : '');

function taskColumns(run, onTask) {
  const time = (label, key) => ({label, value: (t) => t[key], show: (t) => orNothing(t[key], seconds)});
  const size = (label, value) => ({label, value, show: (t) => orNothing(value(t), bytes)});
  return [
    {label: 'Task', value: (t) => t.name, show: (t) => [
      h('button', {type: 'button', class: 'link', onclick: () => onTask(t)}, t.name),
      h('span', {class: 'command'}, shorten(commandOf(run(), t), 60))]},
    {label: 'Type', value: (t) => t.type, show: (t) => t.type},
    {label: 'Node', value: (t) => nodeOf(run(), t).name, show: (t) => nodeOf(run(), t).name},
    {label: 'Attempt', value: (t) => t.attempt, show: (t) => String(t.attempt)},
    {label: 'End', value: (t) => t.outcome, show: (t) => (t.outcome === 'SUCCEEDED' ? 'succeeded'
        : h('span', {class: 'failed'}, ending(t)))},
    {label: 'Start', value: (t) => t.start, show: (t) => seconds(t.start)},
    time('Waited', 'wait'),
    time('Cold start', 'cold'),
    {label: 'Stage-in', value: (t) => t.local + t.remote, show: (t) => orNothing(t.local + t.remote, seconds)},
    time('Run', 'run'),
    time('Stage-out', 'out'),
    size('Own node', (t) => t.inputLocal),
    size('Cache', (t) => t.inputCached),
    size('Same rack', (t) => t.inputRack),
    size('Other racks', (t) => Math.max(0, t.inputRemote - t.inputRack)),
    size('Written', (t) => t.output),
    time('Processor', 'cpu'),
    size('Memory', (t) => t.memory),
  ];
}

function commandOf(run, task) {
  const detail = run.details[task.index];
  return detail && detail.command ? detail.command : '';
}

function ending(task) {
  return {LOST: 'worker or node lost', CANCELLED: 'cancelled'}[task.outcome] || 'failed, exit code ' + task.exit;
}

function fileColumns(run) {
  const names = (numbers) => numbers.map((i) => run().nodes[i].name).join(', ');
  const unread = (row) => (row[4] === 0 ? []
      : row[5].filter((holder) => !row[6].some(([node]) => node === holder)));
  const maker = (row) => (row[2] < 0 ? 'input' : run().tasks[row[2]].name);
  return [
    {label: 'File', value: (row) => row[0], show: (row) => row[0]},
    {label: 'Size', value: (row) => row[1], show: (row) => bytes(row[1])},
    {label: 'Made by', value: maker, show: maker},
    {label: 'Hint', value: (row) => row[3], show: (row) => row[3]},
    {label: 'Reads', value: (row) => row[4], show: (row) => count(row[4])},
    {label: 'Was on', value: (row) => names(row[5]), show: (row) => names(row[5])},
    {label: 'Read from', value: (row) => sum(row[6], ([, b]) => b), show: (row) =>
      row[6].map(([node, b]) => run().nodes[node].name + ' ' + bytes(b)).join(', ')},
    {label: 'Never read there', value: (row) => unread(row).length, show: (row) => names(unread(row))},
  ];
}
