import type { ContextResponse } from '@trawl/contract';
import { CodeBlock } from '../../parts/code-block.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { moneyText } from '../../parts/number-text.ts';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';

type Source = ContextResponse['context']['sources'][number];
type LeftOut = ContextResponse['context']['left_out'][number];

/** A context: its text, its sources, what was left out, and what it cost. */
export function ContextAnswer({ answer }: { readonly answer: ContextResponse }) {
  const { context, warnings, cost_usd: cost } = answer;
  const price = cost === null ? 'cost not known' : moneyText(cost);
  return (
    <div className="stack">
      {warnings.map(({ code, message }) => (
        <Note key={`${code} ${message}`} tone="warn">
          {message}
        </Note>
      ))}
      <Section title="Text" description={`About ${context.tokens} tokens, ${price}.`}>
        {context.text === '' ? (
          <p className="soft">No source was found.</p>
        ) : (
          <CodeBlock code={context.text} label="The text for a model" />
        )}
      </Section>
      <Section title="Sources">
        <Table
          caption="Sources"
          columns={SOURCES}
          rows={context.sources}
          rowKey={({ url }) => url}
        />
      </Section>
      {context.left_out.length > 0 && (
        <Section title="Left out">
          <Table
            caption="Left out"
            columns={LEFT_OUT}
            rows={context.left_out}
            rowKey={({ url }) => url}
          />
        </Section>
      )}
    </div>
  );
}

const SOURCES = [
  { key: 'n', title: 'Number', cell: ({ n }: Source) => n },
  {
    key: 'page',
    title: 'Page',
    isLong: true,
    cell: ({ url, title }: Source) => <ExternalLink href={url}>{title ?? url}</ExternalLink>,
  },
  { key: 'from', title: 'Text from', cell: ({ text_from: from }: Source) => from },
  { key: 'by', title: 'Read by', cell: ({ fetched_by: by }: Source) => by ?? '–' },
  {
    key: 'found',
    title: 'Found by',
    cell: ({ providers }: Source) =>
      providers.map(({ provider, rank }) => `${provider}#${rank}`).join(' '),
  },
  {
    key: 'passages',
    title: 'Passages',
    align: 'right' as const,
    cell: ({ passages }: Source) => passages.length,
  },
  {
    key: 'findings',
    title: 'Findings',
    cell: ({ findings }: Source) =>
      [...new Set(findings.map(({ kind }) => kind.replaceAll('_', ' ')))].join(', ') || '–',
  },
];

const LEFT_OUT = [
  { key: 'reason', title: 'Reason', cell: ({ reason }: LeftOut) => reason },
  {
    key: 'page',
    title: 'Page',
    isLong: true,
    cell: ({ url }: LeftOut) => <ExternalLink href={url}>{url}</ExternalLink>,
  },
];
