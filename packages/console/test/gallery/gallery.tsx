/**
 * All parts on one page, each with the states that a test looks at. Built and served as the console
 * is, by the tests only.
 */
import '../../src/styles/tokens.css';
import '../../src/styles/base.css';
import { createRoot } from 'react-dom/client';
import { passNonceOn } from '../../src/app/nonce.ts';
import { useKeyboard } from '../../src/keys/shortcuts.ts';
import { Toaster } from '../../src/parts/toast.tsx';
import { TooltipProvider } from '../../src/parts/tooltip.tsx';
import { Controls } from './controls.tsx';
import { Rows } from './rows.tsx';
import { States } from './states.tsx';
import { Views } from './views.tsx';

const PARTS = { controls: Controls, rows: Rows, states: States, views: Views };

function Gallery() {
  useKeyboard();
  const name = window.location.pathname.split('/').at(-1) ?? '';
  const Part = PARTS[name as keyof typeof PARTS];
  return (
    <TooltipProvider>
      <main className="stack" style={{ padding: 16 }}>
        <h1>{name}</h1>
        <Part />
      </main>
      <Toaster />
    </TooltipProvider>
  );
}

passNonceOn();
const root = document.getElementById('root');
if (root) createRoot(root).render(<Gallery />);
