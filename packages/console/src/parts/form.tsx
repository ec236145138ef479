import { isApiError } from '@trawl/client/http';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isHot } from '../keys/hotkey.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Note } from './note.tsx';

interface FormProps {
  readonly onSubmit: () => void;
  /** What the button sends: whether it waits for an answer, and why the last call failed. */
  readonly mutation: { readonly isPending: boolean; readonly error: unknown };
  /** What failed, as the subject of a sentence: «The project could not be made». */
  readonly what: string;
  /** Members of the body whose faults are shown at a field: see `issueAt`. */
  readonly fields: readonly string[];
  readonly submitLabel: string;
  /** Next to the button that sends it. */
  readonly actions?: ReactNode;
  readonly isDanger?: boolean;
  /** A refusal with 401 is about what was typed, not about the session. */
  readonly isSignIn?: boolean;
  readonly children: ReactNode;
}

/**
 * Fields with a button that sends them; Cmd/Ctrl+Enter does too. The server checks what was typed:
 * after a refusal, the first wrong field has the focus.
 */
export function Form(props: FormProps) {
  const { onSubmit, mutation, submitLabel, actions, isDanger = false, children } = props;
  const { isPending: isBusy, error } = mutation;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!error) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isHot(event.nativeEvent) && !isBusy) {
      event.preventDefault();
      form.current?.requestSubmit();
    }
  };
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        // a form in a dialog is inside of the page's form for React
        event.stopPropagation();
        if (!isBusy) onSubmit();
      }}
    >
      {children}
      <FormError {...props} />
      <div className="row">
        <Button
          type="submit"
          variant={isDanger ? 'danger' : 'primary'}
          isBusy={isBusy}
          // the second of a double click comes before the page is busy, or after it was
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {submitLabel}
        </Button>
        {actions}
      </div>
    </form>
  );
}

type FormErrorProps = Pick<FormProps, 'mutation' | 'what' | 'fields' | 'isSignIn'>;

function FormError({ mutation: { error }, what, fields, isSignIn = false }: FormErrorProps) {
  if (!error) return null;
  if (isApiError(error)) {
    const { status, retryAfterMs, issues } = error;
    if (status === 429 && retryAfterMs !== null) {
      return <WaitNote key={error.requestId} seconds={Math.ceil(retryAfterMs / 1_000)} />;
    }
    // each is shown at its field
    if (issues.length > 0 && issues.every(({ loc }) => fields.includes(String(loc[1])))) {
      return null;
    }
    if (status === 401 && !isSignIn)
      return <ErrorNote error={new Error(SESSION_ENDED)} what={what} />;
  }
  return <ErrorNote error={error} what={what} />;
}

const SESSION_ENDED = 'Your session had ended: sign in, then send this again';

const TICK_MS = 1_000;

/** For an answer of 429: counts the seconds down until the next try. They are announced once. */
function WaitNote({ seconds }: { readonly seconds: number }) {
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
