import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const START = '/console';
const API = `${START}/api`;

/** Plain links to pages of the console, as tables have, go there without loading the console again. Once, in the root. */
export function useLinks(): void {
  const router = useRouter();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const url = pageOf(event);
      if (!url) return;
      event.preventDefault();
      router.history.push(url.href.slice(url.origin.length));
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [router]);
}

/** The page of a click; undefined for one that is handled, for another tab, a file, or a page of something else. */
function pageOf(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target !== '' || link.hasAttribute('download')) return undefined;
  const url = new URL(link.href);
  const isPage = url.pathname === START || url.pathname.startsWith(`${START}/`);
  const isHere = url.pathname === window.location.pathname && url.hash !== '';
  return url.origin === window.location.origin && isPage && !url.pathname.startsWith(API) && !isHere
    ? url
    : undefined;
}
