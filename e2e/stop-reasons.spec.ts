import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { type ScriptedRequest, type ScriptedResponse, startScriptedProvider } from './scripted-provider.ts';

type Course = {
  reason: string;
  /** Expected text of the stop reason on the page, with its numbers. */
  says: RegExp;
  settings?: Record<string, unknown>;
  /** Judge scores by version; the last one repeats. null = an unparsable response. */
  scores: (number | null)[];
  /** Issue that the judge reports for each version. Defaults to a different one per version. */
  issue?: string;
  /** Text of each version. Defaults to a different one per version. */
  text?: string;
  delayMs?: number;
  /** Decision at the first pause. */
  verdict?: 'accept' | 'stop';
  /** HTTP status of every revision call. */
  revisionStatus?: number;
  status?: 'finished' | 'failed' | 'stopped';
  versions: number;
};

const COURSES: Course[] = [
  { reason: 'quality_met', says: /quality met.*0\.90 ≥ 0\.80/, scores: [0.5, 0.9], versions: 2 },
  {
    reason: 'max_iterations',
    says: /cap reached.*2 of 2 revisions/,
    scores: [0.2, 0.4, 0.6],
    settings: { maxIterations: 2 },
    versions: 3,
  },
  { reason: 'plateau', says: /plateau.*best 0\.50 did not rise in v1, v2/, scores: [0.5, 0.5, 0.5], versions: 3 },
  { reason: 'diminishing', says: /diminishing.*\+0\.03.*needs \+0\.05/, scores: [0.5, 0.52, 0.53], versions: 3 },
  { reason: 'oscillation', says: /oscillation.*0\.50 0\.70 0\.60 0\.70/, scores: [0.5, 0.7, 0.6, 0.7], versions: 4 },
  {
    reason: 'semantic_stability',
    says: /same answer.*hardly changed the text/,
    scores: [0.5],
    text: 'Always the very same text.',
    versions: 3,
  },
  {
    reason: 'repeated_issues',
    says: /same issues.*three times in a row/,
    scores: [0.5],
    issue: 'It has no example.',
    versions: 3,
  },
  {
    reason: 'token_budget',
    says: /token budget.*of 1,200 tokens spent/,
    scores: [0.1, 0.2, 0.3, 0.4, 0.5],
    settings: { budget: { maxTokens: 1_200 } },
    versions: 4,
  },
  {
    reason: 'cost_budget',
    says: /cost budget.*spent/,
    scores: [0.2, 0.3],
    settings: { budget: { maxCostUsd: 0.01 } },
    versions: 2,
  },
  {
    reason: 'time_budget',
    says: /time budget.*of 1(\.0)? s used/,
    scores: [0.2, 0.3],
    delayMs: 350,
    settings: { budget: { maxSeconds: 1 } },
    versions: 1,
  },
  {
    reason: 'evaluation_failed',
    says: /unscored twice.*can be resumed/,
    scores: [null],
    status: 'failed',
    versions: 1,
  },
  {
    reason: 'model_failed',
    says: /model failed.*can be resumed after v0/,
    scores: [0.5],
    revisionStatus: 401,
    status: 'failed',
    versions: 1,
  },
  {
    reason: 'user_accepted',
    says: /Accepted by a person/,
    scores: [0.5],
    settings: { callbacks: { pause: 'before_revision' } },
    verdict: 'accept',
    versions: 1,
  },
  {
    reason: 'user_stopped',
    says: /Stopped by a person/,
    scores: [0.5],
    settings: { callbacks: { pause: 'before_revision' } },
    verdict: 'stop',
    status: 'stopped',
    versions: 1,
  },
];

const TOKENS = { inputTokens: 60, outputTokens: 40 };
const WORDS = ['tide', 'moon', 'harbour', 'gull', 'rope', 'anchor', 'lantern', 'chart'];

/** Returns a script with numbered drafts and with judge scores from the course. */
function scriptOf(course: Course): (request: ScriptedRequest) => ScriptedResponse {
  let revisions = 0;
  const at = <Value>(values: Value[], version: number) => values[Math.min(version, values.length - 1)];
  const draft = (version: number) =>
    course.text ??
    `Version ${version}. ${WORDS.map((word) => `${word} ${version * 7 + word.length}`).join(', ')}.`.repeat(
      version + 1,
    );
  return ({ prompt }) => {
    const response = (text: string): ScriptedResponse => ({ text, ...TOKENS, delayMs: course.delayMs ?? 0 });
    if (prompt.includes('<criteria>')) {
      const score = at(course.scores, revisions);
      if (score === null || score === undefined) return response('I would rather not say.');
      const issues = [course.issue ?? `Fault number ${revisions}.`];
      return response(
        JSON.stringify({
          criteria: [{ name: 'quality', score, reason: 'as scripted', issues, suggestions: [] }],
          confidence: 0.9,
        }),
      );
    }
    if (prompt.includes('<scores>'))
      return response(
        JSON.stringify({
          summary: 'Mend it.',
          issues: [{ text: course.issue ?? `Fault number ${revisions}.`, criterion: 'quality' }],
          suggestions: [],
        }),
      );
    if (prompt.includes('<draft>')) {
      if (course.revisionStatus !== undefined) return { status: course.revisionStatus };
      revisions += 1;
    }
    return response(draft(revisions));
  };
}

test('a run stops for each reason, and its page shows the reason with its numbers', async ({ app, page }) => {
  const api = openApi(app.address);
  const started = await Promise.all(COURSES.map((course) => startCourse(api, course)));
  for (const { course, provider, runId } of started) {
    await test.step(course.reason, async () => {
      const run = await api.waitForRun(runId, ['finished', 'failed', 'stopped'], 40_000);
      expect(run).toMatchObject({
        convergenceReason: course.reason,
        status: course.status ?? 'finished',
        success: course.reason === 'quality_met' || course.reason === 'user_accepted',
      });
      expect(run.versions).toHaveLength(course.versions);
      await page.goto(`/runs/${runId}`);
      await expect(page.getByRole('figure', { name: /^Score trajectory/ })).toContainText(course.says);
      await provider.stop();
    });
  }
});

async function startCourse(api: Api, course: Course) {
  const provider = await startScriptedProvider(scriptOf(course));
  const name = `course-${course.reason.replace('_', '-')}`;
  const prices = { 'scripted-1': { inputPerMillionUsd: 20, outputPerMillionUsd: 20 } };
  const { baseUrl } = provider;
  await createProvider(api, { name, baseUrl, prices });
  const experimentId = await api.createExperiment({
    name,
    generator: { provider: name, model: 'scripted-1' },
    criteria: [{ name: 'quality', evaluator: 'llm', threshold: 0 }],
    maxIterations: 6,
    revision: { strategy: 'full_rewrite' },
    ...course.settings,
  });
  const runId = await api.startRun(experimentId);
  if (course.verdict !== undefined) {
    const { waitingFor } = await api.waitForRun(runId, ['waiting'], 40_000);
    const verdict = { decision: course.verdict, pauseId: waitingFor?.pauseId };
    const answer = await api.call('POST', `/api/v1/runs/${runId}/decisions`, verdict);
    expect(answer.status).toBe(200);
  }
  return { course, provider, runId };
}
