import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  casesNamed,
  performedTuning,
  promptKnowing,
  type ScriptedResponse,
  scriptedTuner,
  triedOn,
  tuningSettings,
} from './tuning-run.test-support.ts';

const db = useTestDatabase();
const CASES = [...casesNamed('train', 'a', 'b', 'c'), ...casesNamed('validation', 'p', 'q')];

async function tuned(
  changes: Partial<ExperimentSettingsInput>,
  proposals: string[],
  says?: Parameters<typeof scriptedTuner>[1],
) {
  const tuner = scriptedTuner(proposals, says);
  const settings = tuningSettings({ ...changes, tune: { maxRepeats: 1, ...changes.tune } });
  const { load } = await performedTuning(db.database(), settings, tuner, CASES);
  const { run, history } = await load();
  const reflections = tuner.asked.flatMap(({ role, prompt }) => (role === 'reflect' ? [prompt] : []));
  return { run, history, asked: tuner.asked, reflections };
}

/** The compared prompts in a request for a proposal. */
function comparedIn(prompt: string | undefined) {
  const lines = /<compared_prompts>\n([\s\S]*?)\n<\/compared_prompts>/.exec(prompt ?? '')?.[1];
  return lines === undefined ? null : lines.split('\n').map((line) => JSON.parse(line));
}

describe('best_of_n', () => {
  test('derives every proposal from the first prompt, without the others in its prompt, and returns the best', async () => {
    const proposals = [promptKnowing('a', 'p'), promptKnowing('b'), promptKnowing('c', 'q', 'p')];
    const { run, history, reflections } = await tuned({ tune: { strategy: 'best_of_n' } }, proposals);
    expect(history.versions.map(({ parents }) => parents)).toEqual([[], [0], [0], [0]]);
    expect(history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0, 0.5, 0, 1]);
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalVersion: 3 });
    expect(reflections).toHaveLength(3);
    for (const prompt of reflections) {
      expect(prompt).not.toContain('Rejected proposals');
      for (const proposal of proposals) expect(prompt).not.toContain(proposal);
    }
  });

  test('combines no proposals that pass at the same time', async () => {
    const proposals = ['q', 'r', 's'].map((word) => promptKnowing('a', 'b', 'c', word));
    const { history } = await tuned({ tune: { strategy: 'best_of_n', proposalsAtOnce: 3 } }, proposals);
    expect(history.versions.map(({ parents, proposal }) => [parents, proposal?.combined])).toEqual([
      [[], undefined],
      [[0], undefined],
      [[0], undefined],
      [[0], undefined],
    ]);
    // All passed, so all were validated.
    expect(history.evaluations.map(({ version }) => version)).toEqual([0, 1, 2, 3]);
  });
});

describe('pairwise', () => {
  const LOSER = promptKnowing('b');
  const WINNER = promptKnowing('a', 'b', 'p');

  test('compares each challenger with the best prompt, until another becomes the best', async () => {
    const { run, reflections } = await tuned(
      { prompts: { generate: promptKnowing('a') }, tune: { strategy: 'pairwise', proposalsAtOnce: 4 } },
      [LOSER, WINNER, promptKnowing('a', 'b', 'c', 'p', 'q')],
    );
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalVersion: 3 });
    expect(reflections.map((prompt) => comparedIn(prompt)?.length ?? 0)).toEqual([0, 1, 0]);
    const [challenger] = comparedIn(reflections[1]) ?? [];
    expect(challenger.prompt).toBe(LOSER);
    const byCase = Object.fromEntries(challenger.cases.map((one: { case: string; better: string }) => [one.case, one]));
    expect(byCase).toEqual({
      a: {
        case: 'a',
        better: 'current',
        current: expect.objectContaining({ output: 'yes', score: 1 }),
        other: expect.objectContaining({ output: 'no', score: 0 }),
      },
      b: {
        case: 'b',
        better: 'other',
        current: expect.objectContaining({ output: 'no' }),
        other: expect.objectContaining({ output: 'yes' }),
      },
      c: {
        case: 'c',
        better: 'same',
        current: expect.objectContaining({ output: 'no' }),
        other: expect.objectContaining({ output: 'no' }),
      },
    });
  });

  test('includes the reasons of evaluators, unless feedback is off', async () => {
    const reasons = async (feedback: boolean) => {
      const { reflections } = await tuned(
        { prompts: { generate: promptKnowing('a') }, maxIterations: 2, tune: { strategy: 'pairwise', feedback } },
        [LOSER, WINNER],
      );
      return comparedIn(reflections[1])?.[0].cases.some((one: { other: object }) => 'feedback' in one.other);
    };
    expect([await reasons(true), await reasons(false)]).toEqual([true, false]);
  });
});

describe('few_shot', () => {
  const settings: Partial<ExperimentSettingsInput> = {
    prompts: { generate: promptKnowing('a', 'b') },
    tune: { strategy: 'few_shot', demonstrations: 1 },
  };
  /** An example of case b makes the validation cases succeed. */
  const taughtByB = ({ role, prompt }: { role: string; prompt: string }): ScriptedResponse =>
    role === 'try' && prompt.includes('<input>\nb\n</input>') ? 'yes' : null;

  test('solves training cases first, then validates sampled examples of them, without the reflection model', async () => {
    const { run, history, asked, reflections } = await tuned(settings, [], taughtByB);
    expect(reflections).toEqual([]);
    expect(triedOn(asked, 'a', 'b')).toEqual(expect.arrayContaining(['a', 'b', 'c', 'p', 'q']));
    const made = history.versions.slice(1);
    for (const { parents, proposal } of made) {
      expect(parents).toEqual([0]);
      expect(proposal?.demonstrations).toHaveLength(1);
    }
    expect(made.at(-1)?.output).toContain('<output>\nyes\n</output>');
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalVersion: made.at(-1)?.number });
  });

  test('ends when every set of solved cases has been evaluated', async () => {
    const { run, history } = await tuned({ ...settings, maxIterations: 10 }, []);
    expect(history.versions.flatMap(({ proposal }) => proposal?.demonstrations ?? []).sort()).toEqual([0, 1]);
    expect(run.convergenceReason).toBe('nothing_to_mend');
  });

  test('ends if the prompt solves no training case', async () => {
    const { run, history } = await tuned({ ...settings, prompts: { generate: promptKnowing() } }, []);
    expect(history.versions).toHaveLength(1);
    expect(run.convergenceReason).toBe('nothing_to_mend');
  });

  test('samples sets of up to 4 examples if no number is set', async () => {
    const { history } = await tuned(
      {
        prompts: { generate: promptKnowing('a', 'b', 'c') },
        maxIterations: 7,
        tune: { strategy: 'few_shot', maxPromptTokens: 1_000 },
      },
      [],
    );
    const sizes = history.versions.flatMap(({ proposal }) => proposal?.demonstrations?.length ?? []);
    expect(new Set(sizes)).toEqual(new Set([1, 2, 3]));
  });
});

test('portfolio switches to the next strategy at a plateau, and ends at the plateau of the last', async () => {
  const { run, history } = await tuned(
    {
      prompts: { generate: promptKnowing('a') },
      maxIterations: 20,
      convergence: { plateauIterations: 1 },
      tune: { strategy: 'portfolio' },
    },
    // Each passes on its training cases and solves no validation case.
    [promptKnowing('a', 'b'), promptKnowing('a', 'b', 'c'), promptKnowing('a', 'c')],
  );
  expect(history.versions.map(({ proposal }) => proposal?.strategy)).toEqual([
    undefined,
    'gepa',
    'pairwise',
    'few_shot',
    'best_of_n',
  ]);
  expect(run.convergenceReason).toBe('plateau');
});
