import type { FetchRow, PageFinding } from '@trawl/contract';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../records/paths.ts';

const KINDS: Readonly<Record<PageFinding['kind'], string>> = {
  hidden_text: 'hidden text',
  invisible_characters: 'invisible characters',
  text_for_agents: 'text for agents',
};

/** What a page hides, or says to programs. Its words are shown as words, whatever they are. */
export function Findings({ row: { findings = [] } }: { readonly row: FetchRow }) {
  if (findings.length === 0) return null;
  return (
    <Note>
      <p>
        The page holds {counted(findings.length, 'text')} that people do not see, or that speak to
        programs. It was delivered all the same.
      </p>
      <ul>
        {findings.map(({ kind, excerpt, offset }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings keep their places
          <li key={index}>
            <strong>{KINDS[kind] ?? kind}</strong>{' '}
            <span className="soft">
              {offset === null
                ? 'not in the text'
                : `at character ${offset.toLocaleString('en-US')}`}
            </span>
            <br />
            <q dir="auto">{excerpt}</q>
          </li>
        ))}
      </ul>
    </Note>
  );
}
