import { isJsonObject } from '@trawl/contract';
import { WHOLE_ANSWER } from './schema.ts';

/** Reads the value at a path with dots; numbers count in lists. undefined = nothing is there. */
export function readerAt(path: string): (value: unknown) => unknown {
  const keys = path === WHOLE_ANSWER ? [] : path.split('.');
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
