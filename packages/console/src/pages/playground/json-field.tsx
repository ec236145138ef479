import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';
import { useState } from 'react';
import { TextArea } from '../../parts/field.tsx';
import styles from './form.module.css';

interface JsonFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly value: unknown;
  /** What the server says is wrong. */
  readonly fault: string | undefined;
  readonly onChange: (value: JsonObject | undefined) => void;
  /** Whether the text is not a JSON object, so that the request does not have it. */
  readonly onUnreadable: (isUnreadable: boolean) => void;
}

/**
 * A JSON object as text. Its text is its own until it can be read. Give it a new key when another
 * request is shown.
 */
export function JsonField(props: JsonFieldProps) {
  const { label, hint, placeholder, value, fault, onChange, onUnreadable } = props;
  const [text, setText] = useState(() => textOf(value));
  const read = readJson(text);
  const edit = (next: string) => {
    setText(next);
    const { fault: unreadable, object } = readJson(next);
    onUnreadable(unreadable !== undefined);
    if (unreadable === undefined) onChange(object);
  };
  return (
    <TextArea
      label={label}
      isOptional
      hint={hint}
      className={styles.json}
      placeholder={placeholder}
      spellCheck={false}
      rows={4}
      value={text}
      error={read.fault ?? fault}
      onChange={(event) => edit(event.target.value)}
    />
  );
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

interface Read {
  readonly object?: JsonObject | undefined;
  readonly fault?: string;
}

function readJson(text: string): Read {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { object: value };
    return { fault: 'This must be a JSON object, such as {"name": "value"}.' };
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : 'unreadable'}.` };
  }
}
