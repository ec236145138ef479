import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import styles from './rail.module.css';

interface Drawer {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

const DrawerContext = createContext<Drawer>({ isOpen: false, setOpen: () => undefined });

/** Whether the rail is shown on a small screen. */
export const useDrawer = (): Drawer => useContext(DrawerContext);

export function DrawerProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const drawer = useMemo(() => ({ isOpen, setOpen }), [isOpen]);
  return <DrawerContext value={drawer}>{children}</DrawerContext>;
}

/** Shown on small screens only. */
export function MenuButton() {
  const { setOpen } = useDrawer();
  return (
    <IconButton
      icon="menu"
      label="Menu"
      className={styles.menuButton}
      onClick={() => setOpen(true)}
    />
  );
}
