import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => call('GET /console/api/projects', { signal }),
});

type Created = AnswerOf<'POST /console/api/projects'>;

interface CreateProjectFormProps {
  readonly submitLabel: string;
  /** The form is busy until it ends, so that a second click makes no second project. */
  readonly onCreated: (project: Created) => Promise<unknown>;
}

/** A new project needs a name only. */
export function CreateProjectForm({ submitLabel, onCreated }: CreateProjectFormProps) {
  const [name, setName] = useState('');
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => call('POST /console/api/projects', { body: { name } }),
    onSuccess: (project) => {
      void client.invalidateQueries(projectsQuery);
      return onCreated(project);
    },
  });
  return (
    <Form
      what="The project was not made"
      submitLabel={submitLabel}
      fields={['name']}
      mutation={create}
      onSubmit={() => create.mutate()}
    >
      <TextField
        label="Name of the project"
        hint="You can change it later."
        autoComplete="off"
        value={name}
        error={issueAt(create.error, 'body', 'name')}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}
