import { useNavigate, useParams } from '@tanstack/react-router';
import { projectOf, useSession } from '../api/session.ts';
import { classNames } from '../parts/class-names.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { useDrawer } from './drawer.tsx';
import { areaPath } from './navigation.ts';
import styles from './rail.module.css';

/** Shows the project, and goes to another one. */
export function ProjectSwitcher() {
  const session = useSession();
  const navigate = useNavigate();
  const { setOpen } = useDrawer();
  const { project: id = '' } = useParams({ strict: false });
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
