import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ProviderKey } from '@trawl/contract/console';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useProjectId, useSession } from '../../api/session.ts';
import { Status, type Tone } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Note } from '../../parts/note.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { Time } from '../../parts/value.tsx';
import { areaPath } from '../../shell/navigation.ts';

const keysQuery = queryOptions({
  queryKey: ['provider-keys'],
  queryFn: ({ signal }) => call('GET /console/api/provider-keys', { signal }),
});

/** The keys of a provider that operators set here. Nothing for those who are no operators. */
export function ProviderKeys({ slug }: { readonly slug: string }) {
  const { person } = useSession();
  const keys = useQuery({ ...keysQuery, enabled: person.is_operator });
  const known = keys.data?.providers.find((provider) => provider.slug === slug);
  if (!person.is_operator || (keys.data && !known)) return null;
  return (
    <>
      <h3>Keys</h3>
      <Region query={keys} what="The keys">
        {({ keys: all, obstacle }) => (
          <div className="stack-tight">
            <KeyTable slug={slug} keys={all.filter(({ provider }) => provider === slug)} />
            {known?.is_set_by_environment ? (
              <details>
                <summary>
                  The environment sets <code>{known.setting}</code>, which wins over keys that are
                  set here
                </summary>
                {obstacle === null && <AddKey key={slug} slug={slug} />}
              </details>
            ) : obstacle === null ? (
              <AddKey key={slug} slug={slug} />
            ) : (
              <Note tone="warn">
                No key can be set here: {obstacle}. Set <code>{known?.setting}</code> in the
                environment of the server or in its <code>.env</code>, and start it again.
              </Note>
            )}
          </div>
        )}
      </Region>
    </>
  );
}

const STATES: Readonly<Record<ProviderKey['state'], readonly [Tone, string]>> = {
  in_use: ['good', 'in use'],
  overruled: ['neutral', 'not used: the environment wins'],
  closed: ['bad', 'not used: sealed under another SECRETS_KEY'],
};

const nameOf = ({ tail }: ProviderKey): string => (tail === null ? 'a short key' : `…${tail}`);

function KeyTable({
  slug,
  keys,
}: {
  readonly slug: string;
  readonly keys: readonly ProviderKey[];
}) {
  const [leaving, setLeaving] = useState<ProviderKey>();
  const change = useKeyChange();
  if (keys.length === 0) return null;
  return (
    <>
      <Table
        caption={`Keys of ${slug} that were set here`}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
          { key: 'tail', title: 'Key', cell: (key) => <code>{nameOf(key)}</code> },
          {
            key: 'state',
            title: 'State',
            cell: ({ state }) => <Status tone={STATES[state][0]}>{STATES[state][1]}</Status>,
          },
          {
            key: 'set',
            title: 'Set',
            cell: ({ created_at, created_by }) => (
              <>
                <Time at={created_at} /> by {created_by}
              </>
            ),
          },
          {
            key: 'remove',
            title: 'Remove',
            isTitleHidden: true,
            cell: (key) => (
              <IconButton
                icon="trash"
                size="small"
                label={`Remove ${nameOf(key)}`}
                onClick={() => setLeaving(key)}
              />
            ),
          },
        ]}
      />
      <ConfirmDialog
        title={`Remove the key ${leaving ? nameOf(leaving) : ''} of ${slug}?`}
        effect="All servers stop using it within a second. Calls in progress end as they began."
        confirmLabel="Remove key"
        isDanger
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={async () => {
          if (!leaving) return;
          await call('DELETE /console/api/provider-keys/{key_id}', {
            params: { key_id: leaving.id },
          });
          await change();
          toast({ text: 'The key is removed.' });
        }}
      />
    </>
  );
}

function AddKey({ slug }: { readonly slug: string }) {
  const project = useProjectId();
  const navigate = useNavigate();
  const [key, setKey] = useState('');
  const [isMissing, setMissing] = useState(false);
  const change = useKeyChange();
  const add = useMutation({
    mutationFn: () =>
      call('POST /console/api/provider-keys', { body: { provider: slug, key: key.trim() } }),
    onSuccess: async ({ state }) => {
      setKey('');
      await change();
      if (state !== 'in_use') {
        toast({ text: 'The key is set. It is used once the environment has none.' });
        return;
      }
      toast({
        text: 'The key is set. Probe the provider to see whether it works.',
        action: {
          label: 'Open the playground',
          run: () => void navigate({ to: areaPath(project, 'playground') }),
        },
      });
    },
  });
  return (
    <Form
      what="The key was not set"
      submitLabel="Set key"
      fields={[]}
      mutation={add}
      onSubmit={() => {
        setMissing(key.trim() === '');
        if (key.trim() !== '') add.mutate();
      }}
    >
      <PasswordField
        error={isMissing && key === '' ? 'Paste the key here first.' : undefined}
        label={`Key of ${slug}`}
        what="key"
        hint="It is stored sealed and never shown again. With several keys, calls are spread over them."
        autoComplete="off"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
    </Form>
  );
}

/** What pages show of keys and providers is read again. */
function useKeyChange(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      // rosters and plans are the playground's
      ['provider-keys', 'providers', 'roster', 'playground'].map((area) =>
        client.invalidateQueries({ queryKey: [area] }),
      ),
    );
}
