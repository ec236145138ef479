import { useState } from 'react';
import { CodeBlock } from '../parts/code-block.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { commandsOf } from './commands.ts';
import type { PlannedRequest } from './planned.ts';
import { pythonProgram, typescriptProgram } from './programs.ts';

/** A command that is ready to use, and the name of its language or tool. */
export interface ReadyCommand {
  readonly name: string;
  readonly text: string;
}

interface CommandTabsProps {
  /** What they are about, for screen readers. */
  readonly label: string;
  readonly commands: readonly ReadyCommand[];
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

/** A request in the languages of the clients. */
export function programsOf(request: PlannedRequest, baseUrl: string): readonly ReadyCommand[] {
  return [
    { name: 'curl', text: commandsOf(request, baseUrl).curl.text },
    { name: 'TypeScript', text: typescriptProgram(request, baseUrl) },
    { name: 'Python', text: pythonProgram(request, baseUrl) },
  ];
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
