import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { Select } from '../../parts/select.tsx';
import {
  type CheckedQuotes,
  checkQuotes,
  type QuoteReading,
  summaryOf,
  wantedQuotes,
} from './check-quotes.ts';
import { QuoteResults } from './quote-results.tsx';
import styles from './quotes.module.css';

interface QuotesTabProps {
  readonly project: string;
  readonly session: string;
}

const OPTIONS = [
  { value: 'lines', label: 'Each line is a quote' },
  { value: 'markdown', label: 'A markdown text: what it quotes' },
] as const;

/** Checks whether the session recorded what is quoted. */
export function QuotesTab({ project, session }: QuotesTabProps) {
  const [text, setText] = useState('');
  const [reading, setReading] = useState<QuoteReading>('lines');
  const check = useMutation({
    mutationFn: async () => {
      const { checked, left, tooLong } = wantedQuotes(text, reading);
      return { ...(await checkQuotes({ project, session }, checked, tooLong)), left };
    },
  });
  return (
    <div className="stack">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate();
        }}
      >
        <Field label="The text holds">
          {(control) => (
            <Select<QuoteReading>
              {...control}
              value={reading}
              onChange={(next) => {
                setReading(next);
                check.reset();
              }}
              options={OPTIONS}
            />
          )}
        </Field>
        <TextArea
          label={reading === 'lines' ? 'Quotes' : 'Text'}
          hint={
            reading === 'lines'
              ? 'They are looked for in what this session recorded. No provider is asked, and it costs nothing.'
              : 'Quotations of four words or more and block quotes. The link behind a quote is its source.'
          }
          rows={6}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            // results of another text
            check.reset();
          }}
        />
        <div>
          <Button
            type="submit"
            variant="primary"
            icon="check"
            isBusy={check.isPending}
            disabled={text.trim() === ''}
          >
            Check
          </Button>
        </div>
      </form>
      {check.error && <ErrorNote error={check.error} what="The quotes could not be checked" />}
      <div role="status" className="stack-tight">
        {check.data && <Summary of={check.data} />}
      </div>
      {check.data && check.data.quotes.length > 0 && (
        <QuoteResults project={project} session={session} quotes={check.data.quotes} />
      )}
    </div>
  );
}

interface SummaryProps {
  readonly of: CheckedQuotes & { readonly left: number };
}

/** How many quotes were found in how much, and what was not looked for. */
const Summary = ({ of: { quotes, searched, left } }: SummaryProps) => (
  <>
    <p>
      {quotes.length === 0
        ? 'The text quotes nothing: no quotation of four words or more, and no block quote.'
        : summaryOf(quotes)}
    </p>
    {searched && (
      <p className="soft">
        Searched {counted(searched.interactions, 'interaction')} of this session.
      </p>
    )}
    {searched && searched.deleted > 0 && (
      <Note tone="warn">
        {counted(searched.deleted, 'interaction')} of it {searched.deleted === 1 ? 'was' : 'were'}{' '}
        deleted for age, and not searched.
      </Note>
    )}
    {left > 0 && (
      <Note tone="warn">
        {left.toLocaleString('en-US')} more were not checked. The command <code>trawl verify</code>{' '}
        checks any number.
      </Note>
    )}
  </>
);
