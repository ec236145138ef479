import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../keys/shortcuts.ts';
import { buttonClass, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './peek.module.css';

const WIDTH_KEY = 'trawl.peek-width';
const WIDTH_MIN = 320;
const WIDTH_MAX = 1_200;
const WIDTH_STEP = 32;

/** Clicks here are about the panel or about another row, so they do not close it. */
const KEEPS_OPEN =
  '[data-peek], [data-row], [data-toasts], [data-keeps-peek], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-radix-popper-content-wrapper]';

export interface PeekProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  /** `J`: the next row of the filtered list. Absent at its end. */
  readonly onNext?: (() => void) | undefined;
  /** `K` */
  readonly onPrevious?: (() => void) | undefined;
  /** The address of the page of what is shown. */
  readonly href?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A panel over the right of a list that shows one of its rows; which one is in the address
 * (`?peek=`). It is not modal: the list goes on, and a click on another row shows that.
 */
export function Peek({ title, onClose, onNext, onPrevious, href, actions, children }: PeekProps) {
  const panel = useRef<HTMLElement>(null);
  const width = usePanelWidth();
  useCloseOutside(onClose);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useShortcuts([
    { keys: 'Escape', label: 'Close the panel', run: onClose },
    { keys: 'j', label: 'Next row', run: () => onNext?.() },
    { keys: 'k', label: 'Previous row', run: () => onPrevious?.() },
  ]);
  return (
    <aside
      ref={panel}
      data-peek
      tabIndex={-1}
      className={styles.peek}
      style={{ '--peek-width': `${width.pixels}px` } as CSSProperties}
      aria-label={typeof title === 'string' ? title : 'Details'}
    >
      <button type="button" className={styles.handle} {...width.handle} />
      <div className={styles.head}>
        <h2 className="cut">{title}</h2>
        {actions}
        <IconButton
          icon="chevron-up"
          label="Previous row (K)"
          disabled={!onPrevious}
          onClick={onPrevious}
        />
        <IconButton icon="chevron-down" label="Next row (J)" disabled={!onNext} onClick={onNext} />
        {href && (
          <a className={buttonClass({ variant: 'quiet' })} href={href} aria-label="Open the page">
            <Icon name="external" />
          </a>
        )}
        <IconButton icon="close" label="Close (Escape)" onClick={onClose} />
      </div>
      <div className={styles.body}>{children}</div>
    </aside>
  );
}

function useCloseOutside(onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(KEEPS_OPEN)) close.current();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, []);
}

/** The person's width of the panel, on this machine. Half of the window, until it is changed. */
function usePanelWidth() {
  const [pixels, setPixels] = useState(() => {
    const kept = Number(localStorage.getItem(WIDTH_KEY));
    return limited(kept > 0 ? kept : Math.min(window.innerWidth / 2, 720));
  });
  const change = (next: number) => {
    setPixels(limited(next));
    localStorage.setItem(WIDTH_KEY, String(limited(next)));
  };
  return {
    pixels,
    handle: {
      role: 'slider',
      'aria-label': 'Width of the panel',
      'aria-valuemin': WIDTH_MIN,
      'aria-valuemax': WIDTH_MAX,
      'aria-valuenow': Math.round(pixels),
      onPointerDown: (event: React.PointerEvent) =>
        event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event: React.PointerEvent) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) {
          change(window.innerWidth - event.clientX);
        }
      },
      onKeyDown: (event: React.KeyboardEvent) => {
        if (event.key === 'ArrowLeft') change(pixels + WIDTH_STEP);
        if (event.key === 'ArrowRight') change(pixels - WIDTH_STEP);
      },
    },
  };
}

const limited = (pixels: number): number => Math.min(Math.max(pixels, WIDTH_MIN), WIDTH_MAX);
