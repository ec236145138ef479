import { useQuery } from '@tanstack/react-query';
import { stateQuery, useSession } from '../../api/session.ts';
import { Region, Skeleton } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { Page } from '../../shell/page.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SignIns } from './sign-ins.tsx';
import { SignOutButton } from './sign-out-button.tsx';

export default function AccountPage() {
  const { person } = useSession();
  const state = useQuery(stateQuery);
  return (
    <Page
      title="Account"
      description={
        person.is_operator ? `${person.email}, an operator of this deployment.` : person.email
      }
      actions={<SignOutButton />}
    >
      <Section title="Name" isNarrow>
        <NameForm known={person.name} />
      </Section>
      <Section title="Password" isNarrow>
        <Region query={state} what="The ways to sign in" skeleton={<Skeleton rows={3} />}>
          {(ways) =>
            ways.password_sign_in ? (
              <PasswordForm email={person.email} />
            ) : (
              <p>Everyone signs in by single sign-on here, so there are no passwords.</p>
            )
          }
        </Region>
      </Section>
      <SignIns />
    </Page>
  );
}
