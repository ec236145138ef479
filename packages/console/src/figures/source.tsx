import { useSession } from '../api/session.ts';
import { buttonClass } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { inQuotes } from '../requests/programs.ts';

/**
 * The call of the API that the figures above are from, to copy. `path` with its query:
 * `/v1/usage?group_by=day`.
 */
export function CopyCurl({ path }: { readonly path: string }) {
  const { server } = useSession();
  const command = `curl -sS ${inQuotes(`${server.base_url}${path}`)} -H "Authorization: Bearer $SERVICE_API_KEY"`;
  return (
    <CopyButton text={command} label="Copy as curl: the call of these figures">
      Copy as curl
    </CopyButton>
  );
}

/**
 * The console's own answer that the figures above are from. It needs the session, so there is no
 * command for it.
 */
export const OpenJson = ({ address }: { readonly address: string }) => (
  <a
    className={buttonClass({ variant: 'quiet', size: 'small' })}
    href={address}
    target="_blank"
    rel="noreferrer"
  >
    <Icon name="external" size={14} />
    Open as JSON
  </a>
);
