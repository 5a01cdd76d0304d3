import { describe, expect, test } from 'vitest';
import { appendResult } from '#lib/core/append-result.ts';
import { engineAsk } from '#lib/core/engine-services.ts';
import { EMPTY_HISTORY, type History } from '#lib/core/history.ts';
import { issueLedger } from '#lib/core/issues/open-issues.ts';
import { OTHERS, REWORDED } from '#lib/core/issues/reworded-issues.test-support.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { performStep } from '#lib/core/perform-step.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { digestRun } from '#lib/statistics/digest-run.ts';

const TASK = { input: 'Explain our rate limits to a new user.', reference: null, tags: [], metadata: {} };
const NOW = new Date('2026-01-05T10:00:00.000Z');

/** One problem of a draft, and the judge's wording of it this time. */
type Problem = { name: string; words: string };
/**
 * `listsRemaining`: the judge lists which open issues of its prompt remain, matched by wording alone, and reports only other issues as new.
 * Otherwise it reports all issues anew.
 */
type World = {
  problemsOf: (draft: number) => Problem[];
  listsRemaining: boolean;
  structured: boolean;
  scoreOf?: (draft: number) => number;
};

/** Performs a loop of three versions with a judge that relies only on its prompt. */
async function runIn(world: World, changes: Partial<ExperimentSettingsInput> = {}) {
  const { structured, scoreOf = (draft: number) => 0.3 + draft / 10 } = world;
  const asked: ModelRequest[] = [];
  const settings = settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'own', model: 'm' },
    maxIterations: 2,
    convergence: null,
    structuredReflection: structured,
    revision: { strategy: 'full_rewrite' },
    criteria: [{ name: 'clarity', evaluator: 'llm' }],
    ...changes,
  });
  const names = new Map<string, string>();
  let drafts = 0;
  const call = engineAsk(
    async (request) => {
      asked.push(request);
      if (request.role === 'generate' || request.role === 'revise') return `This is draft ${drafts++} of the guide.`;
      if (request.role !== 'evaluate') return structured ? '{"summary":"Revise it.","issues":[]}' : 'Revise it.';
      const draft = Number(/<candidate>\nThis is draft (\d+)/.exec(request.prompt)?.[1]);
      return judgement(world, names, request.prompt, draft, scoreOf(draft));
    },
    () => NOW,
  );
  let history: History = { ...EMPTY_HISTORY, inputLength: TASK.input.length };
  const context = { settings, case: TASK, call, evaluate: evaluateAlone, now: () => NOW, newId: () => 'id' };
  for (;;) {
    const step = nextStep(history, settings, NOW);
    const result = await performStep(step, { ...context, history });
    if (result === null) throw new Error('nothing aborts here');
    history = appendResult(history, result);
    if (step.type === 'stop')
      return { history, asked, reason: step.ending.reason, best: step.ending.bestVersion, settings };
  }
}

function judgement(
  { problemsOf, listsRemaining, structured }: World,
  names: Map<string, string>,
  prompt: string,
  draft: number,
  score: number,
): string {
  const problems = problemsOf(draft);
  for (const { name, words } of problems) names.set(words, name);
  const section = /^<open_issues>\n([\s\S]*?)\n<\/open_issues>$/m.exec(prompt)?.[1] ?? '';
  const open = [...section.matchAll(/^- (i\d+)(?: \(\w+\))?: (.*)$/gm)].map(([, id = '', words = '']) => ({
    id,
    name: names.get(words),
  }));
  const standing = open.filter((one) => problems.some(({ name }) => name === one.name));
  const left = problems.filter(({ name }) => !listsRemaining || standing.every((one) => one.name !== name));
  const issues = left.map(({ words }) => words);
  const stillOpen = standing.map(({ id }) => id);
  if (structured) {
    const criteria = [{ name: 'clarity', score, reason: 'seen', issues, suggestions: [] }];
    return JSON.stringify({ criteria, confidence: 0.9, ...(listsRemaining && open.length > 0 && { stillOpen }) });
  }
  const lines = [`clarity: ${score} - seen`, 'Issues:', ...issues.map((issue) => `- ${issue}`)];
  return [...lines, ...(listsRemaining ? [`Still open: ${stillOpen.join(', ') || 'none'}`] : [])].join('\n');
}

/** Wordings without any overlap, so only the judge can report that they mean the same issue. */
function inWordsOfItsOwn(name: number, draft: number): string {
  const letter = (at: number) => String.fromCharCode(97 + at);
  return `${letter(name).repeat(5)}${letter(draft).repeat(7)} is bad`;
}

const FIVE = [0, 1, 2, 3, 4];
const reworded = (draft: number) =>
  REWORDED.map((series, at) => ({ name: `p${at}`, words: series[draft] ?? series[0] }));
const renamed = (draft: number) => FIVE.map((at) => ({ name: `p${at}`, words: inWordsOfItsOwn(at, draft) }));
const fixedOf = (first: (draft: number) => Problem[]) => (draft: number) =>
  draft === 0 ? first(0) : OTHERS.map((words, at) => ({ name: `other ${at}`, words }));

const JUDGES = [
  { judge: 'lists remaining issues, structured', listsRemaining: true, structured: true },
  { judge: 'lists remaining issues, in plain text', listsRemaining: true, structured: false },
  { judge: 'says nothing of them, structured', listsRemaining: false, structured: true },
  { judge: 'says nothing of them, in plain text', listsRemaining: false, structured: false },
];

describe.each(JUDGES)('a judge that $judge', ({ listsRemaining, structured }) => {
  const world = { listsRemaining, structured };
  // If the judge does not list open issues, only their wording can match them.
  const again = listsRemaining ? renamed : reworded;

  test('counts 0 of 5 issues as resolved if each is reworded in the next version', async () => {
    const { history, settings } = await runIn({ ...world, problemsOf: again }, { maxIterations: 1 });
    expect(digestRun(history, settings, TASK)).toMatchObject({ issuesNamed: 5, issuesResolved: 0 });
    expect(issueLedger(history).map(({ id, states }) => [id, states])).toEqual(
      FIVE.map((at) => [`i${at + 1}`, { 0: 'opened', 1: 'open' }]),
    );
  });

  test('counts none as resolved in the version after that', async () => {
    const { history, settings } = await runIn({ ...world, problemsOf: again });
    expect(history.versions).toHaveLength(3);
    expect(digestRun(history, settings, TASK)).toMatchObject({ issuesNamed: 10, issuesResolved: 0 });
  });

  test('counts 5 of 5 as resolved if all are fixed and five others are found', async () => {
    const { history, settings } = await runIn({ ...world, problemsOf: fixedOf(again) }, { maxIterations: 1 });
    expect(digestRun(history, settings, TASK)).toMatchObject({ issuesNamed: 5, issuesResolved: 5 });
    expect(issueLedger(history)).toHaveLength(10);
  });

  test.each([
    { convergence: null, name: 'without convergence rules' },
    { convergence: { plateauIterations: 10 }, name: 'before the plateau' },
    { convergence: {}, name: 'by default' },
  ])('the same issues reworded end a loop whose score does not rise, $name', async ({ convergence }) => {
    const given = { ...world, problemsOf: again, scoreOf: (draft: number) => (draft === 0 ? 0.5 : 0.4) };
    const { reason, best, history } = await runIn(given, { convergence, maxIterations: 9 });
    expect({ reason, best, versions: history.versions.length }).toEqual({
      reason: 'repeated_issues',
      best: 0,
      versions: 3,
    });
  });

  test('evaluates every version once', async () => {
    const { asked } = await runIn({ ...world, problemsOf: again });
    expect(asked.filter(({ role }) => role === 'evaluate')).toHaveLength(3);
  });
});

test('an issue reported as remaining stays open, keeps its wording and is sent to the reviser', async () => {
  const { history, asked } = await runIn({ problemsOf: renamed, listsRemaining: true, structured: true });
  expect(history.evaluations.map(({ issues }) => issues.map(({ id }) => id))).toEqual([
    ['i1', 'i2', 'i3', 'i4', 'i5'],
    ['i1', 'i2', 'i3', 'i4', 'i5'],
    ['i1', 'i2', 'i3', 'i4', 'i5'],
  ]);
  expect(history.evaluations[2]?.issues[0]).toEqual({ id: 'i1', criterion: 'clarity', text: inWordsOfItsOwn(0, 0) });
  const last = asked.findLast(({ role }) => role === 'revise');
  expect(last?.prompt).toContain(inWordsOfItsOwn(4, 0));
});

test('the first version is evaluated without open issues in its prompt', async () => {
  const { asked } = await runIn({ problemsOf: renamed, listsRemaining: true, structured: true });
  const judged = asked.filter(({ role }) => role === 'evaluate').map(({ prompt }) => prompt.includes('<open_issues>'));
  expect(judged).toEqual([false, true, true]);
});
