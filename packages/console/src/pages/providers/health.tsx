import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../api/call.ts';
import { useIsAllowed, useProjectId } from '../../figures/project.ts';
import { Status, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Time } from '../../parts/value.tsx';
import type { ProviderStatus } from './provider-query.ts';

const HEALTH = 'GET /v1/providers/{name}/health';
const RESET = 'POST /v1/providers/{name}/health/reset';
const REFRESH_MS = 20_000;

const TONES: Readonly<Record<string, Tone>> = { well: 'good', doubtful: 'warn', ill: 'bad' };

/** How good the answers of a search provider are, next to its own of before, and why. */
export function Health({ provider: { slug, operation } }: { readonly provider: ProviderStatus }) {
  const project = useProjectId();
  const client = useQueryClient();
  const maySee = useIsAllowed('admin') && operation === 'search';
  const params = { name: slug };
  const queryKey = ['health', project, slug];
  const { data } = useQuery({
    queryKey,
    queryFn: () => callApi(project, HEALTH, { params }),
    enabled: maySee,
    refetchInterval: REFRESH_MS,
  });
  const reset = useMutation({
    mutationFn: () => callApi(project, RESET, { params }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  if (!data) return null;
  const bad = data.reasons.filter(({ is_bad }) => is_bad);
  return (
    <div className="stack-tight">
      <p className="row">
        Answers <Status tone={TONES[data.state] ?? 'neutral'}>{data.state}</Status>
        {data.since !== null && (
          <span className="soft">
            since <Time at={data.since} />
          </span>
        )}
        {data.state === 'ill' && (
          <Button isBusy={reset.isPending} onClick={() => reset.mutate()}>
            It works again
          </Button>
        )}
      </p>
      {bad.map(({ message }) => (
        <p key={message}>{`${message.charAt(0).toUpperCase()}${message.slice(1)}.`}</p>
      ))}
      {bad.length > 0 && data.example_interaction_ids.length > 0 && (
        <p className="row">
          Examples
          {data.example_interaction_ids.map((id) => (
            <code key={id}>{id}</code>
          ))}
        </p>
      )}
    </div>
  );
}
