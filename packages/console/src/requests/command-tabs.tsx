import { useState } from 'react';
import { CodeBlock } from '../parts/code-block.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type Program, programsOf } from './programs.ts';

interface CommandTabsProps {
  /** What they are about, for screen readers. */
  readonly label: string;
  readonly commands: readonly Program[];
  /** @returns the label of one command */
  readonly labelOf: (name: string) => string;
}

/** The same call in several languages, one at a time. */
export function CommandTabs({ label, commands, labelOf }: CommandTabsProps) {
  const [shown, setShown] = useState(commands[0]?.name ?? '');
  return (
    <Tabs
      label={label}
      value={shown}
      onChange={setShown}
      tabs={commands.map(({ name, text }) => ({
        value: name,
        label: name,
        content: <CodeBlock code={text} label={labelOf(name)} />,
      }))}
    />
  );
}

interface FirstSearchProps {
  readonly query: string;
  readonly baseUrl: string;
}

/** What a project without any call shows. */
export const FirstSearch = ({ query, baseUrl }: FirstSearchProps) => (
  <CommandTabs
    label="A first search"
    commands={programsOf({ mode: 'search', body: { user_input: { query } } }, baseUrl)}
    labelOf={(name) => `A first search by ${name}`}
  />
);
