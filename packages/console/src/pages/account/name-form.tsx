import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { sessionQuery } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { toast } from '../../parts/toast.tsx';

export function NameForm({ known }: { readonly known: string }) {
  const [name, setName] = useState(known);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () => call('PATCH /console/api/account', { body: { name } }),
    onSuccess: () => {
      toast({ text: 'Your name is changed.' });
      return client.invalidateQueries(sessionQuery);
    },
  });
  return (
    <Form
      what="Your name was not changed"
      submitLabel="Change name"
      fields={['name']}
      isBusy={rename.isPending}
      error={rename.error}
      onSubmit={() => rename.mutate()}
    >
      <TextField
        label="Name"
        hint="Other people of your projects see it, with your e-mail."
        autoComplete="name"
        value={name}
        error={issueAt(rename.error, 'body', 'name')}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}
