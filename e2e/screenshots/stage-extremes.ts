import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { lessonsSchema } from '#lib/api/lessons-schema.ts';
import { savedPromptSchema } from '#lib/api/prompts.ts';
import { runSchema, runsSchema } from '#lib/api/runs-schema.ts';
import type { Api } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { type ScriptedProvider, startScriptedProvider } from '../scripted-provider.ts';
import type { StagedPage } from './stage-pages.ts';

/** Text without break opportunities, like hashes, keys and paths. */
const WORD = 'abcdefghij'.repeat(60);
const SENTENCE =
  'Explain to a customer who has never used the product before how a delivery is verified, how often it is sent again and what each answer means. ';
const ARABIC = 'اشرح للعميل كيف يتحقق من التوقيع وكم مرة يُعاد الإرسال (HMAC-SHA256) وماذا يعني الرمز 401. ';
const HEBREW = 'הסבר ללקוח איך לאמת את החתימה וכמה פעמים ההודעה נשלחת שוב. ';

/** Maximum length of a stored name. */
const LONGEST_NAME = 120;
const named = (text: string, length = LONGEST_NAME) =>
  text
    .repeat(Math.ceil(length / text.length))
    .slice(0, length)
    .trim();

export type ExtremeStage = { pages: StagedPage[]; stop(): Promise<void> };

/**
 * Stores the longest names and texts, 50 criteria, 200 prompt versions, an imported run with 200 attempts, a run with 51 versions, and
 * right-to-left text.
 */
export async function stageExtremes(api: Api): Promise<ExtremeStage> {
  const provider = await startExtremeProvider();
  const stop = () => provider.stop();
  try {
    return { pages: await storeExtremes(api, provider.baseUrl), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function storeExtremes(api: Api, baseUrl: string): Promise<StagedPage[]> {
  const name = named('provider-of-the-department-');
  await createProvider(api, { name, baseUrl });
  const model = `organisation/${named('model-of-many-words-', 150)}`;
  const generator = { provider: name, model };
  const experiment = async (settings: Record<string, unknown>, input: string, statuses = ['finished', 'failed']) => {
    const id = await api.createExperiment({ generator, maxIterations: 2, convergence: null, ...settings });
    const run = await api.startRun(id, input);
    await api.waitForRun(run, statuses, 180_000);
    return { id, run };
  };
  const wordy = await experiment(
    { name: named(WORD), criteria: [{ name: named(WORD), evaluator: 'llm', description: WORD }] },
    WORD,
  );
  const many = await experiment(
    {
      name: named(SENTENCE),
      criteria: Array.from({ length: 50 }, (_, at) => ({
        ...{ name: named(`${at + 1} ${SENTENCE}`), evaluator: 'llm', description: SENTENCE.repeat(8), weight: at + 1 },
      })),
    },
    SENTENCE.repeat(20),
  );
  const long = await experiment(
    {
      name: named(ARABIC),
      criteria: [
        { name: named(ARABIC, 60), evaluator: 'llm', description: ARABIC },
        { name: named(HEBREW, 60), evaluator: 'llm', description: HEBREW },
      ],
      maxIterations: 50,
      qualityThreshold: 1,
    },
    ARABIC.repeat(8),
  );
  const waiting = await experiment({ name: named(`w${WORD}`), callbacks: { pause: 'always' } }, SENTENCE.repeat(20), [
    'waiting',
  ]);
  const send = async (method: string, path: string, body: unknown, type?: string) => {
    const answer = await api.call(method, path, body, type === undefined ? {} : { type });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  await send('POST', `/api/v1/runs/${many.run}/notes`, { text: `${WORD} ${ARABIC}` });
  await send('POST', `/api/v1/experiments/${many.id}/notes`, { text: `${WORD} ${ARABIC}` });
  for (const text of [WORD, SENTENCE.repeat(12), ARABIC.repeat(5)])
    await send('POST', '/api/v1/lessons', { kind: 'lesson', text });
  const { items: lessons } = await api.read(lessonsSchema, 'GET', '/api/v1/lessons?limit=3');
  const lesson = lessons[0]?.id ?? '';
  const prompt = named('p', 100);
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', { name: prompt, text: `${WORD}\n{{input}}` });
  for (let parent = 1; parent < 200; parent++)
    await send('POST', `/api/v1/prompts/${prompt}/versions`, {
      ...{ text: `${parent % 2 === 0 ? ARABIC : SENTENCE.repeat(parent % 30)}\n{{input}}`, parent },
      message: parent % 3 === 0 ? WORD.slice(0, 300) : named(SENTENCE, 300),
    });
  for (let at = 1; at <= 12; at++)
    await send(
      'PUT',
      `/api/v1/prompts/${prompt}/labels/${named(`label-${at}-of-an-environment-`, 40).replace(/-$/, '')}`,
      {
        ...{ version: 200, reason: SENTENCE },
      },
    );
  const dataset = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: named(SENTENCE),
    cases: [WORD, SENTENCE.repeat(40), ARABIC.repeat(6), HEBREW].map((input, at) => ({
      ...{ input, reference: input, tags: Array.from({ length: 12 }, (_, tag) => named(`tag-${tag}-${at}-`, 60)) },
      metadata: Object.fromEntries(Array.from({ length: 30 }, (_, key) => [`key_${key}_${WORD.slice(0, 60)}`, input])),
    })),
  });
  const lines = Array.from({ length: 200 }, (_, at) => ({
    ...{ run: named(SENTENCE, 200), case: { id: WORD.slice(0, 200), input: SENTENCE.repeat(10) }, attempt: at + 1 },
    ...{ output: `${SENTENCE} ${at}`, score: ((at * 37) % 100) / 100, lesson: at % 2 === 0 ? ARABIC : WORD },
    issues: [WORD, SENTENCE],
  }));
  await send('POST', '/api/v1/runs/import', lines.map((line) => JSON.stringify(line)).join('\n'), 'application/jsonl');
  const { items } = await api.read(runsSchema, 'GET', '/api/v1/runs?limit=1');
  const imported = items[0]?.id ?? '';
  const { experimentId } = await api.read(runSchema, 'GET', `/api/v1/runs/${imported}`);
  const url = `https://hooks.example.com/${WORD.slice(0, 400)}`;
  await send('POST', '/api/v1/webhooks', { name: named('webhook-of-the-department-'), url });
  await send('PUT', `/api/v1/targets/${named('target-of-the-department-').replace(/-$/, '')}`, {
    ...{ kind: 'http', url },
    components: Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`component_${at}`, { text: SENTENCE.repeat(4), description: SENTENCE }]),
    ),
  });
  await send('POST', '/api/v1/tokens', { name: named('token of the department ', 80), scopes: ['runs:read'] });
  const of = [wordy.id, many.id, long.id, experimentId].join(',');
  return [
    { name: 'extreme-home', path: '/' },
    { name: 'extreme-experiments', path: '/experiments' },
    { name: 'extreme-experiment-word', path: `/experiments/${wordy.id}` },
    { name: 'extreme-experiment-criteria', path: `/experiments/${many.id}` },
    { name: 'extreme-experiment-settings', path: `/experiments/${many.id}?tab=settings` },
    { name: 'extreme-experiment-edit', path: `/experiments/${many.id}/edit` },
    { name: 'extreme-experiment-rtl', path: `/experiments/${long.id}` },
    { name: 'extreme-experiment-imported', path: `/experiments/${experimentId}` },
    { name: 'extreme-runs', path: '/runs' },
    { name: 'extreme-run-word', path: `/runs/${wordy.run}` },
    { name: 'extreme-run-word-diff', path: `/runs/${wordy.run}?view=diff` },
    { name: 'extreme-run-criteria', path: `/runs/${many.run}` },
    { name: 'extreme-run-calls', path: `/runs/${many.run}/calls` },
    { name: 'extreme-run-rtl', path: `/runs/${long.run}` },
    { name: 'extreme-run-rtl-diff', path: `/runs/${long.run}?v=3&view=diff` },
    { name: 'extreme-run-imported', path: `/runs/${imported}` },
    { name: 'extreme-run-waiting', path: `/runs/${waiting.run}` },
    { name: 'extreme-inbox', path: `/inbox?item=${waiting.run}` },
    { name: 'extreme-inbox-list', path: `/inbox?item=${waiting.run}&show=list` },
    { name: 'extreme-lessons', path: '/lessons' },
    { name: 'extreme-lesson', path: `/lessons/${lesson}` },
    { name: 'extreme-lessons-review', path: '/lessons/review' },
    { name: 'extreme-prompts', path: '/prompts' },
    { name: 'extreme-prompt', path: `/prompts/${prompt}` },
    { name: 'extreme-prompt-diff', path: `/prompts/${prompt}/diff?from=1&to=200` },
    { name: 'extreme-datasets', path: '/datasets' },
    { name: 'extreme-dataset', path: `/datasets/${dataset.id}` },
    { name: 'extreme-dataset-history', path: `/datasets/${dataset.id}?tab=history` },
    { name: 'extreme-dataset-splits', path: `/datasets/${dataset.id}?tab=splits` },
    { name: 'extreme-compare', path: `/compare?of=${of}` },
    { name: 'extreme-compare-add', path: `/compare?of=${wordy.id},${many.id}&add=1` },
    { name: 'extreme-insights', path: '/insights?of=all' },
    { name: 'extreme-targets', path: '/targets' },
    { name: 'extreme-models', path: '/models' },
    { name: 'extreme-settings', path: '/settings' },
    { name: 'extreme-team', path: '/settings/team' },
    { name: 'extreme-audit', path: '/settings/audit' },
    { name: 'extreme-search', path: `/search?q=${WORD.slice(0, 40)}` },
  ];
}

/** Scores every criterion of a request, each draft differently, with the longest texts in every field. */
function startExtremeProvider(): Promise<ScriptedProvider> {
  let drafts = 0;
  return startScriptedProvider(({ prompt }) => {
    const isRightToLeft = prompt.includes(ARABIC.trim());
    const words = isRightToLeft ? ARABIC.trim() : prompt.includes(SENTENCE.trim()) ? SENTENCE.trim() : WORD;
    if (prompt.includes('<criteria>')) {
      const draft = Number(/\| (\d+) \|\s*(?:<|$)/.exec(prompt)?.[1] ?? 0);
      const names = [...prompt.matchAll(/^- (?:name: )?(.+?)(?::|$)/gm)].map(([, name]) => name);
      return { text: JSON.stringify({ criteria: names.map((name, at) => judged(name ?? '', words, at + draft)) }) };
    }
    if (prompt.includes('<scores>'))
      return { text: JSON.stringify({ summary: words, issues: [{ text: words }], suggestions: [words] }) };
    return { text: `# ${words}\n\n${words.repeat(8)}\n\n| ${words} | 1 |\n|---|---|\n| ${words} | ${drafts++} |` };
  });
}

function judged(name: string, words: string, at: number): Record<string, unknown> {
  return { name, score: ((at * 37) % 90) / 100, reason: words, issues: [`${at} ${words}`], suggestions: [words] };
}
