import { SAFE_SEARCH } from '@trawl/contract/filters';
import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';
import { useState } from 'react';
import { Checkbox } from '../../parts/choice.tsx';
import { TextField } from '../../parts/field.tsx';
import type { PlannedRequest } from '../../requests/planned.ts';
import { changed, namesOf, optionsOf, textOf, withOptions } from './draft.ts';
import { faultAt } from './faults.ts';
import styles from './form.module.css';
import { Segmented } from './segmented.tsx';

interface FiltersFieldProps {
  readonly request: PlannedRequest;
  readonly error: unknown;
  readonly onChange: (request: PlannedRequest) => void;
}

/** What rows must be like, in words that are the same for all providers. */
export function FiltersField({ request, error, onChange }: FiltersFieldProps) {
  const { filters } = optionsOf(request);
  const values = isJsonObject(filters) ? filters : {};
  const set = (change: JsonObject) =>
    onChange(withOptions(request, { filters: changed(values, change) }));
  const field = (name: string) => ({
    value: values[name],
    error: faultAt(error, `search.filters.${name}`),
    onChange: (value: unknown) => set({ [name]: value }),
  });
  const whole = error !== undefined && faultOfWhole(error);
  // as it was at first: it must not close while its last text is deleted
  const [isOpen] = useState(filters !== undefined);
  return (
    <details className={styles.more} open={isOpen}>
      <summary>Filters</summary>
      <div className="stack">
        <HostsField label="Only these sites" {...field('include_domains')} />
        <HostsField label="Not these sites" {...field('exclude_domains')} />
        <TextOption label="Published on or after" type="date" {...field('published_after')} />
        <TextOption label="Published on or before" type="date" {...field('published_before')} />
        <TextOption label="Country" hint="Two letters: DE." {...field('country')} />
        <TextOption label="Language" hint="Two letters: de." {...field('language')} />
        <Segmented
          label="Safe search"
          value={textOf(values.safe_search)}
          segments={[
            { value: '', label: 'not set' },
            ...SAFE_SEARCH.map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => set({ safe_search: value || undefined })}
        />
        <Checkbox
          label="Strict"
          hint="Leaves out providers that cannot apply all of these filters."
          checked={values.mode === 'strict'}
          onChange={(isOn) => set({ mode: isOn ? 'strict' : undefined })}
        />
        {whole && (
          <p className={styles.fault} role="alert">
            {whole}
          </p>
        )}
      </div>
    </details>
  );
}

/** What is wrong with the filters together; faults of one member are shown at its field. */
function faultOfWhole(error: unknown): string | undefined {
  const fault = faultAt(error, 'search.filters');
  const isOfMember = NAMES.some((name) => faultAt(error, `search.filters.${name}`) !== undefined);
  return isOfMember ? undefined : fault;
}

const NAMES = [
  ...['include_domains', 'exclude_domains', 'published_after', 'published_before'],
  ...['country', 'language'],
];

interface OptionProps {
  readonly label: string;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function TextOption({
  value,
  onChange,
  ...field
}: OptionProps & { readonly type?: string; readonly hint?: string }) {
  return (
    <TextField
      isOptional
      autoComplete="off"
      spellCheck={false}
      value={textOf(value)}
      onChange={(event) => onChange(event.target.value || undefined)}
      {...field}
    />
  );
}

/** Host names between commas. What is being written stays as it is until the field is left. */
function HostsField({ value, onChange, ...field }: OptionProps) {
  const [written, setWritten] = useState<string | null>(null);
  return (
    <TextField
      isOptional
      hint="Host names with commas between them; subdomains are included."
      autoComplete="off"
      spellCheck={false}
      value={written ?? (namesOf(value) ?? []).join(', ')}
      onChange={({ target }) => {
        const hosts = target.value.split(/[\s,]+/).filter((host) => host !== '');
        setWritten(target.value);
        onChange(hosts.length > 0 ? hosts : undefined);
      }}
      onBlur={() => setWritten(null)}
      {...field}
    />
  );
}
