import { describe, expect, test } from 'vitest';
import type { ModelOutcome } from '../model-request.ts';
import { noAnswer, replied, scripted } from '../scripted-step.test-support.ts';
import type { ExperimentSettingsInput } from '../settings.ts';
import { joinComponents } from '../targets/component-texts.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { isHeldBack } from './candidate-state.ts';
import { performCombination } from './perform-proposal.ts';
import { plannedCombination } from './plan-combination.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const response = (text: string) => replied(`The first and the second.\n~~~~\n${text}\n~~~~`);
const textOf = (planner: string, writer: string) => joinComponents(new Map([...Object.entries({ planner, writer })]));

/** Combines proposals with these texts, each of which was better on one case. */
async function combined(
  first: string,
  texts: string[],
  responses: ModelOutcome[],
  changes: Partial<ExperimentSettingsInput> = {},
) {
  const settings = tuningSettingsOf(changes);
  const scores = Object.fromEntries(texts.map((_text, position) => [position, 0]));
  const given = texts.map((output, at) => ({
    output,
    parent: 0,
    minibatch: [at],
    round: at,
    diagnosis: `Fault ${at}.`,
    scores: { [at]: 1 },
  }));
  const history = tuningHistory(settings, { train: texts.length, validation: 2 }, [{ output: first, scores }, given]);
  const step = plannedCombination(history, history.versions.slice(1));
  if (step === null) throw new Error('a combination is due');
  let asked = 0;
  const { context, requests } = scripted(history, settings, () => responses[asked++] ?? noAnswer('unavailable'));
  const result = await performCombination(step, context);
  return { step, result, version: result?.type === 'proposals' ? (result.versions[0] ?? null) : null, requests };
}

const FIRST = 'Sort: {{input}}';
const BETTER = ['Sort by colour: {{input}}', 'Sort by size: {{input}}'];

describe('combination', () => {
  test('becomes a version of the prompt and its proposals', async () => {
    const { version, requests } = await combined(FIRST, BETTER, [response('Sort by colour and size: {{input}}')]);
    expect(version).toMatchObject({
      number: 3,
      iteration: 2,
      origin: 'merged',
      parents: [0, 1, 2],
      output: 'Sort by colour and size: {{input}}',
      tokenUsage: { total: 10 },
      proposal: { round: 1, positions: [0, 1], combined: [1, 2], problems: [] },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ role: 'reflect', ordinal: 0 });
    for (const text of [FIRST, ...BETTER, 'Fault 0.', 'Fault 1.']) expect(requests[0]?.prompt).toContain(text);
  });

  test('includes neither cases nor their references in the request', async () => {
    const { requests } = await combined(FIRST, BETTER, [response('Sort well: {{input}}')]);
    expect(requests[0]?.prompt).not.toContain('of case');
  });

  test('is requested again if unreadable, and held back if the retry is too', async () => {
    const again = await combined(FIRST, BETTER, [replied('Both.'), response('Sort well: {{input}}')]);
    expect(again.requests.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(again.version).toMatchObject({ output: 'Sort well: {{input}}', tokenUsage: { total: 20 } });
    const { version } = await combined(FIRST, BETTER, [replied('Both.'), replied('Both.')]);
    expect(version && isHeldBack(version)).toBe(true);
  });

  test('is held back if it loses the variable or equals one of its proposals', async () => {
    for (const text of ['Sort.', BETTER[0] ?? '']) {
      const { version } = await combined(FIRST, BETTER, [response(text)]);
      expect(version && isHeldBack(version)).toBe(true);
    }
  });

  test('fails the step if the model gives no response', async () => {
    expect((await combined(FIRST, BETTER, [noAnswer('unavailable')])).result).toMatchObject({ type: 'failure' });
    expect((await combined(FIRST, BETTER, [noAnswer('aborted')])).result).toBeNull();
  });
});

describe('combination of several components', () => {
  const target = { name: 'app', components: { planner: 'P0', writer: 'W0' }, tuned: ['planner', 'writer'] };
  const changes = { prompts: {}, generator: { provider: 'app', model: '(target)', target } };

  test('takes each from the proposal that changed it, without a call', async () => {
    const { step, version, requests } = await combined(
      textOf('P0', 'W0'),
      [textOf('P1', 'W0'), textOf('P0', 'W1')],
      [],
      changes,
    );
    expect(step.components).toEqual([]);
    expect(requests).toEqual([]);
    expect(version).toMatchObject({ output: textOf('P1', 'W1'), tokenUsage: { total: 0 } });
  });

  test('uses the first text of a component whose call fails, and keeps the others', async () => {
    const texts = [textOf('P1', 'W1'), textOf('P2', 'W2')];
    const responses = [noAnswer('timeout'), response('W1 and W2')];
    const { result, version } = await combined(textOf('P0', 'W0'), texts, responses, changes);
    expect(version).toMatchObject({ output: textOf('P1', 'W1 and W2'), tokenUsage: { total: 10 } });
    expect(result).toMatchObject({ lost: { tokenUsage: { total: 5 } } });
  });

  test('requests only those that several proposals changed', async () => {
    const texts = [textOf('P1', 'W0'), textOf('P2', 'W0'), textOf('P0', 'W1')];
    const { step, version, requests } = await combined(textOf('P0', 'W0'), texts, [response('P1 and P2')], changes);
    expect(step.components).toEqual(['planner']);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.prompt).not.toContain('W1');
    expect(version?.output).toBe(textOf('P1 and P2', 'W1'));
  });
});
