import { Tabs } from '../../parts/tabs.tsx';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { oneOf, text } from '../../url-state/values.ts';
import { Ranking } from './ranking.tsx';
import { Report, type ReportDays } from './report.tsx';
import { TryRouting } from './trial.tsx';

const STATE = {
  tab: oneOf(['try', 'ranking', 'report'], 'try'),
  query: text(),
  days: oneOf<ReportDays>(['7', '30', '90'], '30'),
};

export default function RoutingPage() {
  const [state, change] = useUrlState(STATE);
  return (
    <Page
      title="Routing"
      description="Where auto-routing sends a query, why, and what the records say about it."
    >
      <Tabs
        label="Routing"
        value={state.tab}
        onChange={(tab) => change({ tab })}
        tabs={[
          {
            value: 'try',
            label: 'Try a query',
            content: (
              <TryRouting
                query={state.query}
                onQuery={(query) => change({ query }, { isStep: true })}
              />
            ),
          },
          { value: 'ranking', label: 'Ranking', content: <Ranking /> },
          {
            value: 'report',
            label: 'Report',
            content: <Report days={state.days} onDays={(days) => change({ days })} />,
          },
        ]}
      />
    </Page>
  );
}
