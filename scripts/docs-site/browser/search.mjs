/** The search box. Results are links: Tab and the arrow keys reach them, Escape leaves. */
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from '../search-options.mjs';
import { excerpt } from './excerpt.mjs';
import { find } from './find.mjs';

/** @param {string} indexUrl Loaded when the box is first used. */
export function openSearch(box, indexUrl) {
  const input = box.querySelector('input');
  const panel = box.querySelector('.results');
  const status = box.querySelector('[role=status]');
  let loading;
  box.hidden = false;

  const load = () => {
    loading ??= loadIndex(indexUrl).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const links = () => [...panel.querySelectorAll('a')];
  const close = () => {
    panel.hidden = true;
    status.textContent = '';
  };

  async function search() {
    const query = input.value.trim();
    if (query === '') return close();
    const index = await load().catch(() => undefined);
    // the reader may have typed more, or left, in the meantime
    if (input.value.trim() !== query || !box.contains(document.activeElement)) return;
    if (!index) {
      show(panel, status, [], 'The search index could not be loaded. Try again.');
      return;
    }
    const found = find(index, query);
    const count = found.length === 1 ? '1 result' : `${found.length} results`;
    show(panel, status, found, found.length === 0 ? `Nothing found for “${query}”` : count);
  }

  input.addEventListener('focus', () => void load().catch(() => {}));
  input.addEventListener('input', search);
  input.addEventListener('focus', search);
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!box.contains(relatedTarget)) close();
  });
  // a result on this very page leaves the page where it is
  panel.addEventListener('click', ({ target }) => {
    if (target.closest('a')) close();
  });
  box.addEventListener('keydown', (event) => {
    // the key belongs to the input method: its Enter accepts a word
    if (event.isComposing) return;
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      if (input.value === '') input.blur();
      else input.focus();
      input.value = '';
      close();
    } else if (event.key === 'Enter' && document.activeElement === input) {
      all[0]?.click();
    } else if (event.key === 'ArrowDown') {
      (all[at + 1] ?? all[0])?.focus();
    } else if (event.key === 'ArrowUp') {
      (at > 0 ? all[at - 1] : input).focus();
    } else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

async function loadIndex(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the search index answered ${answer.status}`);
  return MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
}

function show(panel, status, found, message) {
  panel.hidden = false;
  status.textContent = message;
  if (found.length === 0) {
    const note = document.createElement('p');
    note.textContent = message;
    panel.replaceChildren(note);
    return;
  }
  const list = document.createElement('ul');
  list.append(...found.map(resultItem));
  panel.replaceChildren(list);
  panel.scrollTop = 0;
}

function resultItem({ url, page, heading, text, terms }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  const title = document.createElement('strong');
  const where = document.createElement('span');
  where.textContent = ` · ${page}`;
  title.append(heading, where);
  link.append(title, ...excerpt(text, terms));
  item.append(link);
  return item;
}
