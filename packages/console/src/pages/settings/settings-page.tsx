import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Forbidden, Region } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { Page } from '../../shell/page.tsx';
import { Budget } from '../projects/budget.tsx';
import { LimitsForm } from './limits-form.tsx';
import { projectQuery } from './project-query.ts';
import { RenameForm } from './rename-form.tsx';

export default function SettingsPage() {
  const { project: id = '' } = useParams({ strict: false });
  const session = useSession();
  const known = projectOf(session, id);
  const project = useQuery(projectQuery(id));
  return (
    <Page
      title="Settings"
      description="The name of this project and its limits."
      id={{ value: id, what: 'project id' }}
    >
      <Region query={project} what="The settings">
        {(data) => (
          <div className="stack">
            <Section title="Project" isNarrow>
              <p>
                Id <CopyableId id={id} what="project id" />
              </p>
              {isAllowed(session, known, 'owner') ? (
                <RenameForm key={data.name} project={id} known={data.name} />
              ) : (
                <Forbidden what={`Renaming ${data.name}`} neededRole="owner" />
              )}
            </Section>
            <Section
              title="Limits"
              description="They hold for all keys of the project together. Each key can have lower ones."
              isNarrow
            >
              <p>
                Spent this month:{' '}
                <Budget spentUsd={data.spent_usd} budgetUsd={data.monthly_budget_usd} />
              </p>
              {isAllowed(session, known, 'admin') ? (
                <LimitsForm project={id} known={data} />
              ) : (
                <>
                  <p>
                    Requests a minute:{' '}
                    {data.rate_limit === null ? 'no limit' : data.rate_limit.toLocaleString('en')}
                  </p>
                  <Forbidden what="Changing the limits" neededRole="admin" />
                </>
              )}
            </Section>
          </div>
        )}
      </Region>
    </Page>
  );
}
