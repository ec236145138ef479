import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjectId, useSession } from '../../api/session.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { areaPath } from '../../shell/navigation.ts';
import { keyOf, type ProviderStatus, providersQuery } from './provider-query.ts';

/** Most vendors that are named. */
const NAMED_MAX = 4;

/** Whether a search that names no provider has one that can be asked. */
export const canSearch = (providers: readonly ProviderStatus[]): boolean =>
  providers.some(({ operation, credential }) => operation === 'search' && credential !== 'missing');

/** While no search can succeed: what is missing, and each way to set it up. */
export function NoProvider() {
  const { person } = useSession();
  const { data } = useQuery(providersQuery(useProjectId(), '24h'));
  if (data === undefined || canSearch(data.providers)) return null;
  return (
    <Note tone="warn">
      <div className="stack-tight">
        <p>
          <strong>No search provider is set up, so every search would fail.</strong>{' '}
          {person.is_operator
            ? 'Make a key at a vendor, and give it to the server in one of three ways.'
            : 'An operator of this deployment can set one up.'}
        </p>
        {person.is_operator && <Ways providers={data.providers} />}
      </div>
    </Note>
  );
}

function Ways({ providers }: { readonly providers: readonly ProviderStatus[] }) {
  const project = useProjectId();
  const vendors = providers
    .filter(({ operation, key_page }) => operation === 'search' && key_page !== null)
    // a newcomer begins with what costs nothing
    .toSorted((one, other) => Number(isFree(other)) - Number(isFree(one)))
    .slice(0, NAMED_MAX);
  const [first] = vendors;
  const setting = first?.setting;
  return (
    <>
      {first && setting && (
        <ul className="list">
          <li>
            <code>{setting}</code> in the environment of the server or in its <code>.env</code>, and
            start it again
          </li>
          <li>
            <code>{setting}_FILE</code> with the path of a file that holds the key: its changes are
            read while the server runs
          </li>
          <li>on the provider’s page here, such as {pageLink(project, first)}</li>
        </ul>
      )}
      <p>
        Where keys are made:{' '}
        {separated(
          vendors.map(({ slug, key_page }) => (
            <span key={slug}>
              <ExternalLink href={key_page?.url ?? ''}>{slug}</ExternalLink>
              {key_page?.free && ` (free: ${key_page.free})`}
            </span>
          )),
        )}
        . <a href={`/console${areaPath(project, 'providers')}`}>All providers</a>
      </p>
      <p>
        Without a key: <code>KEYLESS_SEARCH=on</code> asks{' '}
        <a href="/docs/keyless">sources that need none</a>, <code>SEARXNG_BASE_URL</code> names an{' '}
        <a href="/docs/deployment">instance of your own</a>, and{' '}
        <a href="/docs/quick-start">simulated providers</a> answer with made-up results.
      </p>
    </>
  );
}

const isFree = ({ key_page }: ProviderStatus): boolean => key_page?.free != null;

const pageLink = (project: string, provider: ProviderStatus) => (
  <Link
    to={areaPath(project, 'providers')}
    search={{ operation: provider.operation, peek: keyOf(provider) } as never}
  >
    {provider.slug}
  </Link>
);

const separated = (items: readonly ReactNode[]): readonly ReactNode[] =>
  items.flatMap((item, index) => (index === 0 ? [item] : [', ', item]));
