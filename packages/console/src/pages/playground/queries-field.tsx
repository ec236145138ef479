import { LIMITS } from '@trawl/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import type { JsonObject, PlannedRequest } from '../../requests/planned.ts';
import { queriesOf, textOf, withQueries } from './draft.ts';
import { faultAt } from './faults.ts';
import styles from './form.module.css';

interface QueriesFieldProps {
  readonly request: PlannedRequest;
  readonly error: unknown;
  readonly onChange: (request: PlannedRequest) => void;
}

/** One query, or a batch of them. */
export function QueriesField({ request, error, onChange }: QueriesFieldProps) {
  const queries = queriesOf(request);
  const list = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(0);
  useEffect(() => {
    // one that was just added is what the person writes next
    const boxes = list.current?.querySelectorAll('textarea');
    if (added > 0) boxes?.[boxes.length - 1]?.focus();
  }, [added]);
  const isBatch = queries.length > 1;
  const replace = (next: readonly JsonObject[]) => onChange(withQueries(request, next));
  const whole = faultAt(error, 'user_input');
  const faultOf = (index: number) => (isBatch ? faultAt(error, `user_input.${index}`) : whole);
  return (
    <div className="stack-tight" ref={list}>
      {queries.map((query, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a query is known by its place
        <div key={index} className={styles.query}>
          <TextArea
            label={isBatch ? `Query ${index + 1}` : 'Query'}
            rows={isBatch ? 1 : 2}
            className={styles.queryText}
            value={textOf(query.query)}
            error={faultOf(index)}
            onChange={(event) =>
              replace(queries.with(index, { ...query, query: event.target.value }))
            }
          />
          {isBatch && (
            <IconButton
              icon="close"
              size="small"
              label={`Remove query ${index + 1}`}
              onClick={() => replace(queries.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          disabled={queries.length >= LIMITS.queriesPerBatch}
          onClick={() => {
            replace([...queries, { query: '' }]);
            setAdded(added + 1);
          }}
        >
          Add a query
        </Button>
      </div>
    </div>
  );
}
