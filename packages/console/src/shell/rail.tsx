import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { projectOf, useSession } from '../api/session.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { classNames } from '../parts/class-names.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import layer from '../parts/layer.module.css';
import { Menu } from '../parts/menu.tsx';
import { useReturnFocus } from '../parts/use-return-focus.ts';
import { useDrawer } from './drawer.tsx';
import { AREAS, areaPath } from './navigation.ts';
import styles from './rail.module.css';
import { ThemeMenu } from './theme-menu.tsx';

/** The rail on the left, next to the page; a drawer on small screens. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const project = useLastProject();
  const { isOpen, setOpen } = useDrawer();
  const focus = useReturnFocus();
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <Rail project={project} />
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className={layer.veil} />
          <Dialog.Content {...focus} className={styles.drawer} aria-describedby={undefined}>
            <Dialog.Title className="visually-hidden">Menu</Dialog.Title>
            <Rail project={project} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <div className={styles.column}>{children}</div>
    </div>
  );
}

/** That of the page; on a page of none, such as the account, the one that was open before. */
function useLastProject(): string | undefined {
  const session = useSession();
  const { project } = useParams({ strict: false });
  const last = useRef<string>(undefined);
  if (project !== undefined) last.current = project;
  const [only, another] = session.projects;
  const known = projectOf(session, last.current ?? '') ?? (another ? undefined : only);
  return known?.id;
}

interface RailProps {
  readonly project: string | undefined;
}

function Rail({ project }: RailProps) {
  const session = useSession();
  return (
    <nav className={styles.rail} aria-label="Console">
      <ProjectSwitcher project={project} />
      {project !== undefined && <Areas project={project} />}
      <div className={styles.bottom}>
        <ul>
          <li>
            <a className={styles.link} href="/docs">
              <Icon name="book" /> Documentation
            </a>
          </li>
          <li>
            <ThemeMenu />
          </li>
          <li>
            <RailLink to="/account" icon="account" label={session.person.name} />
          </li>
        </ul>
        <p className={styles.version}>trawl {session.server.version}</p>
      </div>
    </nav>
  );
}

function Areas({ project }: { readonly project: string }) {
  return (
    <div>
      {AREAS.map((group) => (
        <ul key={group[0]?.path}>
          {group.map(({ path, label, icon }) => (
            <li key={path}>
              <RailLink to={areaPath(project, path)} icon={icon} label={label} />
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

interface RailLinkProps {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
}

function RailLink({ to, icon, label }: RailLinkProps) {
  const { setOpen } = useDrawer();
  return (
    <Link
      to={to}
      className={styles.link}
      activeProps={{ 'aria-current': 'page' }}
      inactiveProps={{ 'aria-current': undefined }}
      onClick={() => setOpen(false)}
    >
      <Icon name={icon} /> <span className="cut">{label}</span>
    </Link>
  );
}

/** `g s` and so on, in a project. */
export function AreaShortcuts({ project }: { readonly project: string }) {
  const navigate = useNavigate();
  const areas = AREAS.flat();
  useShortcuts(
    areas.map(({ path, label, key }) => ({
      keys: `g ${key}`,
      label: `Go to ${label}`,
      run: () => void navigate({ to: areaPath(project, path) }),
    })),
  );
  return null;
}

/** Shows the project, and goes to another one. */
function ProjectSwitcher({ project: id = '' }: RailProps) {
  const session = useSession();
  const navigate = useNavigate();
  const { setOpen } = useDrawer();
  const current = projectOf(session, id);
  const goTo = (to: string) => {
    setOpen(false);
    void navigate({ to });
  };
  return (
    <Menu
      align="start"
      label="Projects"
      trigger={
        <button type="button" className={classNames(styles.link, styles.switcher)}>
          <span className="cut">
            <span className="visually-hidden">Project: </span>
            {current?.name ?? 'Choose a project'}
          </span>
          <Icon name="sort" size={14} />
        </button>
      }
      items={[
        ...session.projects.map((project) => ({
          label: project.name,
          isChecked: project.id === id,
          onSelect: () => goTo(areaPath(project.id, 'overview')),
        })),
        'separator' as const,
        { label: 'All projects', icon: 'folder' as const, onSelect: () => goTo('/projects') },
      ]}
    />
  );
}
