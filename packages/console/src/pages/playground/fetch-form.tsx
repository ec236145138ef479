import { isJsonObject } from '@trawl/contract/json-object';
import { LIMITS } from '@trawl/contract/limits';
import { CONTENT_FORMATS } from '@trawl/contract/vocabulary';
import { useState } from 'react';
import { Checkbox } from '../../parts/choice.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { namesOf, optionsOf, urlsOf, withMembers, withOptions } from './draft.ts';
import { faultAt } from './faults.ts';
import { FieldsField } from './fields-field.tsx';
import styles from './form.module.css';
import { ProvidersField } from './providers-field.tsx';
import {
  CommonOptions,
  Options,
  type PlaygroundFormProps,
  type RequestFields,
} from './request-options.tsx';
import { Segmented } from './segmented.tsx';

/** The request of a fetch: the pages, who is asked, and all else folded. */
export const FetchForm = (props: PlaygroundFormProps) => (
  <>
    <UrlsField {...props} />
    <ChainField {...props} />
    {props.runBar}
    <Options request={props.request} error={props.error}>
      <FetchOptions {...props} />
    </Options>
  </>
);

/** Options of the fetch, in the words of the API. */
function FetchOptions(props: PlaygroundFormProps) {
  const { request, error, onChange } = props;
  const options = optionsOf(request);
  const setOptions = (change: object) => onChange(withOptions(request, { ...change }));
  const { body } = request;
  // as it was at first: it must not close while its last text is deleted
  const [isMoreOpen] = useState(
    'session_id' in body || 'metadata' in body || 'max_age_seconds' in options,
  );
  return (
    <>
      <FieldsField
        mode="fetch"
        tier={options.tier}
        fields={undefined}
        fault={faultAt(error, 'options.tier')}
        onChange={({ tier }) => setOptions({ tier })}
      />
      <Segmented
        label="Format of the text"
        value={CONTENT_FORMATS.find((format) => format === options.content_format) ?? 'markdown'}
        segments={CONTENT_FORMATS.map((format) => ({ value: format, label: format }))}
        onChange={(format) => setOptions({ content_format: format })}
      />
      <FocusField {...props} />
      <WholeField
        {...props}
        name="inline_max_chars"
        label="Most characters of a page"
        placeholder={String(LIMITS.inlineCharactersDefault)}
        min={1}
      />
      <Checkbox
        label="Without the page cache"
        hint="The cache is neither read nor written."
        checked={options.no_cache === true}
        onChange={(isOn) => setOptions({ no_cache: isOn || undefined })}
      />
      <details className={styles.more} open={isMoreOpen}>
        <summary>Cache age, session and metadata</summary>
        <div className="stack">
          <WholeField
            {...props}
            name="max_age_seconds"
            label="Greatest age of a cached page, in seconds"
            placeholder="any"
            min={0}
          />
          <CommonOptions {...props} />
        </div>
      </details>
    </>
  );
}

/** What the passages of the pages are chosen for. */
function FocusField({ request, error, onChange }: RequestFields) {
  const given = optionsOf(request).focus;
  const focus = isJsonObject(given) ? given : {};
  return (
    <TextField
      label="Passages for"
      isOptional
      hint="A question or a few words. For tiers extended and max."
      value={typeof focus.query === 'string' ? focus.query : ''}
      error={faultAt(error, 'options.focus.query') ?? faultAt(error, 'options.focus')}
      onChange={({ target }) => {
        const next = target.value === '' ? undefined : { ...focus, query: target.value };
        onChange(withOptions(request, { focus: next }));
      }}
    />
  );
}

interface WholeFieldProps extends RequestFields {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly min: number;
}

function WholeField({ request, error, onChange, name, label, placeholder, min }: WholeFieldProps) {
  const value = optionsOf(request)[name];
  return (
    <TextField
      label={label}
      isOptional
      type="number"
      min={min}
      placeholder={placeholder}
      className={styles.short}
      value={typeof value === 'number' ? value : ''}
      error={faultAt(error, `options.${name}`)}
      onChange={({ target }) => {
        const next = target.value === '' ? undefined : Number(target.value);
        onChange(withOptions(request, { [name]: next }));
      }}
    />
  );
}

/** The text keeps blank lines and unfinished addresses while it is edited. */
function UrlsField({ request, error, onChange }: RequestFields) {
  const [text, setText] = useState(() => urlsOf(request).join('\n'));
  return (
    <TextArea
      label="URLs"
      hint="One in each line."
      rows={4}
      spellCheck={false}
      className={styles.json}
      value={text}
      error={faultAt(error, 'urls')}
      onChange={({ target }) => {
        setText(target.value);
        const urls = target.value.split('\n').map((line) => line.trim());
        onChange(withMembers(request, { urls: urls.filter((url) => url !== '') }));
      }}
    />
  );
}

function ChainField({ request, error, onChange, choices }: PlaygroundFormProps) {
  const pinned = namesOf(optionsOf(request).providers);
  const standard = choices
    .filter(({ isChosen }) => isChosen)
    .toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))
    .map(({ slug }) => slug);
  const pin = (names: readonly string[]) =>
    onChange(withOptions(request, { providers: names.length > 0 ? names : undefined }));
  return (
    <ProvidersField
      legend="Chain"
      hint={
        pinned
          ? 'Only these are asked, in this order.'
          : 'The default chain, in its order. Add one to ask only that.'
      }
      isNamed={pinned !== undefined}
      fault={faultAt(error, 'options.providers')}
      chips={choices}
      // the first choice begins a chain of its own
      onAdd={(name) => pin([...(pinned ?? []), name])}
      onRemove={(name) => pin((pinned ?? standard).filter((each) => each !== name))}
      onReset={() => pin([])}
    />
  );
}
