import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Region } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';
import { flag, useUrlState } from '../../url-state/url-state.ts';
import { InvitationTable } from './invitation-table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import type { Viewer } from './member-rules.ts';
import { MemberTable } from './member-table.tsx';
import { membersQuery } from './members-query.ts';

const STATE = {
  /** The form of an invitation is open. */
  invite: flag(),
};

export default function MembersPage() {
  const { project = '' } = useParams({ strict: false });
  const viewer = useViewer(project);
  const members = useQuery(membersQuery(project));
  const [{ invite }, change] = useUrlState(STATE);
  return (
    <Page
      title="Members"
      description="The people of this project, their roles, and invitations."
      actions={
        viewer.isAdmin && (
          <Button
            variant="primary"
            icon="plus"
            onClick={() => change({ invite: true }, { isStep: true })}
          >
            Invite
          </Button>
        )
      }
    >
      <Region query={members} what="The members">
        {(data) => (
          <div className="stack">
            {!viewer.isAdmin && (
              <p className="soft">
                To invite people and to change roles, you need the role <strong>admin</strong> in
                this project.
              </p>
            )}
            <MemberTable project={project} members={data.members} viewer={viewer} />
            <InvitationTable project={project} invitations={data.invitations} viewer={viewer} />
          </div>
        )}
      </Region>
      {invite && viewer.isAdmin && (
        <InviteDialog project={project} viewer={viewer} onClose={() => change({ invite: false })} />
      )}
    </Page>
  );
}

function useViewer(projectId: string): Viewer {
  const session = useSession();
  const project = projectOf(session, projectId);
  return {
    id: session.person.id,
    isOwner: isAllowed(session, project, 'owner'),
    isAdmin: isAllowed(session, project, 'admin'),
  };
}
