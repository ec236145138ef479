import { useMutation } from '@tanstack/react-query';
import { callForFile } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { Button } from '../../parts/button.tsx';
import { toast } from '../../parts/toast.tsx';
import { type AuditState, filtersOf } from './audit-state.ts';

interface ExportButtonProps {
  readonly project: string;
  readonly state: AuditState;
}

/** Saves all entries that meet the filters, as lines of JSON. */
export function ExportButton({ project, state }: ExportButtonProps) {
  const download = useMutation({
    // not by a link: the browser would save a refusal as the file
    mutationFn: async () => {
      const query = filtersOf(state);
      const file = await (state.scope === 'project'
        ? callForFile('GET /console/api/projects/{project_id}/audit/export', {
            params: { project_id: project },
            query,
          })
        : callForFile('GET /console/api/audit/export', { query }));
      save(file, `trawl-audit-${new Date().toISOString().slice(0, 10)}.ndjson`);
    },
    onError: (error) =>
      toast({ text: `The export failed: ${describeError(error).detail}`, tone: 'bad' }),
  });
  return (
    <Button icon="download" isBusy={download.isPending} onClick={() => download.mutate()}>
      Export
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
