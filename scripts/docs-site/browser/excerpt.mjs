const BEFORE = 60;
const LENGTH = 180;

/**
 * The text around the first of the terms, with all of them marked. @returns {(string |
 * HTMLElement)[]}
 */
export function excerpt(text, terms) {
  const pattern = new RegExp(terms.map(escaped).join('|'), 'giu');
  const first = text.search(pattern);
  const start = first > BEFORE ? text.lastIndexOf(' ', first - BEFORE) + 1 : 0;
  const stop = endOfWord(text, start + LENGTH);
  const after = stop < text.length ? ' …' : '';
  const shown = `${start > 0 ? '… ' : ''}${text.slice(start, stop)}${after}`;
  const parts = [];
  let end = 0;
  for (const match of shown.matchAll(pattern)) {
    parts.push(shown.slice(end, match.index), marked(match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, shown.slice(end)];
}

function endOfWord(text, from) {
  const space = text.indexOf(' ', from);
  return space < 0 ? text.length : space;
}

const escaped = (term) => term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function marked(text) {
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}
