export { lastDays, projectIds, type RoutingReport, routingReport } from './report-routing.ts';
export type { ProviderReport, TopicReport } from './topic-reports.ts';
export type { ShareInterval } from './wilson.ts';
