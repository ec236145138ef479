import { Chart } from '../../src/parts/chart.tsx';
import { ExternalLink } from '../../src/parts/external-link.tsx';
import { JsonView } from '../../src/parts/json-view.tsx';
import { Markdown } from '../../src/parts/markdown.tsx';
import { wholeText } from '../../src/parts/number-text.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-22T00:00:00.000Z');
const POINTS = Array.from({ length: 24 }, (_, hour) => START + hour * HOUR_MS);

const HOSTILE = `# A page <script>window.isHacked = true</script>

[a script](javascript:window.isHacked=true) and [data](data:text/html,x) and [a page](https://example.com/a)

![a picture](https://attacker.example/pixel.png)

<img src="https://attacker.example/pixel.png" onerror="window.isHacked = true">

<a href="https://attacker.example" onclick="window.isHacked = true">raw</a>

| a | b |
| - | - |
| 1 | 2 |

- [x] done

${'looooong'.repeat(80)}

\u202Eright to left

\`\`\`
code
\`\`\`
`;

const SCRIPT = 'javascript:window.isHacked=true';

export const Views = () => (
  <>
    <Chart
      title="Requests per hour, UTC"
      points={POINTS}
      series={[
        { name: 'succeeded', values: POINTS.map((_, hour) => (hour === 5 ? null : hour * 7)) },
        { name: 'failed', values: POINTS.map((_, hour) => (hour === 5 ? null : hour % 4)) },
      ]}
      format={wholeText}
      pointText={(at) => new Date(at).toISOString().slice(11, 16)}
    />
    <JsonView
      label="Request"
      fileName="request"
      value={{ query: 'tidal power', list: [1, null, true], deep: { deeper: { deepest: 'x' } } }}
    />
    <JsonView
      label="Large"
      fileName="large"
      value={Array.from({ length: 5_000 }, (_, index) => ({ index }))}
    />
    <Markdown text={HOSTILE} />
    <p>
      <ExternalLink href={SCRIPT}>not a link</ExternalLink>{' '}
      <ExternalLink href="https://example.com/b">a link</ExternalLink>
    </p>
  </>
);
