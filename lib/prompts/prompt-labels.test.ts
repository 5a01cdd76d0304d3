import { describe, expect, test } from 'vitest';
import { PRACTICE_SUMS, queuedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { movePromptLabel, removePromptLabel, rollBackPromptLabel } from './move-prompt-label.ts';
import { createPrompt } from './prompt-library.ts';
import { findPrompt, findPromptVersion } from './queries.ts';
import { savePromptVersion } from './save-prompt-version.ts';
import { scorePromptVersions } from './score-prompt-versions.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const ADA = { id: 'ada', name: 'Ada', role: 'editor' } as const;
const TEXTS = ['Sort {{input}}', 'Sort the mail {{input}}', 'Name the label of {{input}}'];

let made = 0;
/** Creates a prompt with three versions. */
async function newPrompt(): Promise<string> {
  made += 1;
  const [text, ...others] = TEXTS;
  const { name } = unwrap(await createPrompt(context(), TESTER, { name: `triage-${made}`, text }));
  for (const other of others)
    unwrap(await savePromptVersion(context(), TESTER, name, { text: other, message: 'Another' }));
  return name;
}

/** Stores a tuning run that scored the first two texts on three held-out cases and one training case. */
async function triedBefore(before: number[], after: number[]): Promise<string> {
  const runId = await queuedRun(context(), PRACTICE_SUMS, { input: '1 + 1', reference: '2' });
  const { prisma } = db.database();
  const spend = { inputTokens: 1, outputTokens: 1, costUsd: 0, durationMs: 1, step: 0, createdAt: new Date() };
  const version = { runId, iteration: 0, origin: 'given', parents: [], improvementsApplied: [], finishReason: 'stop' };
  const texts = TEXTS.slice(0, 2);
  await prisma.reflectionVersion.createMany({
    data: texts.map((output, number) => ({ ...version, ...spend, number, output })),
  });
  const splits = ['held_out', 'held_out', 'held_out', 'train'];
  await prisma.runCase.createMany({
    data: splits.map((split, position) => ({ runId, position, split, input: String(position), tags: [] })),
  });
  const tried = {
    runId,
    output: 'x',
    finishReason: 'stop',
    status: 'scored',
    criteriaScores: {},
    feedback: '',
    detail: '',
  };
  const tries = (scores: number[], number: number) =>
    scores.map((score, position) => {
      const outcome = { version: number, position, attempt: 0, score, satisfactory: score === 1, paidBefore: false };
      return { ...tried, ...spend, ...outcome };
    });
  await prisma.caseTry.createMany({ data: [...tries(before, 0), ...tries(after, 1)] });
  return runId;
}

const versionsByLabel = async (name: string) =>
  Object.fromEntries(
    ((await findPrompt(db.database(), name))?.labels ?? []).map(({ label, version }) => [label, version]),
  );

test('moves a label and records every move', async () => {
  const name = await newPrompt();
  expect(unwrap(await movePromptLabel(context(), ADA, name, 'staging', { version: 2 }))).toMatchObject({
    name,
    label: 'staging',
    version: 2,
    previous: null,
    moved: true,
    proof: null,
  });
  unwrap(await movePromptLabel(context(), TESTER, name, 'staging', { version: 3, reason: 'Shorter', from: 2 }));
  unwrap(await movePromptLabel(context(), TESTER, name, 'production', { version: 1 }));
  unwrap(await movePromptLabel(context(), TESTER, name, 'beta', { version: 3 }));
  unwrap(await removePromptLabel(context(), ADA, name, 'beta'));
  const prompt = await findPrompt(db.database(), name);
  expect(prompt?.labels.map(({ label, version }) => [label, version])).toEqual([
    ['production', 1],
    ['staging', 3],
  ]);
  expect(
    prompt?.moves.map(({ label, previous, version, reason, movedBy }) => [label, previous, version, reason, movedBy]),
  ).toEqual([
    ['beta', 3, null, null, 'Ada'],
    ['beta', null, 3, null, 'Tester'],
    ['production', null, 1, null, 'Tester'],
    ['staging', 2, 3, 'Shorter', 'Tester'],
    ['staging', null, 2, null, 'Ada'],
  ]);
  expect(await findPromptVersion(db.database().prisma, name, { label: 'staging' })).toMatchObject({ text: TEXTS[2] });
});

test('does not move a label that is already on the version', async () => {
  const name = await newPrompt();
  unwrap(await movePromptLabel(context(), ADA, name, 'staging', { version: 2 }));
  const again = unwrap(await movePromptLabel(context(), ADA, name, 'staging', { version: 2 }));
  expect(again).toMatchObject({ moved: false, move: null, version: 2, previous: 2 });
  expect((await findPrompt(db.database(), name))?.moves).toHaveLength(1);
});

test('rollback returns a label to its previous version, and a second one undoes it', async () => {
  const name = await newPrompt();
  const first = unwrap(await movePromptLabel(context(), ADA, name, 'production', { version: 1 }));
  const second = unwrap(await movePromptLabel(context(), ADA, name, 'production', { version: 2 }));
  const back = unwrap(await rollBackPromptLabel(context(), TESTER, name, 'production', { move: second.move }));
  expect(await versionsByLabel(name)).toEqual({ production: 1 });
  unwrap(await rollBackPromptLabel(context(), TESTER, name, 'production', { move: back.move, reason: 'Undone' }));
  expect(await versionsByLabel(name)).toEqual({ production: 2 });
  const moves = (await findPrompt(db.database(), name))?.moves ?? [];
  expect(moves.slice(0, 2)).toMatchObject([
    { previous: 1, version: 2, reason: 'Undone', movedBy: 'Tester' },
    { previous: 2, version: 1, reason: 'Rolled back from version 2', movedBy: 'Tester' },
  ]);
  const late = await rollBackPromptLabel(context(), ADA, name, 'production', { move: first.move });
  expect(late).toMatchObject({
    problem: {
      code: 'conflict',
      message: expect.stringMatching(/^Tester moved the label \w+ to version 2 at \d+ \w{3} \d{4}, \d\d:\d\d UTC\./),
    },
  });
});

test('rolling back the first move of a label removes it, and undoing restores it', async () => {
  const name = await newPrompt();
  const { move } = unwrap(await movePromptLabel(context(), ADA, name, 'production', { version: 3 }));
  const back = unwrap(await rollBackPromptLabel(context(), ADA, name, 'production', { move }));
  expect(await versionsByLabel(name)).toEqual({});
  unwrap(await rollBackPromptLabel(context(), ADA, name, 'production', { move: back.move }));
  expect(await versionsByLabel(name)).toEqual({ production: 3 });
});

describe('moving production to a version', () => {
  /** Creates a prompt with production on version 1, and a run that made version 2 and scored both. */
  async function guarded(before: number[], after: number[]): Promise<string> {
    const name = await newPrompt();
    const runId = await triedBefore(before, after);
    const { prisma } = db.database();
    await prisma.promptVersion.updateMany({ where: { promptName: name, number: 2 }, data: { runId, runVersion: 1 } });
    unwrap(await movePromptLabel(context(), ADA, name, 'production', { version: 1 }));
    return name;
  }

  test('that scores lower on the held-out cases requires a reason', async () => {
    const name = await guarded([1, 1, 0, 0], [1, 0, 0, 1]);
    const move = (input: object) => movePromptLabel(context(), ADA, name, 'production', input);
    const refused = await move({ version: 2 });
    expect(refused).toMatchObject({ problem: { code: 'invalid', field: 'reason' } });
    expect(!refused.ok && refused.problem.message).toContain(
      'Version 2 loses on the 3 held-out cases: 0.33 compared with 0.67 for version 1. The difference is within noise.',
    );
    expect(await versionsByLabel(name)).toEqual({ production: 1 });
    expect(unwrap(await move({ version: 2, reason: 'Cheaper' }))).toMatchObject({
      version: 2,
      proof: { verdict: 'loses', n: 3, against: 1, source: { kind: 'run' } },
    });
    // The same run has scores for the move back.
    expect(unwrap(await move({ version: 1 }))).toMatchObject({ proof: { verdict: 'holds', n: 3, against: 2 } });
  });

  test.each([
    ['that scores higher', [0, 0, 0, 1], [1, 1, 1, 0], 'does better on the 3 held-out cases: 1.00 compared with 0.00'],
    [
      'that scores equally',
      [1, 0, 0, 1],
      [0, 1, 0, 0],
      'does as well on the 3 held-out cases: 0.33 compared with 0.33',
    ],
  ])('%s requires no reason', async (_name, before, after, words) => {
    const name = await guarded(before, after);
    const moved = unwrap(await movePromptLabel(context(), ADA, name, 'production', { version: 2 }));
    expect(moved.proof?.words).toContain(words);
  });

  test('without scores reports that there is nothing to compare', async () => {
    const name = await guarded([1, 1, 1, 1], [0, 0, 0, 0]);
    const moved = unwrap(await movePromptLabel(context(), ADA, name, 'production', { version: 3 }));
    expect(moved.proof).toMatchObject({
      verdict: 'unproven',
      words: expect.stringContaining('No held-out scores to compare with version 1'),
    });
  });

  test('that has no evaluation uses the scores of the run that made it', async () => {
    const name = await guarded([1, 1, 1, 0], [0, 0, 0, 1]);
    const prompt = await findPrompt(db.database(), name);
    if (prompt === null) throw new Error('the prompt is there');
    const scores = await scorePromptVersions(context(), [{ name, setup: prompt.setup, versions: [1, 2, 3] }]);
    // Uses the training case: there is no validation split, and held-out cases must not select a version.
    expect(scores.get(name)).toMatchObject({ 2: { source: 'run', n: 1, mean: 1 } });
    expect(Object.keys(scores.get(name) ?? {})).toEqual(['2']);
  });

  test('requires a check, but moving other labels does not', async () => {
    const name = await guarded([1, 1, 1, 1], [0, 0, 0, 0]);
    unwrap(await movePromptLabel(context(), ADA, name, 'staging', { version: 1 }));
    const moved = await movePromptLabel(context(), ADA, name, 'staging', { version: 2 });
    expect(unwrap(moved).proof).toBeNull();
  });
});

describe('a move is refused', () => {
  test.each([
    ['to an unknown version', 'staging', { version: 9 }, 'version'],
    ['without a version', 'staging', {}, 'version'],
    ['for an invalid label', 'my label', { version: 1 }, 'label'],
    ['for the reserved label latest', 'latest', { version: 1 }, 'label'],
    ['for a label that is too long', 'x'.repeat(41), { version: 1 }, 'label'],
    ['with a reason that is too long', 'staging', { version: 1, reason: 'x'.repeat(501) }, 'reason'],
    ['with an unknown field', 'staging', { version: 1, label: 'production' }, 'label'],
  ])('%s', async (_name, label, input, field) => {
    const name = await newPrompt();
    const refused = await movePromptLabel(context(), ADA, name, label, input);
    expect(refused).toMatchObject({ problem: { code: 'invalid', field } });
    expect((await findPrompt(db.database(), name))?.moves).toEqual([]);
  });

  test('if the label has moved since, and names who moved it', async () => {
    const name = await newPrompt();
    unwrap(await movePromptLabel(context(), ADA, name, 'staging', { version: 2 }));
    expect(await movePromptLabel(context(), TESTER, name, 'staging', { version: 3, from: null })).toMatchObject({
      problem: {
        code: 'conflict',
        message: expect.stringMatching(/^Ada moved the label \w+ to version 2 at \d+ \w{3} \d{4}, \d\d:\d\d UTC\./),
      },
    });
    expect(await versionsByLabel(name)).toEqual({ staging: 2 });
  });

  test('if the prompt or the label does not exist', async () => {
    const name = await newPrompt();
    const refusals = [
      await movePromptLabel(context(), ADA, 'none', 'staging', { version: 1 }),
      await removePromptLabel(context(), ADA, 'none', 'staging'),
      await removePromptLabel(context(), ADA, name, 'staging'),
      await rollBackPromptLabel(context(), ADA, 'none', 'staging', { move: 1 }),
      await rollBackPromptLabel(context(), ADA, name, 'staging', { move: 1 }),
    ];
    for (const refusal of refusals) expect(refusal).toMatchObject({ problem: { code: 'not_found' } });
  });
});

test('a label that the database could not store is not found', async () => {
  const name = await newPrompt();
  const missing = { ok: false, problem: { code: 'not_found' } };
  expect(await removePromptLabel(context(), ADA, name, 'beta\0')).toMatchObject(missing);
  expect(await rollBackPromptLabel(context(), ADA, name, 'beta\0', { move: 1 })).toMatchObject(missing);
});

test('rejects a label that is not a text', async () => {
  const name = await newPrompt();
  const invalid = { ok: false, problem: { code: 'invalid', field: 'label' } };
  const label = { toString: 1 };
  expect(await removePromptLabel(context(), ADA, name, label)).toMatchObject(invalid);
  expect(await rollBackPromptLabel(context(), ADA, name, label, { move: 1 })).toMatchObject(invalid);
});
