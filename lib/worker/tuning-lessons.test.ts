import { beforeEach, describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { recalledTexts } from '#lib/lessons/recall-queries.ts';
import { redactedExcerpt } from '#lib/lessons/redact-lesson.ts';
import { libraryLesson } from '#lib/lessons/test-texts/library-lesson.test-support.ts';
import { deleteAllLessons } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { PRACTICE_WRITING, queuedRun, storedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { casesNamed, promptKnowing, queuedTuning, scriptedTuner, tuningSettings } from './tuning-run.test-support.ts';

const db = useTestDatabase();
beforeEach(() => deleteAllLessons(db.database()));

const CASES = [...casesNamed('train', 'quokka', 'wombat', 'numbat'), ...casesNamed('validation', 'p', 'q')];

async function begun(lessons: ExperimentSettingsInput['lessons'] = {}, cases = CASES) {
  const context = testContext(db.database());
  const proposals = Array.from({ length: 6 }, (_proposal, at) => promptKnowing(`useless${at}`));
  const tuner = scriptedTuner(proposals);
  const { runId } = await queuedTuning(context, tuningSettings({ lessons, maxIterations: 2 }), cases);
  const perform = () => performRun(testWorkerContext(context, tuner.call), runId);
  const reflections = () => tuner.asked.flatMap(({ role, prompt }) => (role === 'reflect' ? [prompt] : []));
  return { context, runId, perform, reflections, tuner, stored: () => storedRun(context.database, runId) };
}

const FITS = 'A quokka and a wombat are marsupials: say yes.';

describe('a tuning run', () => {
  test('includes matching promoted lessons only in prompts of the reflection model, and records them', async () => {
    const id = await libraryLesson(db.database(), { text: FITS });
    await libraryLesson(db.database(), { text: 'Bake bread at 230 degrees.' });
    await libraryLesson(db.database(), { text: 'The quokka is a candidate.', status: 'candidate' });
    await libraryLesson(db.database(), { text: 'The quokka was retired.', status: 'retired' });
    const { perform, reflections, tuner, stored } = await begun();
    await perform();
    expect(reflections()).toHaveLength(2);
    for (const prompt of reflections()) {
      expect(prompt).toContain(`- ${FITS}`);
      expect(prompt).not.toMatch(/Bake bread|is a candidate|was retired/);
    }
    const others = tuner.asked.filter(({ role }) => role !== 'reflect');
    expect(others.some(({ prompt }) => prompt.includes('marsupials'))).toBe(false);
    const { history } = await stored();
    const recalled = history.versions.map(({ recalledLessons }) => recalledLessons.map(({ lessonId }) => lessonId));
    expect(recalled).toEqual([[], [id], [id]]);
  });

  test.each<{ name: string; lessons: ExperimentSettingsInput['lessons'] }>([
    { name: 'no store', lessons: { store: 'none' } },
    { name: 'another block', lessons: { store: 'block', block: 'other' } },
    { name: 'too few tokens', lessons: { tokenBudget: 1 } },
  ])('shows none with $name', async ({ lessons }) => {
    await libraryLesson(db.database(), { text: FITS });
    const { perform, reflections, stored } = await begun(lessons);
    await perform();
    expect(reflections()).toHaveLength(2);
    expect(reflections().some((prompt) => prompt.includes('recalled_lessons'))).toBe(false);
    expect((await stored()).history.versions.every(({ recalledLessons }) => recalledLessons.length === 0)).toBe(true);
  });

  test('continues after a kill with the lessons already recalled, and repeats no call', async () => {
    await libraryLesson(db.database(), { text: FITS });
    const { context, runId, tuner, perform, reflections, stored } = await begun();
    let crashes = 0;
    const worker = testWorkerContext(context, tuner.call);
    const save: typeof worker.save = (...given) =>
      reflections().length === 1 && crashes++ === 0 ? Promise.reject(new Error('killed')) : worker.save(...given);
    await expect(performRun({ ...worker, save }, runId)).rejects.toThrow();
    expect(reflections()).toHaveLength(1);
    // Newer and also matching, but the open step keeps the lessons it recalled.
    const later = 'Numbat, quokka and wombat: say yes.';
    await libraryLesson(db.database(), { text: later, createdAt: '2026-02-05T10:00:00.000Z' });
    await perform();
    expect(reflections()).toHaveLength(2);
    expect(reflections().map((prompt) => prompt.includes(later))).toEqual([false, true]);
    expect((await stored()).history.versions.map(({ recalledLessons }) => recalledLessons.length)).toEqual([0, 1, 2]);
  });

  test('omits lessons learned from its validation and held-out cases', async () => {
    const context = testContext(db.database());
    const lesson = (word: string, sourceInput = '') =>
      libraryLesson(db.database(), { text: `A quokka and a wombat, ${word}: say yes.`, sourceInput });
    const learned = async (word: string, input: string) => {
      const id = await lesson(word);
      const runId = await queuedRun(context, PRACTICE_WRITING, { input });
      await db.database().prisma.lesson.update({ where: { id }, data: { runId } });
      return id;
    };
    const shown = [await learned('trained', 'quokka'), await lesson('practised', 'wombat'), await lesson('typed')];
    await learned('validated', 'p');
    await lesson('checked', 'q');
    const pinned = await learned('hidden', 'x');
    const original = await lesson('repeated');
    const repeat = await learned('repeating', 'y');
    await db
      .database()
      .prisma.lesson.update({ where: { id: repeat }, data: { status: 'archived', mergedIntoId: original } });

    const cases = [...CASES, ...casesNamed('held_out', 'x', 'y')];
    const { perform, reflections, stored } = await begun({ topK: 10, pinned: [pinned] }, cases);
    await perform();
    expect(reflections()).toHaveLength(2);
    for (const prompt of reflections()) {
      expect(prompt).not.toMatch(/validated|checked|hidden|repeat/);
    }
    const { history } = await stored();
    for (const { recalledLessons } of history.versions.slice(1))
      expect(recalledLessons.map(({ lessonId }) => lessonId).toSorted()).toEqual(shown.toSorted());
  });

  test('omits lessons learned from its validation cases whose excerpt was redacted or cut', async () => {
    const tail = ' Is it in the order of the customer, and who has to answer the letter?'.repeat(4);
    const guarded = [
      `From: ada.lovelace@example.org.${tail}`,
      `Thanks \u{1F600}!${tail}`,
      // The excerpt ends in the middle of the emoji.
      `${tail.slice(0, 199)}\u{1F600}${tail}`,
    ];
    for (const input of guarded)
      await libraryLesson(db.database(), {
        text: 'A quokka and a wombat, guarded: say yes.',
        sourceInput: await redactedExcerpt(input),
      });
    const { perform, reflections } = await begun({ store: 'block' }, [
      ...CASES,
      ...casesNamed('validation', ...guarded),
    ]);
    await perform();
    expect(reflections()).toHaveLength(2);
    for (const prompt of reflections()) expect(prompt).not.toContain('guarded: say yes');
  });

  test('marks no lesson as helpful, because only better proposals are validated', async () => {
    const id = await libraryLesson(db.database(), { text: FITS });
    const context = testContext(db.database());
    const tuner = scriptedTuner([promptKnowing('quokka', 'wombat', 'numbat', 'p')]);
    const { runId } = await queuedTuning(context, tuningSettings({ maxIterations: 1 }), CASES);
    await performRun(testWorkerContext(context, tuner.call), runId);
    const { history } = await storedRun(context.database, runId);
    expect(history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0, 0.5]);
    expect((await recalledTexts(db.database(), runId)).map(({ version, effect }) => ({ version, effect }))).toEqual([
      { version: 1, effect: null },
    ]);
    const lesson = await db.database().prisma.lesson.findUniqueOrThrow({ where: { id } });
    expect(lesson).toMatchObject({ helpful: 0, harmful: 0, neutral: 0, lastUsedAt: expect.any(Date) });
  });
});
