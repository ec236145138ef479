import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Role } from '@trawl/contract/vocabulary';
import type { ReactNode } from 'react';
import { useIsAllowed, useProjectId, useSession } from '../../api/session.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { FirstSearch } from '../../requests/command-tabs.tsx';
import { areaPath } from '../../shell/navigation.ts';
import { keysQuery } from '../keys/key-query.ts';
import { canSearch } from '../providers/no-provider.tsx';
import { providersQuery } from '../providers/provider-query.ts';
import styles from './first-steps.module.css';
import { latestSessionsQuery } from './latest-sessions.tsx';

const HIDDEN = 'trawl.first-steps-hidden';
const FIRST_CALL_MS = 5_000;

/**
 * What a new project needs, from what there is; not stored. Hidden when all is done, or
 * when the person hides it.
 */
export function FirstSteps() {
  const project = useProjectId();
  const [isHidden, setHidden] = useKept(`${HIDDEN}.${project}`);
  const done = useDone(project, !isHidden);
  if (isHidden || done === undefined || Object.values(done).every(Boolean)) return null;
  return (
    <section className={`card ${styles.steps}`} aria-labelledby="first-steps">
      <div className="spread">
        <h2 id="first-steps">First steps</h2>
        <IconButton
          icon="close"
          size="small"
          label="Hide the first steps"
          onClick={() => setHidden(true)}
        />
      </div>
      <ol>
        <Step title="A provider that searches" isDone={done.provider}>
          <Provider />
        </Step>
        <Step title="An API key" isDone={done.key}>
          <ForRole least="admin" what="makes keys">
            <Link to={areaPath(project, 'keys')} search={{ create: '1' } as never}>
              Make a key
            </Link>{' '}
            for your program. It is shown once.
          </ForRole>
        </Step>
        <Step title="The first search" isDone={done.search}>
          <ForRole least="member" what="searches">
            Run one in the <Link to={areaPath(project, 'playground')}>playground</Link>: it shows
            the price before.
          </ForRole>
        </Step>
        <Step title="The first program that calls" isDone={done.call}>
          <FirstCall />
        </Step>
      </ol>
    </section>
  );
}

interface Done {
  readonly provider: boolean;
  readonly key: boolean;
  readonly search: boolean;
  readonly call: boolean;
}

/** Undefined while it is not known. */
function useDone(project: string, isWanted: boolean): Done | undefined {
  const providers = useQuery({ ...providersQuery(project, '24h'), enabled: isWanted });
  const sessions = useQuery({ ...latestSessionsQuery(project), enabled: isWanted });
  const keys = useQuery({
    ...keysQuery(project),
    enabled: isWanted,
    refetchInterval: FIRST_CALL_MS,
  });
  if (!providers.data || !sessions.data || !keys.data) return undefined;
  const call = keys.data.keys.some((key) => key.last_used_at !== null);
  return {
    provider: canSearch(providers.data.providers),
    key: keys.data.keys.length > 0,
    // its session may have been deleted since
    search: call || sessions.data.sessions.length > 0,
    call,
  };
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  /** How it is done, while it is not. */
  readonly children: ReactNode;
}

const Step = ({ title, isDone, children }: StepProps) => (
  <li className={isDone ? styles.done : undefined}>
    <Icon name={isDone ? 'check' : 'circle'} />
    <div className="stack-tight">
      <strong>
        {title}
        <span className="visually-hidden">{isDone ? ': done' : ': to do'}</span>
      </strong>
      {!isDone && <div>{children}</div>}
    </div>
  </li>
);

/** What a person with the role reads; others read who may do it. */
function ForRole({
  least,
  what,
  children,
}: {
  readonly least: Role;
  readonly what: string;
  readonly children: ReactNode;
}) {
  if (useIsAllowed(least)) return children;
  return `Someone with the role ${least} in this project ${what}: see Members.`;
}

const Provider = () =>
  useSession().person.is_operator
    ? 'The note above says how.'
    : 'An operator of this deployment sets it up.';

function FirstCall() {
  const { server } = useSession();
  return (
    <div className="stack-tight">
      <p>
        With a key in <code>SERVICE_API_KEY</code>. It shows up here within seconds.
      </p>
      <FirstSearch query="tidal power plants" baseUrl={server.base_url} />
    </div>
  );
}
