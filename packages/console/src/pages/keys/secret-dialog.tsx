import { useBlocker } from '@tanstack/react-router';
import type { Permission } from '@trawl/contract';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { CommandTabs } from '../../requests/command-tabs.tsx';
import type { PlannedRequest } from '../../requests/planned.ts';
import { inQuotes, type Program, programsOf } from '../../requests/programs.ts';
import styles from './keys.module.css';

/** A key that was made just now. Only in this state, until the dialog closes. */
export interface NewKey {
  readonly name: string;
  readonly secret: string;
  readonly permissions: readonly Permission[];
}

interface SecretDialogProps {
  readonly made: NewKey;
  readonly onClose: () => void;
}

/** Shows a new key once, with commands that are ready to use. Closing it asks first. */
export function SecretDialog({ made, onClose }: SecretDialogProps) {
  const [isLeaving, setLeaving] = useState(false);
  useBlocker({
    shouldBlockFn: () => {
      setLeaving(true);
      return true;
    },
    enableBeforeUnload: true,
  });
  return (
    <Dialog
      isOpen
      isWide
      title={`Key ${made.name}`}
      description="Copy it now: it is shown only once. The server keeps a digest of it, from which it cannot be found again."
      onClose={() => setLeaving(true)}
      footer={
        isLeaving ? (
          <>
            <p className="grow">Is it stored? It cannot be shown again.</p>
            <Button onClick={() => setLeaving(false)}>Back</Button>
            <Button variant="primary" onClick={onClose} autoFocus>
              Close for good
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setLeaving(true)}>
            Done
          </Button>
        )
      }
    >
      <SecretField secret={made.secret} />
      <Commands made={made} />
    </Dialog>
  );
}

function SecretField({ secret }: Pick<NewKey, 'secret'>) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <div className={styles.secret}>
        <TextField
          label="The key"
          type={isShown ? 'text' : 'password'}
          readOnly
          value={secret}
          autoComplete="off"
          spellCheck={false}
          onFocus={({ target }) => target.select()}
        />
        <IconButton
          icon="eye"
          label={isShown ? 'Hide the key' : 'Show the key'}
          variant="plain"
          onClick={() => setShown(!isShown)}
        />
        <CopyButton text={secret} label="Copy the key" size="normal">
          Copy
        </CopyButton>
      </div>
      <div className="row">
        <CopyButton
          text={() => `export SERVICE_API_KEY='${secret}'`}
          label="Copy as shell export of SERVICE_API_KEY"
        >
          Copy as shell export
        </CopyButton>
      </div>
    </>
  );
}

function Commands({ made }: Pick<SecretDialogProps, 'made'>) {
  const session = useSession();
  return (
    <>
      <Note>The commands read the key from the variable SERVICE_API_KEY.</Note>
      <CommandTabs
        label="Commands that use the key"
        commands={readyCommands(made.permissions, session.server.base_url)}
        labelOf={(name) => `${name} with the new key`}
      />
    </>
  );
}

const SEARCH: PlannedRequest = {
  mode: 'search',
  body: { user_input: { query: 'tidal power plants' } },
};
const FETCH: PlannedRequest = { mode: 'fetch', body: { urls: ['https://example.com/'] } };

/**
 * Commands that try a new key, with `$SERVICE_API_KEY` instead of it: a search or a fetch,
 * whichever it may do, otherwise a list of sessions.
 */
function readyCommands(permissions: readonly Permission[], baseUrl: string): readonly Program[] {
  const mcp: Program = { name: 'MCP', text: mcpOf(baseUrl) };
  if (!permissions.includes('search') && !permissions.includes('fetch')) {
    const text = `curl -sS ${inQuotes(`${baseUrl}/v1/sessions`)} \\\n  -H "Authorization: Bearer $SERVICE_API_KEY"`;
    return [{ name: 'curl', text }, mcp];
  }
  return [...programsOf(permissions.includes('search') ? SEARCH : FETCH, baseUrl), mcp];
}

/** The entry of `.mcp.json`, which reads the key from the environment. */
const mcpOf = (baseUrl: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        trawl: {
          type: 'http',
          url: `${baseUrl}/mcp`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it by the variable
          headers: { Authorization: 'Bearer ${SERVICE_API_KEY}' },
        },
      },
    },
    null,
    2,
  );
