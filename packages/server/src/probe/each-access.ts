import { accessesOf, keyTailOf, type UpstreamTarget } from '@trawl/upstream';

/** A target with one key and one address. */
export interface SingleTarget {
  readonly target: UpstreamTarget;
  /** Which of several keys or addresses it has; undefined = there is one. */
  readonly access: string | undefined;
}

/** The target once for each of its keys, or its addresses. */
export function eachAccess(target: UpstreamTarget): readonly SingleTarget[] {
  const accesses = accessesOf(target);
  if (accesses.length === 0) return [{ target, access: undefined }];
  return accesses.map(({ by, target: single }, index) => {
    const tail = keyTailOf(single.credentials[0]);
    const key = tail === null ? `key ${index + 1}` : `key …${tail}`;
    return { target: single, access: by === 'key' ? key : (single.baseUrl ?? undefined) };
  });
}
