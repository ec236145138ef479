import type { DryRun } from '@trawl/contract';
import { LIMITS } from '@trawl/contract/limits';
import { type ReactNode, useState } from 'react';
import { Checkbox } from '../../parts/choice.tsx';
import { TextField } from '../../parts/field.tsx';
import { isJsonObject, type PlannedRequest } from '../../requests/planned.ts';
import { namesOf, optionsOf, withMembers, withOptions } from './draft.ts';
import { faultAt } from './faults.ts';
import { FieldsField } from './fields-field.tsx';
import { FiltersField } from './filters-field.tsx';
import styles from './form.module.css';
import { JsonField } from './json-field.tsx';
import type { ProviderChoice } from './provider-choices.ts';
import { ProvidersField } from './providers-field.tsx';
import { QueriesField } from './queries-field.tsx';
import { Options } from './request-options.tsx';
import { callPrice } from './use-plan.ts';

/** What a field reads and changes. */
export interface RequestFields {
  readonly request: PlannedRequest;
  /** Of the latest dry run or run. */
  readonly error: unknown;
  readonly onChange: (request: PlannedRequest) => void;
  readonly onUnreadable: (field: string, isUnreadable: boolean) => void;
}

export interface PlaygroundFormProps extends RequestFields {
  readonly choices: readonly ProviderChoice[];
  /** The price and the buttons, below what is asked. */
  readonly runBar: ReactNode;
}

interface SearchFormProps extends PlaygroundFormProps {
  readonly prices: ReadonlyMap<string, DryRun['calls'][number]>;
}

/** The request of a search: the query, who is asked, and all else folded. */
export function SearchForm(props: SearchFormProps) {
  const { request, error, onChange } = props;
  return (
    <>
      <QueriesField request={request} error={error} onChange={onChange} />
      <SearchProviders {...props} />
      {props.runBar}
      <Options request={request} error={error}>
        <SearchOptions {...props} />
      </Options>
    </>
  );
}

/** Options of the search, in the words of the API. */
function SearchOptions(props: SearchFormProps) {
  const { request, error, onChange } = props;
  const options = optionsOf(request);
  const setOptions = (change: object) => onChange(withOptions(request, { ...change }));
  // a list can only come from a link or a record
  const fallback = namesOf(options.fallback) ?? [];
  return (
    <>
      <FieldsField
        mode="search"
        tier={options.tier}
        fields={options.fields}
        fault={faultAt(error, 'search.tier') ?? faultAt(error, 'search.fields')}
        onChange={setOptions}
      />
      <TextField
        label="Results per provider"
        type="number"
        min={LIMITS.resultsMin}
        max={LIMITS.resultsMax}
        placeholder={String(LIMITS.resultsDefault)}
        className={styles.short}
        value={typeof options.num_results === 'number' ? options.num_results : ''}
        error={faultAt(error, 'search.num_results')}
        onChange={(event) => setOptions({ num_results: numberOf(event.target.value) })}
      />
      <FiltersField request={request} error={error} onChange={onChange} />
      <Checkbox
        label="Full content"
        hint="Asks for the whole text of pages. Some providers charge for it."
        checked={options.include_full_content === true}
        onChange={(isOn) => setOptions({ include_full_content: isOn || undefined })}
      />
      <Checkbox
        label="Economy"
        hint="Asks providers with several modes for their cheapest ordinary one."
        checked={options.economy === true}
        onChange={(isOn) => setOptions({ economy: isOn || undefined })}
      />
      <Checkbox
        label="Auto-routing"
        hint="Chooses three providers by the topic of each query."
        checked={options.auto_routing === 'accuracy'}
        onChange={(isOn) => setOptions({ auto_routing: isOn ? 'accuracy' : undefined })}
      />
      <Checkbox
        label="Fallback"
        hint={
          fallback.length > 0
            ? `Asks ${fallback.join(', then ')} for a query that all providers failed.`
            : 'Asks other providers, at most two, for a query that all providers failed.'
        }
        checked={options.fallback === 'auto' || fallback.length > 0}
        onChange={(isOn) => setOptions({ fallback: isOn ? 'auto' : undefined })}
      />
      <Checkbox
        label="Raw answers"
        hint="Keeps each provider's own answer next to the normalized one."
        checked={options.include_raw === true}
        onChange={(isOn) => setOptions({ include_raw: isOn || undefined })}
      />
      <MoreOptions {...props} />
    </>
  );
}

const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

function SearchProviders({ request, error, onChange, choices, prices }: SearchFormProps) {
  const options = optionsOf(request);
  const chosen = choices.filter(({ isChosen }) => isChosen).map(({ slug }) => slug);
  const hasNames = isJsonObject(options.providers) && namesOf(options.providers.include);
  const setProviders = (providers: object | undefined) =>
    onChange(withOptions(request, { providers }));
  const isRouted = options.auto_routing === 'accuracy';
  return (
    <ProvidersField
      legend="Providers"
      hint={
        isRouted && !hasNames
          ? 'Auto-routing chooses; these run where no topic is found.'
          : hasNames
            ? `${isRouted ? 'Auto-routing chooses among these.' : 'These run.'} Prices are for one call.`
            : 'The default set runs. Prices are for one call.'
      }
      isNamed={options.providers !== undefined}
      fault={faultAt(error, 'search.providers')}
      chips={choices.map((choice) => ({
        ...choice,
        price: prices.size > 0 ? callPrice(prices.get(choice.slug)) : undefined,
      }))}
      onAdd={(slug) => setProviders({ include: [...chosen, slug] })}
      onRemove={(slug) => setProviders({ include: chosen.filter((each) => each !== slug) })}
      onReset={() => setProviders(undefined)}
    />
  );
}

const toggled = (names: readonly string[], name: string): readonly string[] =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name];

/** What the server has after the search, by its names: `/v1/interactions` runs it. */
const POSTPROCESSORS = ['rank_fusion', 'citations'] as const;

function MoreOptions({ request, error, onChange, onUnreadable }: SearchFormProps) {
  const { body } = request;
  const options = optionsOf(request);
  const postprocessors = namesOf(body.postprocessor_names) ?? [];
  // as it was at first: it must not close while its last text is deleted
  const [isOpen] = useState(
    options.provider_overrides !== undefined ||
      ['user_id', 'metadata', 'session_id', 'postprocessor_names'].some((name) => name in body),
  );
  return (
    <details className={styles.more} open={isOpen}>
      <summary>Overrides, user, metadata and postprocessors</summary>
      <div className="stack">
        <JsonField
          label="Provider overrides"
          hint="A provider's own parameters, by its name. They are merged into its request."
          placeholder='{"provider": {"parameter": "value"}}'
          value={options.provider_overrides}
          fault={faultAt(error, 'search.provider_overrides')}
          onChange={(value) => onChange(withOptions(request, { provider_overrides: value }))}
          onUnreadable={(isUnreadable) => onUnreadable('Provider overrides', isUnreadable)}
        />
        <fieldset className={styles.group}>
          <legend className={styles.legend}>Postprocessors</legend>
          {POSTPROCESSORS.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={postprocessors.includes(name)}
              onChange={() => {
                const next = toggled(postprocessors, name);
                onChange(
                  withMembers(request, { postprocessor_names: next.length > 0 ? next : undefined }),
                );
              }}
            />
          ))}
        </fieldset>
        <CommonOptions {...{ request, error, onChange, onUnreadable }} />
      </div>
    </details>
  );
}

/** Options that searches and fetches share. */
export function CommonOptions({ request, error, onChange, onUnreadable }: RequestFields) {
  const { body, mode } = request;
  const setText = (name: string) => (event: { readonly target: HTMLInputElement }) =>
    onChange(withMembers(request, { [name]: event.target.value || undefined }));
  return (
    <>
      {mode === 'search' && (
        <TextField
          label="User id"
          isOptional
          hint="A label for the user, kept with the request and in usage."
          autoComplete="off"
          maxLength={LIMITS.userIdCharacters}
          value={typeof body.user_id === 'string' ? body.user_id : ''}
          error={faultAt(error, 'user_id')}
          onChange={setText('user_id')}
        />
      )}
      <TextField
        label="Session id"
        isOptional
        hint="Records it in this session; a new one without it."
        autoComplete="off"
        spellCheck={false}
        value={typeof body.session_id === 'string' ? body.session_id : ''}
        error={faultAt(error, 'session_id')}
        onChange={setText('session_id')}
      />
      <JsonField
        label="Metadata"
        hint="Kept with the interaction and read back."
        placeholder='{"task": "weekly report"}'
        value={body.metadata}
        fault={faultAt(error, 'metadata')}
        onChange={(metadata) => onChange(withMembers(request, { metadata }))}
        onUnreadable={(isUnreadable) => onUnreadable('Metadata', isUnreadable)}
      />
    </>
  );
}
