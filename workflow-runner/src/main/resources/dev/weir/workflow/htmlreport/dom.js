// Elements are made of nodes and text only, never of HTML, so names of tasks and files cannot be markup.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** A picture, which a print may shrink. */
const picture = (width, height, label, ...children) =>
    svg('svg', {width, height, viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': label}, children);

const byId = (id) => document.getElementById(id);

function replace(id, ...children) {
  const box = byId(id);
  box.replaceChildren(...children.flat(Infinity).filter((child) => child));
  box.querySelectorAll('table').forEach((each) => fit(each));
}

/** A table whose columns do not fit becomes a list: a row is a list of names and values. */
function fit(element, width = element.parentElement.clientWidth) {
  element.classList.remove('listed');
  element.classList.toggle('listed', element.offsetWidth > width);
}

const fitAll = (width) => document.querySelectorAll('table').forEach((each) => fit(each, width));

// The width of a printed page in pixels. Its font is smaller than that of the screen.
const PRINT_WIDTH = 940;
addEventListener('resize', () => fitAll());
addEventListener('beforeprint', () => fitAll(PRINT_WIDTH));
addEventListener('afterprint', () => fitAll());

/** Shows a section only if there is something in it. */
function section(id, shown) {
  byId(id).hidden = !shown;
  const link = document.querySelector('nav a[href="#' + id + '"]');
  if (link) {
    link.hidden = !shown;
  }
}

/** Whether a cell of a table has nothing to show. */
const isEmpty = (cell) => cell === '' || cell === null || cell === undefined;

/**
 * A cell with the name of its column, which is shown in lists. The roles are given because a table
 * that is laid out as a list loses them.
 */
function cellOf(content, i, label, text) {
  return i === 0 ? h('th', {scope: 'row', role: 'rowheader'}, content)
      : h('td', {role: 'cell', 'data-label': label, class: [text ? 'text' : '', isEmpty(content) ? 'empty' : ''].join(' ').trim() || null},
          content);
}

function tableOf(caption, attributes, heads, body) {
  return h('table', {role: 'table', ...attributes}, h('caption', {class: 'unseen'}, caption),
      h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heads)), body);
}

/** A table; columns of words are given by their numbers. */
function table(caption, heads, rows, attributes, words) {
  return tableOf(caption, attributes,
      heads.map((head, i) => h('th', {scope: 'col', role: 'columnheader', class: (words || []).includes(i) ? 'text' : null}, head)),
      h('tbody', {role: 'rowgroup'}, rows.map((row) => h('tr', {role: 'row'}, row.map((cell, i) =>
          cellOf(cell, i, heads[i], (words || []).includes(i)))))));
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

const swatch = (name) => h('i', {class: 'swatch', style: 'background:var(--' + name + ')', 'aria-hidden': 'true'});
