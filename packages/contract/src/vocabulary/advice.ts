import type { ROW_ERRORS, WarningCode } from './catalogue.ts';

/** What a person can do about each warning, in one sentence. */
export const WARNING_ADVICE: Readonly<Record<WarningCode, string>> = {
  capability_gap: 'Ask a provider that supplies the field, or leave the field out.',
  count_clamped: 'Ask for fewer results or use fewer queries and providers in one request.',
  provider_skipped:
    'Correct the name, set up the provider on the server, or send filters with mode best_effort.',
  routing_unavailable:
    'Name the providers in the request until the log of the server shows no fault.',
  provider_last: 'Nothing; name the provider to ask it in any case.',
  novelty_ignored: 'Send search.merge true, since novelty changes the merged list only.',
  nothing_fits: 'Raise max_tokens.',
  left_out_by_cost: 'Raise max_cost_usd, or name providers that cost less.',
  cost_above_cap:
    'Compare the prices of the server with the bill of the provider; a higher price keeps it out.',
  fallback_used: 'Nothing to do; the failed runs say why their providers did not answer.',
  provider_error: 'Look at the steps of the page: they show which provider failed and why.',
  relative_links: 'Resolve the links against the address of the page.',
  upstream_error: 'Open the page in a browser: its site may refuse or be down.',
  content_truncated: 'Ask for more characters (inline_max_chars) if you need the rest.',
  upstream_warning: 'Nothing to do, unless a result that you expected is missing.',
  keyless_mode:
    'Enough for a first look. Set a key of this provider, or of another one, for more than that.',
  filter_unsupported:
    'Ask a provider that applies the filter, or send mode strict to leave such providers out.',
  focus_ignored: 'Send focus with tier extended or max, or fetch the page again.',
  filter_overridden: 'Leave the parameter out of provider_overrides to use the filter.',
};

/** What a person can do about a page that could not be read, in one sentence. */
export const ROW_ADVICE: Readonly<Record<keyof typeof ROW_ERRORS, string>> = {
  not_found: 'Check the URL, or search for the new address of the page.',
  blocked: 'Try a provider that renders pages or uses other addresses.',
  paywall: 'Use another source: the text is for subscribers only.',
  payment_required:
    'Use another source, or a provider that has an agreement with the site: trawl pays no site.',
  empty_page: 'Try a provider that runs the scripts of pages.',
  target_error: 'Try again later: the fault is on the side of the site.',
  timeout: 'Try again, or use a provider that allows more time.',
  too_large: 'Fetch a smaller page, or a part of it.',
  unsupported_type: 'Download the file and read it with a program for its type.',
  dns_error: 'Check the spelling of the host name.',
  forbidden_address: 'Only public addresses can be fetched.',
  over_cost: 'Raise options.max_cost_usd, or name a provider that costs less.',
  declined: 'Name a provider that accepts this kind of URL.',
  provider_error: 'Try again, or name another provider.',
};
