import { type ScriptedProvider, type ScriptedRequest, startScriptedProvider } from '../scripted-provider.ts';

/**
 * Starts a provider whose models each lead a run into one state: `writer` writes improving Markdown, `coder` JSON, `slow` streams for
 * minutes, `silent` never returns its revision, `garbled` returns one unparsable judgement, `dull` never improves, `closed` rejects the
 * key.
 */
export function startStagedProvider(): Promise<ScriptedProvider> {
  return startScriptedProvider((request) => {
    const role = roleOf(request);
    if (request.model === 'closed')
      return { status: 401, body: { error: { message: 'Incorrect API key provided: sk-…7f2.' } } };
    if (role === 'judge') {
      const draft = draftOf(request.prompt);
      if (request.model === 'garbled' && draft === 1) return { text: 'I would say it is rather good.' };
      return { text: judgement(scoreOf(request.model, draft), draft) };
    }
    if (role === 'critique') return { text: critique(draftOf(request.prompt)) };
    const next = role === 'revise' ? draftOf(request.prompt) + 1 : 0;
    if (request.model === 'silent' && next === 1) return { hang: true };
    const text = request.model === 'coder' ? configuration(next) : guide(next);
    if (request.model !== 'slow') return { text };
    return next === 0 ? { text, delayMs: 1_500 } : { text, pieceDelayMs: 3_000 };
  });
}

function roleOf({ prompt }: ScriptedRequest): 'judge' | 'critique' | 'revise' | 'generate' {
  if (prompt.includes('<criteria>')) return 'judge';
  if (prompt.includes('<scores>')) return 'critique';
  return prompt.includes('<draft>') ? 'revise' : 'generate';
}

/** Each draft contains its number. */
function draftOf(prompt: string): number {
  return Number(/[Dd]raft"?:? (\d+)/.exec(prompt)?.[1] ?? 0);
}

function scoreOf(model: string, draft: number): number {
  if (model === 'dull') return 0.5 + (draft % 7) * 0.02 + draft * 0.003;
  return Math.min(0.94, 0.48 + 0.13 * draft);
}

/** Each draft has a different issue, because a repeated issue would end the run. */
function judgement(score: number, draft: number): string {
  const judged = (name: string, by: number) => ({
    name,
    score: Math.max(0, Math.min(1, Number((score + by).toFixed(3)))),
    reason: by < 0 ? 'The times are vague: “several” and “soon” say nothing.' : 'Each step begins with what to do.',
    issues: by < 0 && score < 0.85 ? [`Retry time ${draft + 1} is vague`] : [],
    suggestions: by < 0 ? ['Name the minutes'] : [],
  });
  return JSON.stringify({ criteria: [judged('clarity', 0.03), judged('completeness', -0.04)], confidence: 0.72 });
}

function critique(draft: number): string {
  return JSON.stringify({
    summary: 'Clear in its order, vague in its numbers.',
    issues: [
      { text: 'Retry times are vague', criterion: 'completeness' },
      ...(draft === 0 ? [{ text: 'Does not say how the signature is made', criterion: 'clarity' }] : []),
    ],
    suggestions: ['Name the minutes between two tries'],
  });
}

function guide(draft: number): string {
  const sure = draft > 0;
  return `# Verify a webhook, draft ${draft}

Every request ${sure ? 'carries an `X-Signature` header of the form `t=1763724600,v1=9f86…`' : 'we send carries a header'}. Check it before you ${sure ? 'parse' : 'trust'} the body.

1. Read the raw request body${sure ? ' as bytes. Parsing the JSON first changes them' : ''}.
2. Compute HMAC-SHA256 ${sure ? 'over `t + "." + body`' : 'of the body'} with the endpoint secret.
3. Compare the ${sure ? 'two digests in **constant time**' : 'result with the header'}.

## In code

\`\`\`ts
const expected = createHmac('sha256', secret).update(\`\${t}.\${body}\`).digest();
${sure ? 'if (!timingSafeEqual(expected, given)) return 401;' : 'if (expected !== given) return 401;'}
\`\`\`

## What each code means

| Code | Means |
|---|---|
| 200 | taken |
| 401 | the signature does not fit |

Answer within ten seconds.
Do the work afterwards.
Keep each event once.

We retry ${draft > 1 ? 'after 1 min, 5 min, 30 min, 2 h and 12 h' : 'failed deliveries several times'}. See [the guide](https://example.com/webhooks) and ![the flow](https://example.com/flow.png).
`;
}

function configuration(draft: number): string {
  const retries = draft === 0 ? { times: 3 } : { times: 5, afterMinutes: [1, 5, 30, 120, 720] };
  return JSON.stringify(
    { title: `Draft ${draft}`, endpoint: '/hooks', verify: draft > 0, retries, note: null, limit: 10 ** draft },
    null,
    2,
  );
}
