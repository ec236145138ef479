import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** Overwrites the middle half of the pages of a database file that no process has open. */
export function damagePages(path: string): void {
  const file = openSync(path, 'r+');
  const pages = Math.floor(fstatSync(file).size / PAGE_BYTES);
  for (let page = Math.ceil(pages / 4); page < (pages * 3) / 4; page += 1) {
    writeSync(file, Buffer.alloc(PAGE_BYTES, 0xaa), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(file);
}
