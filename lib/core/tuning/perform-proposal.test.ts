import { describe, expect, test } from 'vitest';
import { decided, decisionOf } from '../history-of.test-support.ts';
import type { ModelOutcome } from '../model-request.ts';
import { noAnswer, replied, scripted } from '../scripted-step.test-support.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { isHeldBack } from './candidate-state.ts';
import { performProposal } from './perform-proposal.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const GOOD = 'It says too little.\n~~~~\nSort well: {{input}}\n~~~~';
const STEP = { type: 'propose' as const, parent: 0, round: 4, positions: [0, 1] };

async function proposed(...replies: ModelOutcome[]) {
  const settings = tuningSettingsOf({ reflectionModel: { provider: 'practice', model: 'thinker' } });
  const given = tuningHistory(settings, { train: 2 }, [{ scores: { 0: 0.25, 1: 1 } }]);
  const told = decisionOf('revise', { version: 0, guidance: 'Be brief.', pauseId: 'p' });
  const history = decided({ ...given, step: given.step + 1 }, told);
  let asked = 0;
  const { context, requests } = scripted(history, settings, () => replies[asked++] ?? noAnswer('unavailable'));
  const result = await performProposal(STEP, context);
  return { result, version: result?.type === 'version' ? result.version : null, requests };
}

describe('a proposal', () => {
  test('becomes a version with its diagnosis, its cases and what people asked', async () => {
    const { version, requests } = await proposed(replied(GOOD));
    expect(version).toMatchObject({
      number: 1,
      iteration: 1,
      origin: 'revised',
      parents: [0],
      output: 'Sort well: {{input}}',
      improvementsApplied: ['Be brief.'],
      tokenUsage: { total: 10 },
      proposal: { round: 4, positions: [0, 1], diagnosis: 'It says too little.', problems: [] },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ role: 'reflect', ordinal: 0, model: { model: 'thinker' }, temperature: null });
    expect(requests[0]?.prompt).toContain('- Be brief.');
  });

  test.each([
    { name: 'that is cut off', bad: replied(GOOD, { finishReason: 'length' }), words: 'limit of tokens' },
    { name: 'without a prompt', bad: replied('I would not.'), words: 'no prompt between' },
    { name: 'with an empty prompt', bad: replied('~~~~\n~~~~'), words: 'is empty' },
  ])('is asked for once more after a reply $name', async ({ bad, words }) => {
    const { version, requests } = await proposed(bad, replied(GOOD));
    expect(version).toMatchObject({
      output: 'Sort well: {{input}}',
      tokenUsage: { total: 20 },
      proposal: { problems: [] },
    });
    expect(requests.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(requests[1]?.prompt).toContain(words);
  });

  test('is asked for once more where it copies a case, without a word on which; then it is kept and held back', async () => {
    const copy = replied('Here.\n~~~~\nSort as in input of case 0: {{input}}\n~~~~');
    const { version, requests } = await proposed(copy, replied(GOOD));
    expect(version).toMatchObject({ output: 'Sort well: {{input}}', proposal: { problems: [] } });
    const again = requests[1]?.prompt.split('could not be used:')[1];
    expect(again).toContain('State general rules instead');
    expect(again).not.toContain('case 0');
    const twice = await proposed(copy, copy);
    expect(twice.version?.proposal?.problems.map(({ kind }) => kind)).toEqual(['copied_cases']);
    expect(twice.version && isHeldBack(twice.version)).toBe(true);
  });

  test('that is cut off twice is kept with what is wrong, and not asked for a third time', async () => {
    const cut = replied('It is vague.\n~~~~\nSort', { finishReason: 'length' });
    const { version, requests } = await proposed(cut, cut, replied(GOOD));
    expect(requests).toHaveLength(2);
    expect(version).toMatchObject({ output: 'Sort', finishReason: 'length' });
    expect(version?.proposal?.problems.map(({ kind }) => kind)).toEqual(['truncated']);
  });

  test('that a guard holds back is not asked for again: that would be another proposal', async () => {
    const { version, requests } = await proposed(replied('~~~~\nSort it.\n~~~~'), replied(GOOD));
    expect(requests).toHaveLength(1);
    expect(version?.proposal?.problems.map(({ kind }) => kind)).toEqual(['missing_variable']);
  });

  test('leaves away what its model thought first', async () => {
    const { version } = await proposed(replied(`<think>~~~~\nno\n~~~~</think>\n${GOOD}`));
    expect(version?.output).toBe('Sort well: {{input}}');
  });

  test('whose model gives no answer fails its step with all that was paid for', async () => {
    const { result } = await proposed(replied('Hm.'), noAnswer('unavailable'));
    expect(result).toMatchObject({ type: 'failure', failure: { role: 'reflect', tokenUsage: { total: 15 } } });
    expect((await proposed(noAnswer('aborted'))).result).toBeNull();
  });
});
