import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ConsoleKey } from '@trawl/contract/console';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/url-state.ts';
import { KeyActions, useRefresh } from './key-actions.tsx';
import { keyColumns } from './key-columns.tsx';
import {
  bodyOf,
  EMPTY_DRAFT,
  type KeyDraft,
  type ProviderNames,
  providersOf,
} from './key-draft.ts';
import { isFiltered, KeyFilters, LIST_STATE, NO_FILTERS, shownKeys } from './key-filters.tsx';
import { keysQuery } from './key-query.ts';
import { type NewKey, SecretDialog } from './secret-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

/** The API keys of a project. */
export default function KeysPage() {
  const { project = '' } = useParams({ strict: false });
  const session = useSession();
  const mayChange = isAllowed(session, projectOf(session, project), 'admin');
  const [state, change] = useUrlState(LIST_STATE);
  const [draft, setDraft] = useState<KeyDraft>(EMPTY_DRAFT);
  const [made, setMade] = useState<NewKey | null>(null);
  const list = useQuery(keysQuery(project));
  const providers = providersOf(list.data);
  const openCreate = () => change({ create: true }, { isStep: true });
  useShortcuts([{ keys: 'n', label: 'New key', run: openCreate }], mayChange);
  const newButton = (
    <Button variant="primary" icon="plus" onClick={openCreate}>
      New key
    </Button>
  );
  const actions = (key: ConsoleKey) => (
    <KeyActions
      project={project}
      value={key}
      providers={providers}
      onMade={setMade}
      trigger={<IconButton icon="more" size="small" label={`Actions on the key ${key.name}`} />}
    />
  );
  return (
    <Page
      title="Keys"
      description="The API keys of this project, with their permissions, limits and use."
      actions={mayChange && newButton}
    >
      {list.data && list.data.keys.length > 0 && (
        <KeyFilters keys={list.data.keys} state={state} onChange={change} />
      )}
      <Region
        query={list}
        what="The keys"
        isEmpty={({ keys }) => shownKeys(keys, state).length === 0}
        isFiltered={isFiltered(state) && (list.data?.keys.length ?? 0) > 0}
        onClearFilters={() => change(NO_FILTERS)}
        empty={<NoKeys action={mayChange && newButton} />}
      >
        {({ keys }) => (
          <Table
            caption="API keys"
            columns={keyColumns(project, mayChange ? actions : undefined)}
            rows={shownKeys(keys, state)}
            rowKey={({ id }) => id}
            sort={state.sort}
            onSort={(sort) => change({ sort: sort as typeof state.sort })}
          />
        )}
      </Region>
      {state.create && mayChange && (
        <CreateDialog
          {...{ project, draft, providers }}
          onChange={setDraft}
          onClose={() => change({ create: false })}
          onMade={(next) => {
            setDraft(EMPTY_DRAFT);
            // first: while a new key is shown, the address cannot change
            change({ create: false });
            setMade(next);
          }}
        />
      )}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

const NoKeys = ({ action }: { readonly action: ReactNode }) => (
  <EmptyState
    icon="key"
    text="Programs call the API with a key of this project. It has no key yet."
    action={action}
  />
);

interface CreateDialogProps {
  readonly project: string;
  readonly draft: KeyDraft;
  readonly providers: ProviderNames;
  readonly onChange: (draft: KeyDraft) => void;
  readonly onMade: (made: NewKey) => void;
  readonly onClose: () => void;
}

/** Makes a key. All settings but the name have a default. */
function CreateDialog({ project, onMade, ...props }: CreateDialogProps) {
  const refresh = useRefresh(project);
  const create = async (draft: KeyDraft) => {
    const { name, secret } = await call('POST /console/api/projects/{project_id}/keys', {
      params: { project_id: project },
      body: bodyOf(draft, Date.now()),
    });
    onMade({ name, secret, permissions: draft.permissions });
    await refresh();
  };
  return (
    <SettingsDialog
      {...props}
      title="New key"
      description="Only the name is needed. Everything can be changed later, except the key itself."
      submitLabel="Create key"
      onSubmit={create}
    />
  );
}
