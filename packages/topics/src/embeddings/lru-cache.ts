/** Keeps the `max` most recently used values. */
export interface LruCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export function createLruCache<Value>(max: number): LruCache<Value> {
  // a Map keeps insertion order, so the first key is the least recently used
  const values = new Map<string, Value>();
  const put = (key: string, value: Value) => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      put(key, value);
      const [oldest] = values.keys();
      if (values.size > max && oldest !== undefined) values.delete(oldest);
    },
  };
}
