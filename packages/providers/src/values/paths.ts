import { isJsonObject, type JsonObject } from '@trawl/contract';

/** The path of a value itself. */
export const WHOLE = '.';

/** Reads the value at a path with dots; numbers count in lists. undefined = nothing is there. */
export function readerAt(path: string): (value: unknown) => unknown {
  const keys = path === WHOLE ? [] : path.split('.');
  return (value) => {
    let found = value;
    for (const key of keys) {
      if (Array.isArray(found)) found = INDEX.test(key) ? found[Number(key)] : undefined;
      else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key];
      else return undefined;
    }
    return found;
  };
}

const INDEX = /^\d{1,6}$/;

/** The same for an object. Nearly all paths are one key, which needs no walk. */
export const memberReader = (path: string): ((row: JsonObject) => unknown) =>
  path.includes('.') || path in Object.prototype ? readerAt(path) : (row) => row[path];
