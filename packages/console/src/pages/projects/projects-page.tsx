import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ProjectEntry } from '@trawl/contract/console';
import { sessionQuery, useSession } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time, Whole } from '../../parts/value.tsx';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { flag, useUrlState } from '../../url-state/url-state.ts';
import { Alerts } from './alerts.tsx';
import { Budget } from './budget.tsx';
import { CreateProjectForm, projectsQuery } from './create-project-form.tsx';

const COLUMNS: readonly Column<ProjectEntry>[] = [
  {
    key: 'name',
    title: 'Project',
    cell: ({ id, name }) => <Link to={areaPath(id, 'overview')}>{name}</Link>,
  },
  { key: 'role', title: 'Your role', cell: ({ role }) => <Badge>{role}</Badge> },
  {
    key: 'calls',
    title: 'Provider calls, 24 h',
    align: 'right',
    cell: (row) => <Whole value={row.calls_24h} />,
  },
  {
    key: 'spent',
    title: 'Spent this month',
    cell: (row) => <Budget spentUsd={row.spent_usd} budgetUsd={row.monthly_budget_usd} />,
  },
  { key: 'keys', title: 'Keys', align: 'right', cell: (row) => <Whole value={row.key_count} /> },
  {
    key: 'members',
    title: 'Members',
    align: 'right',
    cell: (row) => <Whole value={row.member_count} />,
  },
  {
    key: 'activity',
    title: 'Last activity',
    cell: (row) => <Time at={row.last_activity_at} none="never" />,
  },
];

const STATE = {
  /** The form of a new project is open. */
  create: flag(),
};

export default function ProjectsPage() {
  const { person } = useSession();
  const projects = useQuery(projectsQuery);
  const [state, change] = useUrlState(STATE);
  const create = person.is_operator && (
    <Button
      variant="primary"
      icon="plus"
      onClick={() => change({ create: true }, { isStep: true })}
    >
      New project
    </Button>
  );
  return (
    <Page
      title="Projects"
      description={
        person.is_operator
          ? 'All projects: you are an operator of this deployment.'
          : 'The projects that you are a member of.'
      }
      actions={projects.data && projects.data.projects.length > 0 && create}
    >
      <Region
        query={projects}
        what="The projects"
        isEmpty={(data) => data.projects.length === 0}
        empty={<NoProjects action={create} />}
      >
        {(data) => (
          <Table
            caption="Projects"
            columns={COLUMNS}
            rows={data.projects}
            rowKey={({ id }) => id}
          />
        )}
      </Region>
      {person.is_operator && <Alerts />}
      <CreateDialog
        isOpen={state.create && person.is_operator}
        onClose={() => change({ create: false })}
      />
    </Page>
  );
}

const NoProjects = ({ action }: { readonly action: React.ReactNode }) => (
  <EmptyState
    text={
      action
        ? 'There are no projects yet. A project has its own keys, people, limits and history.'
        : 'You are not a member of a project. An operator makes projects; an admin of one can invite you.'
    }
    action={action}
  />
);

interface CreateDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function CreateDialog({ isOpen, onClose }: CreateDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const goThere = async ({ id }: { readonly id: string }) => {
    // the session lists the projects that the person may open
    await client.invalidateQueries(sessionQuery);
    onClose();
    await navigate({ to: areaPath(id, 'keys') });
  };
  return (
    <Dialog title="New project" isOpen={isOpen} onClose={onClose}>
      <CreateProjectForm submitLabel="Make the project" onCreated={goThere} />
    </Dialog>
  );
}
