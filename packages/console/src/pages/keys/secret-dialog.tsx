import { useBlocker } from '@tanstack/react-router';
import type { Permission } from '@trawl/contract';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import styles from './keys.module.css';
import { readyCommands } from './ready-commands.ts';

/** A key that was made just now. It is in this state only, and gone when the dialog closes. */
export interface Secret {
  readonly name: string;
  readonly secret: string;
  readonly permissions: readonly Permission[];
}

interface SecretDialogProps {
  readonly made: Secret;
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

function SecretField({ secret }: Pick<Secret, 'secret'>) {
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
  const commands = readyCommands(made.permissions, session.server.base_url);
  const [shown, setShown] = useState(commands[0]?.value ?? '');
  return (
    <>
      <Note>The commands read the key from the variable SERVICE_API_KEY.</Note>
      <Tabs
        label="Commands that use the key"
        value={shown}
        onChange={setShown}
        tabs={commands.map(({ value, label, text }) => ({
          value,
          label,
          content: <CodeBlock code={text} label={`${label} with the new key`} />,
        }))}
      />
    </>
  );
}
