import { useState } from 'react';
import { Badge, Status } from '../../src/parts/badge.tsx';
import { Button, IconButton } from '../../src/parts/button.tsx';
import { Checkbox, Switch } from '../../src/parts/choice.tsx';
import { CodeBlock } from '../../src/parts/code-block.tsx';
import { ConfirmDialog } from '../../src/parts/confirm-dialog.tsx';
import { CopyableId } from '../../src/parts/copy-button.tsx';
import { Dialog, DialogClose } from '../../src/parts/dialog.tsx';
import { Field, SearchInput, TextArea, TextField } from '../../src/parts/field.tsx';
import { Menu } from '../../src/parts/menu.tsx';
import { Popover } from '../../src/parts/popover.tsx';
import { Select } from '../../src/parts/select.tsx';
import { Tabs } from '../../src/parts/tabs.tsx';
import { toast } from '../../src/parts/toast.tsx';

export function Controls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Layers />
      <div className="row">
        <Badge>neutral</Badge>
        <Badge tone="accent">accent</Badge>
        <Status tone="good">succeeded</Status>
        <Status tone="warn">succeeded in part</Status>
        <Status tone="bad">failed</Status>
        <CopyableId id="0198c0de-0000-7000-8000-000000000001" what="session id" />
      </div>
      <CodeBlock
        label="A search by curl"
        code={`curl -s https://trawl.example/v1/search -H "authorization: Bearer $SERVICE_API_KEY" -H 'content-type: application/json' -d '{"user_input": {"query": "tidal power"}}'`}
      />
    </>
  );
}

function Buttons() {
  return (
    <div className="row">
      <Button variant="primary" icon="plus">
        Create key
      </Button>
      <Button>Plain</Button>
      <Button variant="danger" icon="trash">
        Delete
      </Button>
      <Button variant="quiet">Quiet</Button>
      <Button isBusy>Saving</Button>
      <Button disabled>Off</Button>
      <IconButton icon="refresh" label="Refresh" />
    </div>
  );
}

function Fields() {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState<'all' | 'failed'>('all');
  const [isOn, setOn] = useState(true);
  return (
    <div className="stack" style={{ maxWidth: 420 }}>
      <TextField label="Name" hint="Shown in the list of keys." defaultValue="ci" />
      <TextField label="Limit" isOptional error="must be a whole number" defaultValue="ten" />
      <TextArea label="Queries" placeholder="One a line" />
      <SearchInput label="Search keys" value={words} onChange={setWords} />
      <Field label="Status">
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={setKind}
            options={[
              { value: 'all', label: 'All' },
              { value: 'failed', label: 'Failed' },
            ]}
          />
        )}
      </Field>
      <Checkbox label="May search" hint="Runs searches." checked={isOn} onChange={setOn} />
      <Checkbox label="All permissions" checked="mixed" onChange={setOn} />
      <Switch label="Live" checked={isOn} onChange={setOn} />
    </div>
  );
}

function Layers() {
  const [open, setOpen] = useState<'none' | 'dialog' | 'confirm'>('none');
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const close = () => setOpen('none');
  return (
    <>
      <div className="row">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Delete project</Button>
        <Button
          onClick={() => toast({ text: 'Key renamed', action: { label: 'Undo', run: close } })}
        >
          Show toast
        </Button>
        <Menu
          trigger={<IconButton icon="more" label="Actions" />}
          items={[
            { label: 'Rename', icon: 'edit', onSelect: close },
            'separator',
            { label: 'Delete', icon: 'trash', isDanger: true, onSelect: close },
          ]}
        />
        <Popover label="Columns" trigger={<Button icon="filter">Columns</Button>}>
          <Checkbox label="Cost" checked onChange={close} />
        </Popover>
      </div>
      <Tabs
        label="Views"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'one', label: 'Results', content: 'The results.' },
          { value: 'two', label: 'JSON', content: 'The text.' },
        ]}
      />
      <Dialog
        title="Create a key"
        description="It is shown once."
        isOpen={open === 'dialog'}
        onClose={close}
        footer={
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button variant="primary">Create</Button>
          </>
        }
      >
        <TextField label="Name of the key" />
      </Dialog>
      <ConfirmDialog
        title="Delete the project Research?"
        effect="Its keys stop working at once, and its sessions are deleted. This cannot be undone."
        confirmLabel="Delete project"
        typedName="Research"
        isDanger
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={() => Promise.reject(new Error('The store does not answer'))}
      />
    </>
  );
}
