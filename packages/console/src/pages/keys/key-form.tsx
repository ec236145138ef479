import type { Permission } from '@trawl/contract';
import { LOGIN_SCOPES, PERMISSIONS } from '@trawl/contract/vocabulary';
import { type ReactNode, useId } from 'react';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/choice.tsx';
import { Field, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Select } from '../../parts/select.tsx';
import { DefaultFields } from './default-fields.tsx';
import {
  type DraftFaults,
  type Expiry,
  type KeyDraft,
  type ProviderNames,
  SECTIONS,
  type Section,
} from './key-draft.ts';
import { PERMISSION_WORDS, PRESETS } from './key-words.ts';
import styles from './keys.module.css';

export interface KeyFormProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly faults: DraftFaults;
  /** Whether faults are shown: not before the first try to send. */
  readonly showsFaults: boolean;
  readonly providers: ProviderNames;
}

const TITLES: Readonly<Record<Section, string>> = {
  general: 'General',
  permissions: 'Permissions',
  providers: 'Providers',
  defaults: 'Defaults',
  limits: 'Limits',
  expiry: 'Expiry',
};

/** The settings of a key, in sections with a list of them on the left. */
export function KeyForm(props: KeyFormProps) {
  const prefix = useId();
  const { draft, faults, showsFaults } = props;
  const sections = SECTIONS.filter((section) => !(draft.isLogin && section === 'expiry'));
  const shown = showsFaults ? faults : {};
  const parts: Readonly<Record<Section, ReactNode>> = {
    general: <General {...props} />,
    permissions: <Permissions {...props} />,
    providers: <Providers {...props} />,
    defaults: <DefaultFields {...props} providers={props.providers.search} />,
    limits: <Limits {...props} />,
    expiry: <ExpiryFields {...props} />,
  };
  const goTo = (section: Section) => {
    const target = document.getElementById(`${prefix}-${section}`);
    target?.scrollIntoView({ block: 'nearest' });
    target?.querySelector<HTMLElement>('input, select, button')?.focus();
  };
  return (
    <div className={styles.form}>
      <ul className={styles.sections} aria-label="Sections">
        {sections.map((section) => (
          <li key={section}>
            <Button variant="quiet" size="small" onClick={() => goTo(section)}>
              {TITLES[section]}
              <Mark
                isFaulty={shown[section] !== undefined}
                isDone={faults[section] === undefined}
              />
            </Button>
          </li>
        ))}
      </ul>
      <div className="stack">
        {sections.map((section) => (
          <fieldset key={section} id={`${prefix}-${section}`} className="stack-tight">
            <legend>
              <h3>{TITLES[section]}</h3>
            </legend>
            {parts[section]}
            {shown[section] && (
              <p className={styles.fault} role="alert">
                {shown[section]}
              </p>
            )}
          </fieldset>
        ))}
      </div>
    </div>
  );
}

/** A fault is shown after the first try to send; before, its section is only not done. */
const Mark = ({ isFaulty, isDone }: { readonly isFaulty: boolean; readonly isDone: boolean }) => (
  <span className={isFaulty ? styles.faulty : 'soft'}>
    <Icon name={isFaulty ? 'alert' : isDone ? 'check' : 'circle'} size={12} />
    <span className="visually-hidden">
      {isFaulty ? ' has a fault' : isDone ? ' is complete' : ' is to do'}
    </span>
  </span>
);

function General({ draft, onChange }: KeyFormProps) {
  return (
    <TextField
      label="Name"
      hint="Where the key is used, such as “laptop” or “support bot”."
      value={draft.name}
      autoFocus
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange({ ...draft, name: target.value })}
    />
  );
}

function Permissions({ draft, onChange }: KeyFormProps) {
  const set = (permissions: readonly Permission[]) => onChange({ ...draft, permissions });
  const offered: readonly Permission[] = draft.isLogin ? LOGIN_SCOPES : PERMISSIONS;
  const presets = PRESETS.filter(({ permissions }) =>
    permissions.every((name) => offered.includes(name)),
  );
  return (
    <>
      <div className="row">
        {presets.map(({ label, permissions }) => (
          <Button
            key={label}
            size="small"
            variant={isSame(permissions, draft.permissions) ? 'primary' : 'plain'}
            aria-pressed={isSame(permissions, draft.permissions)}
            onClick={() => set(permissions)}
          >
            {label}
          </Button>
        ))}
      </div>
      {offered.map((name) => (
        <Checkbox
          key={name}
          label={name}
          hint={PERMISSION_WORDS[name]}
          checked={draft.permissions.includes(name)}
          onChange={(isOn) =>
            set(
              PERMISSIONS.filter((each) =>
                each === name ? isOn : draft.permissions.includes(each),
              ),
            )
          }
        />
      ))}
    </>
  );
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name));

function Providers({ draft, onChange, providers }: KeyFormProps) {
  const chosen = draft.providers;
  return (
    <>
      <Checkbox
        label="All providers"
        hint="Otherwise a request that names another provider is refused, and defaults are narrowed to these."
        checked={chosen === null}
        onChange={(isAll) => onChange({ ...draft, providers: isAll ? null : [] })}
      />
      {chosen && (
        <div className={styles.choices}>
          {[...new Set([...providers.all, ...chosen])].map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={chosen.includes(name)}
              onChange={(isOn) =>
                onChange({
                  ...draft,
                  providers: isOn ? [...chosen, name] : chosen.filter((each) => each !== name),
                })
              }
            />
          ))}
        </div>
      )}
      <Checkbox
        label="No training"
        hint="Leaves out providers whose vendors train models on what is sent, and those of which it is not known."
        checked={draft.noTraining}
        onChange={(noTraining) => onChange({ ...draft, noTraining })}
      />
      <TextField
        label="Hosts whose pages it may fetch"
        hint="Host names with commas between them, subdomains included. Other pages are refused."
        isOptional
        placeholder="all"
        autoComplete="off"
        spellCheck={false}
        value={draft.domains}
        onChange={({ target }) => onChange({ ...draft, domains: target.value })}
      />
    </>
  );
}

function Limits({ draft, onChange }: KeyFormProps) {
  return (
    <>
      <TextField
        label="Requests a minute"
        isOptional
        inputMode="numeric"
        placeholder="no limit"
        value={draft.rateLimit}
        onChange={({ target }) => onChange({ ...draft, rateLimit: target.value })}
      />
      <TextField
        label="Monthly budget in US dollars"
        hint="Of a calendar month, in UTC. Searches and fetches beyond it are refused."
        isOptional
        inputMode="decimal"
        placeholder="no limit"
        value={draft.budget}
        onChange={({ target }) => onChange({ ...draft, budget: target.value })}
      />
    </>
  );
}

const EXPIRY_OPTIONS: readonly { readonly value: Expiry; readonly label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'At a time…' },
];

function ExpiryFields({ draft, onChange }: KeyFormProps) {
  return (
    <>
      <Field label="The key ends">
        {(control) => (
          <Select
            {...control}
            value={draft.expiry}
            options={EXPIRY_OPTIONS}
            onChange={(expiry) => onChange({ ...draft, expiry })}
          />
        )}
      </Field>
      {draft.expiry === 'custom' && (
        <TextField
          label="Time"
          hint={`In the zone of this browser, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
          type="datetime-local"
          value={draft.expiresAt}
          onChange={({ target }) => onChange({ ...draft, expiresAt: target.value })}
        />
      )}
    </>
  );
}
