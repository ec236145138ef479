import { CodeBlock } from '../../../parts/code-block.tsx';
import { commandsOf } from '../../../requests/commands.ts';
import type { PlannedRequest } from '../../../requests/planned.ts';

const NAMES = {
  curl: 'curl',
  typescript: 'TypeScript',
  cli: 'Command line',
  mcp: 'MCP tool call',
} as const;
const KINDS = Object.keys(NAMES) as readonly (keyof typeof NAMES)[];

interface CodeTabProps {
  readonly request: PlannedRequest;
  readonly baseUrl: string;
}

/** The request of the form, in each way to send it. */
export function CodeTab({ request, baseUrl }: CodeTabProps) {
  const commands = commandsOf(request, baseUrl);
  return (
    <div className="stack">
      <p className="soft">
        The request as it is in the form. The key is read from <code>$SERVICE_API_KEY</code>: make
        one on the page Keys.
      </p>
      {KINDS.map((kind) => {
        const { text, leftOut } = commands[kind];
        return (
          <section key={kind} className="stack-tight" aria-label={NAMES[kind]}>
            <h3>{NAMES[kind]}</h3>
            <CodeBlock code={text} label={`The request by ${NAMES[kind]}`} />
            {leftOut.length > 0 && (
              <p className="soft">This way of calling cannot express {leftOut.join(', ')}.</p>
            )}
          </section>
        );
      })}
    </div>
  );
}
