import { useLocation, useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';

/** Takes the token out of the address at once, so that it stays in no history and no bookmark. */
export function useTokenOfAddress(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash);
  useLayoutEffect(() => {
    if (hash === '') return;
    setToken(hash);
    void navigate({ to: '.', hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}

let links = 0;

/**
 * A number for the answer of this page's own link, whose key must not have the token in it. Not a
 * random id: browsers make none on pages without TLS.
 */
export function useLinkNumber(): number {
  const [number] = useState(() => {
    links += 1;
    return links;
  });
  return number;
}
