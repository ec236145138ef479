import { commandHere } from '@trawl/client/terminal/manifest';
import type { Command } from 'commander';

/**
 * Examples by command; '' is the program itself. COMMAND is replaced by the command name inside a
 * pipe.
 */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': ['demo', "search 'tidal power plants'", 'fetch https://example.com/ > page.md'],
  search: [
    "search 'tidal power plants'",
    "search 'tidal power' 'wave power' --tier extended --num-results 3",
    "search --file queries.txt --json | jq -r '.preprocessor_runs[].output_payload.results[]?.url'",
    "search 'tidal power' --tier max --dry-run",
  ],
  fetch: [
    'fetch https://example.com/ > page.md',
    'fetch https://example.com/ https://example.org/ --format text --max-chars 4000',
    "search 'tidal power' | cut -f 4 | sort -u | COMMAND fetch - --jsonl",
  ],
  context: [
    "context 'how do tidal turbines work' --max-tokens 4000",
    "context 'how do tidal turbines work' --dry-run",
  ],
  sessions: ['sessions --limit 5', "sessions --jsonl | jq -r '.id'"],
  history: ['history SESSION', 'history SESSION --full --json'],
  replay: ['replay INTERACTION', 'replay SESSION --session --dry-run'],
  diff: ['diff INTERACTION LATER', 'diff INTERACTION LATER --json'],
  verify: [
    'verify SESSION report.md',
    'verify SESSION report.md --links --json',
    'verify SESSION report.md --context context.json',
  ],
  evidence: ['evidence export SESSION > session.jsonl', 'evidence check session.jsonl'],
  'evidence export': [
    'evidence export SESSION > session.jsonl',
    'evidence export SESSION --html > session.html',
  ],
  'evidence check': ['evidence check session.jsonl', 'evidence check session.html --json'],
  trajectory: ['trajectory SESSION', 'trajectory SESSION --limit 20'],
  feedback: [
    'feedback INTERACTION --used https://example.com/',
    "feedback INTERACTION --wrong https://example.com/old --note 'of last year'",
  ],
  providers: ['providers', 'providers --fetch --json', 'providers check providers.yaml'],
  'providers check': [
    'providers check providers.yaml',
    'providers check providers.yaml --answer answer.json',
    'providers check providers.yaml --probe',
  ],
  rules: ['rules check rules.yaml'],
  'rules check': [
    'rules check rules.yaml',
    "rules check rules.yaml --query 'tidal power' --url https://example.com/",
  ],
  watch: ["watch add 'tidal power' --every 1h", 'watch news WATCH --after 1d'],
  'watch add': [
    "watch add 'tidal power' --every 1h --include exa,brave",
    'watch add --url https://example.com/news --every 6h --name news',
    'watch add --request search.json --every 1d',
  ],
  'watch list': ['watch list', 'watch list --json'],
  'watch show': ['watch show WATCH'],
  'watch news': ['watch news WATCH --after 1d', "watch news WATCH --jsonl | jq -r '.url'"],
  'watch run': ['watch run WATCH', 'watch run WATCH --dry-run'],
  'watch pause': ['watch pause WATCH'],
  'watch resume': ['watch resume WATCH'],
  'watch remove': ['watch remove WATCH'],
  usage: ['usage --from 2026-11-01 --group-by provider', 'usage --group-by day --json'],
  config: ['config', 'config --json'],
  completion: ['completion fish > ~/.config/fish/completions/trawl.fish'],
  serve: ['serve'],
  demo: ['demo', 'demo --once', 'demo --all'],
  sandbox: ['sandbox --port 8090 >> .env'],
  help: ['help watch add'],
  mcp: ['mcp', 'mcp --timeout 30', 'mcp install --client all'],
  'mcp install': ['mcp install', 'mcp install --client cursor --print'],
  'mcp clients': ['mcp clients list'],
  'mcp clients add': [
    "mcp clients add --name 'Team assistant' --redirect-uri https://assistant.example.com/callback",
  ],
  'mcp clients list': ['mcp clients list', 'mcp clients list --json'],
  'mcp clients remove': ['mcp clients remove CLIENT'],
  doctor: ['doctor', 'doctor --probe --yes --json'],
  console: ['console code', 'console reset ada@example.com'],
  'console code': ['console code', 'console code --json'],
  'console reset': ['console reset ada@example.com'],
  keys: ['keys create --name laptop', 'keys list'],
  'keys create': [
    'keys create --name laptop',
    'keys create --project team --permissions search,fetch --rate-limit 60 --monthly-budget 25',
    'keys create --name intern --providers LIST',
    'keys create --name offline --replay SESSION',
  ],
  'keys list': ['keys list --project team', 'keys list --json'],
  'keys limit': ['keys limit ID --rate-limit 60', 'keys limit ID --monthly-budget none'],
  'keys profile': ['keys profile ID --set profile.json', 'keys profile ID --clear'],
  'keys policy': ['keys policy ID --training deny', 'keys policy ID --domains example.com'],
  'keys revoke': ['keys revoke ID'],
  'keys rotate': ['keys rotate ID --grace 1h'],
  'keys disable': ['keys disable ID'],
  'keys enable': ['keys enable ID'],
  'keys delete': ['keys delete ID'],
  alerts: ['alerts test', 'alerts list'],
  'alerts test': ['alerts test', 'alerts test --json'],
  'alerts list': ['alerts list --limit 20', 'alerts list --json'],
  db: ['db check', 'db move --to postgres://user:password@host:5432/trawl'],
  'db check': ['db check', 'db check --json'],
  'db move': ['db move --to postgres://user:password@host:5432/trawl'],
  backup: ['backup /srv/backup/trawl-monday.db'],
  export: ['export --project team > team.jsonl'],
  import: ['import --project team < team.jsonl'],
  projects: ['projects create team', 'projects list'],
  'projects login': ["projects login 'support bot' --who members --monthly-budget 2"],
  'projects create': ['projects create team'],
  'projects limit': ['projects limit team --monthly-budget 100'],
  'projects retention': ['projects retention team 90', 'projects retention team keep'],
  'projects rules': ['projects rules team', 'projects rules team --set rules.yaml'],
  'projects list': ['projects list --json'],
  routing: ["routing explain 'tidal power plants'"],
  'routing explain': ["routing explain 'tidal power plants' --json"],
  'routing report': ['routing report --days 7', 'routing report --project team --json'],
  'routing queries': ['routing queries --project team --days 7 > queries.jsonl'],
};

/** Adds the examples to the end of each command's help. */
export function addExamples(command: Command, path = ''): void {
  const lines = EXAMPLES[path]?.map((example) => lineOf(example)) ?? [];
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('').trimEnd()}`);
  for (const inner of command.commands) addExamples(inner, `${path} ${inner.name()}`.trim());
}

function lineOf(example: string): string {
  const command = commandHere();
  return `  $ ${command} ${example.replaceAll('COMMAND', command)}\n`;
}
