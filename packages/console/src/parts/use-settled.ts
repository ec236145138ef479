import { useEffect, useState } from 'react';

const TYPING_MS = 300;

/** The value when the person has stopped typing: it did not change for a while. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
