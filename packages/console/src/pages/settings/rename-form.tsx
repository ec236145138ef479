import { useState } from 'react';
import { issueAt } from '../../api/error.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { useProjectChange } from './use-project-change.ts';

interface RenameFormProps {
  readonly project: string;
  readonly known: string;
}

export function RenameForm({ project, known }: RenameFormProps) {
  const [name, setName] = useState(known);
  const rename = useProjectChange(project, 'The project is renamed.');
  return (
    <Form
      what="The project was not renamed"
      submitLabel="Rename"
      fields={['name']}
      isBusy={rename.isPending}
      error={rename.error}
      onSubmit={() => rename.mutate({ name })}
    >
      <TextField
        label="Name"
        hint="Keys and addresses of the project stay as they are."
        autoComplete="off"
        value={name}
        error={issueAt(rename.error, 'body', 'name')}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}
