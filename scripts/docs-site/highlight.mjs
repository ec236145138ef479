/** Code of the pages as HTML with classes for colour. */
import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './text.mjs';

// includes its aliases (sh, ts, js, py, yml, toml)
const LANGUAGES = { bash, http, ini, javascript, json, nginx, python, typescript, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) core.registerLanguage(name, language);

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (\S+)\n?/;

/** An unknown language stays plain text. */
export function highlight(code, language) {
  if (language === 'http' && REQUEST.test(code) && !code.includes(' HTTP/')) return request(code);
  if (!core.getLanguage(language)) return escapeHtml(code);
  return core.highlight(code, { language, ignoreIllegals: true }).value;
}

/**
 * The short form of our examples: method and path, then the body, without version and blank line.
 */
function request(code) {
  const [line, method, path] = REQUEST.exec(code);
  const head = `<span class="hljs-keyword">${method}</span> <span class="hljs-string">${escapeHtml(path)}</span>`;
  const body = code.slice(line.length);
  return body === '' ? head : `${head}\n${highlight(body, /^\s*[[{]/.test(body) ? 'json' : '')}`;
}
