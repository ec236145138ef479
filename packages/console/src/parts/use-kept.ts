import { useState } from 'react';

/** A switch of the person that this browser keeps; off until it is first switched. */
export function useKept(name: string): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(name) === '1');
  const change = (next: boolean) => {
    setOn(next);
    localStorage.setItem(name, next ? '1' : '0');
  };
  return [isOn, change];
}

/** Names that the person has switched on, which this browser keeps. */
export function useKeptSet(name: string): readonly [readonly string[], (one: string) => void] {
  const [names, setNames] = useState(() => (localStorage.getItem(name) ?? '').split(' '));
  const toggle = (one: string) => {
    const next = names.includes(one) ? names.filter((each) => each !== one) : [...names, one];
    setNames(next);
    localStorage.setItem(name, next.join(' ').trim());
  };
  return [names, toggle];
}
