import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ConsoleSessionRow } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { counted } from '../../parts/number-text.ts';
import { Peek } from '../../parts/peek.tsx';
import { Region } from '../../parts/region.tsx';
import { href, sessionPath } from '../../records/paths.ts';
import { SessionFacts } from '../session/session-facts.tsx';
import { TurnLine } from '../session/turn-line.tsx';

const TURNS_SHOWN = 20;

interface SessionPeekProps {
  readonly project: string;
  readonly session: string;
  /** The row of the list; undefined where the list does not have it. */
  readonly known: ConsoleSessionRow | undefined;
  readonly onClose: () => void;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}

/** A session next to the list. */
export function SessionPeek({ project, session, known, ...moves }: SessionPeekProps) {
  const params = { project_id: project, session_id: session };
  const row = useQuery({
    queryKey: [project, 'session', session],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/sessions/{session_id}', { params, signal }),
    enabled: known === undefined,
  });
  const turns = useQuery({
    queryKey: [project, 'first-turns', session],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/sessions/{session_id}/turns', {
        params,
        signal,
      }),
  });
  const facts = known ?? row.data;
  return (
    <Peek {...moves} title={facts?.input ?? 'Session'} href={href(sessionPath(project, session))}>
      <div className="stack">
        {facts ? (
          <SessionFacts row={facts} />
        ) : (
          <Region query={row} what="The session">
            {(data) => <SessionFacts row={data} />}
          </Region>
        )}
        <Region query={turns} what="The interactions">
          {({ turns: read, next_after: more }) => (
            <div className="stack-tight">
              {read.slice(0, TURNS_SHOWN).map((turn) => (
                <TurnLine key={turn.id} project={project} session={session} turn={turn} />
              ))}
              {(read.length > TURNS_SHOWN || more !== null) && (
                <p className="soft">
                  The first {TURNS_SHOWN}
                  {facts && ` of ${counted(facts.interaction_count, 'interaction')}`}.{' '}
                  <Link to={sessionPath(project, session)}>Open the session</Link>
                </p>
              )}
            </div>
          )}
        </Region>
      </div>
    </Peek>
  );
}
