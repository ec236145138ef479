import type { ProjectEntry } from '@trawl/contract/console';
import { useState } from 'react';
import { issueUnder } from '../../api/error.ts';
import { TextArea } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { useProjectChange } from './project-change.ts';

interface RulesFormProps {
  readonly project: string;
  readonly known: ProjectEntry['web_rules'];
}

/** The web rules of a project, a host on each line. */
export function RulesForm({ project, known }: RulesFormProps) {
  const [deny, setDeny] = useState(written(known?.hosts?.deny));
  const [allow, setAllow] = useState(written(known?.hosts?.allow));
  const [refusesSecrets, setRefusesSecrets] = useState(known?.secrets === 'refuse');
  const change = useProjectChange(project, 'The web rules are changed.');
  const submit = () => {
    const hosts = { deny: lines(deny), allow: lines(allow) };
    const isEmpty = hosts.deny.length + hosts.allow.length === 0 && !refusesSecrets;
    const rules = { hosts, secrets: refusesSecrets ? 'refuse' : 'off' } as const;
    change.mutate({ web_rules: isEmpty ? null : rules });
  };
  const errorOf = (list: 'deny' | 'allow') =>
    issueUnder(change.error, 'body', 'web_rules', 'hosts', list);
  return (
    <Form
      what="The web rules were not changed"
      submitLabel="Change web rules"
      fields={['web_rules']}
      mutation={change}
      onSubmit={submit}
    >
      <TextArea
        label="Denied hosts"
        isOptional
        hint="One on each line, with its subdomains; *.example.com names the subdomains alone."
        rows={5}
        spellCheck={false}
        autoComplete="off"
        value={deny}
        error={errorOf('deny')}
        onChange={({ target }) => setDeny(target.value)}
      />
      <TextArea
        label="Only these hosts"
        isOptional
        hint="Empty = all hosts that are not denied."
        rows={5}
        spellCheck={false}
        autoComplete="off"
        value={allow}
        error={errorOf('allow')}
        onChange={({ target }) => setAllow(target.value)}
      />
      <label>
        <input
          type="checkbox"
          checked={refusesSecrets}
          onChange={({ target }) => setRefusesSecrets(target.checked)}
        />{' '}
        Refuse what looks like a secret of a known service
      </label>
    </Form>
  );
}

const written = (hosts: readonly string[] = []): string => hosts.join('\n');

const lines = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
