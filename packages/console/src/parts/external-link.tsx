import type { ReactNode } from 'react';
import { webAddress } from './web-address.ts';

interface ExternalLinkProps {
  readonly href: string | null | undefined;
  readonly children: ReactNode;
}

/**
 * A link to a page of another site, which does not get to know this one. An address that is not of
 * the web is only text.
 */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  const address = webAddress(href);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
