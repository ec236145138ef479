import { readRefusal, TrawlApiError } from '@trawl/client/http';
import { Button } from '../../src/parts/button.tsx';
import { CodeBlock } from '../../src/parts/code-block.tsx';
import { ErrorNote } from '../../src/parts/error-note.tsx';
import { Note } from '../../src/parts/note.tsx';
import { EmptyState, FilteredToEmpty, Forbidden, Skeleton } from '../../src/parts/region.tsx';

const ERROR = new TrawlApiError(
  readRefusal(
    503,
    new Headers({ 'x-request-id': '0198c0de-0000-7000-8000-000000000009' }),
    '{"detail":"The store does not answer","hint":"try again in a few seconds"}',
  ),
);
const nothing = () => undefined;

export const States = () => (
  <>
    <Skeleton rows={3} />
    <EmptyState
      icon="sessions"
      text="A session is made by any search. There is none in this project yet."
      action={<Button variant="primary">Open the playground</Button>}
    >
      <CodeBlock label="A search by curl" code="curl https://trawl.example/v1/search" />
    </EmptyState>
    <FilteredToEmpty onClear={nothing} />
    <Forbidden what="The members" neededRole="admin" />
    <ErrorNote error={ERROR} what="The sessions could not be read" onRetry={nothing} />
    <Note onDismiss={nothing}>Showing the first 200 rows.</Note>
    <Note tone="warn">Two providers failed.</Note>
  </>
);
