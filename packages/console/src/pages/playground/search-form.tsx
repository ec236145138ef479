import type { DryRun } from '@trawl/contract';
import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';
import { LIMITS } from '@trawl/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/choice.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import {
  namesOf,
  optionsOf,
  queriesOf,
  textOf,
  withMembers,
  withOptions,
  withQueries,
} from './draft.ts';
import { faultAt } from './faults.ts';
import { FieldsField } from './fields-field.tsx';
import { FiltersField } from './filters-field.tsx';
import styles from './form.module.css';
import { JsonField } from './json-field.tsx';
import { ProvidersField } from './providers-field.tsx';
import {
  CommonOptions,
  Options,
  type PlaygroundFormProps,
  type RequestFields,
} from './request-options.tsx';
import { callPrice } from './use-plan.ts';

interface SearchFormProps extends PlaygroundFormProps {
  readonly prices: ReadonlyMap<string, DryRun['calls'][number]>;
}

/** The request of a search: the query, who is asked, and all else folded. */
export function SearchForm(props: SearchFormProps) {
  const { request, error } = props;
  return (
    <>
      <QueriesField {...props} />
      <SearchProviders {...props} />
      {props.runBar}
      <Options request={request} error={error}>
        <SearchOptions {...props} />
      </Options>
    </>
  );
}

/** One query, or a batch of them. */
function QueriesField({ request, error, onChange }: RequestFields) {
  const queries = queriesOf(request);
  const list = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(0);
  useEffect(() => {
    // one that was just added is what the person writes next
    const boxes = list.current?.querySelectorAll('textarea');
    if (added > 0) boxes?.[boxes.length - 1]?.focus();
  }, [added]);
  const isBatch = queries.length > 1;
  const replace = (next: readonly JsonObject[]) => onChange(withQueries(request, next));
  const whole = faultAt(error, 'user_input');
  const faultOf = (index: number) => (isBatch ? faultAt(error, `user_input.${index}`) : whole);
  return (
    <div className="stack-tight" ref={list}>
      {queries.map((query, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a query is known by its place
        <div key={index} className={styles.query}>
          <TextArea
            label={isBatch ? `Query ${index + 1}` : 'Query'}
            rows={isBatch ? 1 : 2}
            className={styles.queryText}
            value={textOf(query.query)}
            error={faultOf(index)}
            onChange={(event) =>
              replace(queries.with(index, { ...query, query: event.target.value }))
            }
          />
          {isBatch && (
            <IconButton
              icon="close"
              size="small"
              label={`Remove query ${index + 1}`}
              onClick={() => replace(queries.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          disabled={queries.length >= LIMITS.queriesPerBatch}
          onClick={() => {
            replace([...queries, { query: '' }]);
            setAdded(added + 1);
          }}
        >
          Add a query
        </Button>
      </div>
    </div>
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
