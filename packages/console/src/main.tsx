import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { passNonceOn } from './app/nonce.ts';

passNonceOn();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no element for the app');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
