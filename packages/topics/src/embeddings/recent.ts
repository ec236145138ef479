/** The values used last, up to `max` of them. */
export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export function createRecent<Value>(max: number): Recent<Value> {
  // a Map keeps the order of insertion, so the first key is the one unused for longest
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
