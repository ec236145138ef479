/**
 * Files named after their content, with compressed copies. Existing files are not written again.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { writeAtomically } from '../write-file.mjs';
import { TWINS } from './built-site.mjs';

// the next step costs eight times the time for one percent
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };
const compressors = {
  '.gz': (bytes) => promisify(gzip)(bytes),
  '.br': (bytes) => promisify(brotliCompress)(bytes, BROTLI),
};

const TYPES = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
};

export function createStore(folder) {
  const pending = [];
  const names = new Set();

  /** @returns the file as the server's table of routes names it */
  function add(name, text) {
    const bytes = Buffer.from(text);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const dot = name.lastIndexOf('.');
    const file = `${name.slice(0, dot).replaceAll('/', '-')}-${hash}${name.slice(dot)}`;
    for (const ending of ['', ...TWINS]) names.add(file + ending);
    pending.push(write(join(folder, file), bytes));
    return { file, hash, type: TYPES[name.slice(dot + 1)] };
  }

  return { add, names, written: () => Promise.all(pending) };
}

async function write(path, bytes) {
  mkdirSync(join(path, '..'), { recursive: true });
  for (const ending of TWINS) {
    if (existsSync(path + ending)) continue;
    writeAtomically(path + ending, await compressors[ending](bytes));
  }
  if (!existsSync(path)) writeAtomically(path, bytes);
}
