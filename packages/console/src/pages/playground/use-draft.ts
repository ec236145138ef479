import { useCallback, useEffect, useRef, useState } from 'react';
import { decodeRequest, encodeRequest } from '../../requests/link.ts';
import type { PlannedRequest } from '../../requests/planned.ts';
import { emptyRequest } from './draft.ts';

const WRITE_AFTER_MS = 300;

export interface Draft {
  readonly request: PlannedRequest;
  readonly change: (request: PlannedRequest) => void;
  /**
   * Counts up when a link has replaced the request, so that texts that were being edited start
   * again.
   */
  readonly version: number;
  /** What is wrong with the link, if something is. */
  readonly fault: 'unreadable' | 'too-long' | null;
  /** False until the link of the address has been read. */
  readonly isReady: boolean;
}

/**
 * The request that is being written. It is kept in the address.
 * @param link the parameter of the address
 * @param onLink writes the parameter
 */
export function useDraft(link: string, onLink: (link: string) => void): Draft {
  const [request, setRequest] = useState<PlannedRequest>(() => emptyRequest('search'));
  const [version, setVersion] = useState(0);
  const [fault, setFault] = useState<Draft['fault']>(null);
  const [isReady, setReady] = useState(link === '');
  const written = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const write = useRef(onLink);
  write.current = onLink;

  useEffect(() => {
    // what this page has written itself
    if (link === written.current) return undefined;
    let isCurrent = true;
    void decodeRequest(link).then((read) => {
      if (!isCurrent) return;
      written.current = link;
      clearTimeout(timer.current);
      if (read || link === '') setRequest(read ?? emptyRequest('search'));
      setFault(read || link === '' ? null : 'unreadable');
      setVersion((count) => count + 1);
      setReady(true);
    });
    return () => {
      isCurrent = false;
    };
  }, [link]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const change = useCallback((next: PlannedRequest) => {
    setRequest(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      const encoded = await encodeRequest(next);
      setFault(encoded === null ? 'too-long' : null);
      if (encoded === null || encoded === written.current) return;
      written.current = encoded;
      write.current(encoded);
    }, WRITE_AFTER_MS);
  }, []);
  return { request, change, version, fault, isReady };
}
