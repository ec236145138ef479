import { useEffect, useState } from 'react';
import { Note } from './note.tsx';

const TICK_MS = 1_000;

/** For an answer of 429: counts the seconds down until the next try. They are announced once only. */
export function WaitNote({ seconds }: { readonly seconds: number }) {
  const left = useSecondsLeft(seconds);
  return (
    <>
      <p className="visually-hidden" role="alert">
        Too many attempts. Try again in {seconds} seconds.
      </p>
      <div aria-hidden="true">
        <Note tone="warn">
          {left > 0
            ? `Too many attempts. Try again in ${left} ${left === 1 ? 'second' : 'seconds'}.`
            : 'You can try again now.'}
        </Note>
      </div>
    </>
  );
}

function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = performance.now() + seconds * 1_000;
    // by the clock: a page in the background gets few ticks
    const count = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1_000)));
    count();
    const timer = setInterval(count, TICK_MS);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
