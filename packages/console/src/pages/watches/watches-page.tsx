import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useIsAllowed } from '../../api/session.ts';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { decodeRequest, LINK_PARAMETER } from '../../requests/link.ts';
import type { PlannedRequest } from '../../requests/planned.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { flag, optional, text, useUrlState } from '../../url-state/url-state.ts';
import { emptyRequest } from '../playground/draft.ts';
import { NewWatch } from './new-watch.tsx';
import { WatchActions } from './watch-actions.tsx';
import { watchColumns } from './watch-columns.tsx';
import { WatchPeek } from './watch-peek.tsx';
import { watchesQuery } from './watch-query.ts';

const STATE = {
  /** The watch in the panel. */
  peek: optional(),
  create: flag(),
  /** What a new watch asks for at first. */
  [LINK_PARAMETER]: text(),
};

/** What is asked for again and again in a project, and what is new. */
export default function WatchesPage() {
  const { project = '' } = useParams({ strict: false });
  const mayChange = useIsAllowed('admin');
  const [state, change] = useUrlState(STATE);
  const list = useQuery(watchesQuery(project));
  const openCreate = () => change({ create: true, [LINK_PARAMETER]: '' }, { isStep: true });
  useShortcuts([{ keys: 'n', label: 'New watch', run: openCreate }], mayChange);
  const newButton = mayChange && (
    <Button variant="primary" icon="plus" onClick={openCreate}>
      New watch
    </Button>
  );
  return (
    <Page
      title="Watches"
      description="Searches and pages that are asked for again and again, and what is new in them."
      actions={newButton}
    >
      <Region
        query={list}
        what="The watches"
        neededRole="admin"
        isEmpty={(watches) => watches.length === 0}
        empty={
          <EmptyState
            icon="live"
            text="A watch asks the same search or the same pages again, and says what is new."
            action={newButton}
          />
        }
      >
        {(watches) => (
          <>
            <Table
              caption="Watches"
              columns={watchColumns((watch) => <WatchActions project={project} value={watch} />)}
              rows={watches}
              rowKey={({ id }) => id}
              rowHref={({ id }) => `/console${areaPath(project, 'watches')}?peek=${id}`}
              onOpen={({ id }) => change({ peek: id })}
              openKey={state.peek}
            />
            {state.peek !== null && (
              <WatchPeek
                project={project}
                watches={watches}
                id={state.peek}
                onShow={(peek) => change({ peek })}
              />
            )}
          </>
        )}
      </Region>
      {state.create && mayChange && (
        <NewOfLink
          project={project}
          link={state[LINK_PARAMETER]}
          onClose={() => change({ create: false, [LINK_PARAMETER]: '' })}
        />
      )}
    </Page>
  );
}

interface NewOfLinkProps {
  readonly project: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** A new watch of the request in the address. */
function NewOfLink({ project, link, onClose }: NewOfLinkProps) {
  const [request, setRequest] = useState<PlannedRequest>();
  useEffect(() => {
    let isCurrent = true;
    void decodeRequest(link).then(
      (decoded) => isCurrent && setRequest(decoded ?? emptyRequest('search')),
    );
    return () => {
      isCurrent = false;
    };
  }, [link]);
  return request ? <NewWatch project={project} request={request} onClose={onClose} /> : null;
}
