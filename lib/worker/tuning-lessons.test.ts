import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { libraryLesson } from '#lib/lessons/test-texts/library-lesson.test-support.ts';
import { testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import {
  casesNamed,
  promptKnowing,
  queuedTuning,
  scriptedTuner,
  storedRun,
  tuningSettings,
} from './tuning-run.test-support.ts';

const db = useTestDatabase();
const CASES = [...casesNamed('train', 'quokka', 'wombat', 'numbat'), ...casesNamed('validation', 'p', 'q')];

async function begun(lessons: ExperimentSettingsInput['lessons'] = {}) {
  const context = testContext(db.database());
  const proposals = Array.from({ length: 6 }, (_proposal, at) => promptKnowing(`useless${at}`));
  const tuner = scriptedTuner(proposals);
  const { runId } = await queuedTuning(context, tuningSettings({ lessons, maxIterations: 2 }), CASES);
  const perform = () => performRun(testWorkerContext(context, tuner.call), runId);
  const reflections = () => tuner.asked.flatMap(({ role, prompt }) => (role === 'reflect' ? [prompt] : []));
  return { context, runId, perform, reflections, tuner, stored: () => storedRun(context, runId) };
}

const FITS = 'A quokka and a wombat are marsupials: say yes.';

describe('a tuning run', () => {
  test('shows the promoted lessons that fit to the reflection model only, and records them', async () => {
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
    const { perform, reflections, stored } = await begun(lessons);
    await perform();
    expect(reflections()).toHaveLength(2);
    expect(reflections().some((prompt) => prompt.includes('recalled_lessons'))).toBe(false);
    expect((await stored()).history.versions.every(({ recalledLessons }) => recalledLessons.length === 0)).toBe(true);
  });

  test('that was killed goes on with the lessons it was given, and asks nothing twice', async () => {
    const { context, runId, tuner, perform, reflections, stored } = await begun();
    let deaths = 0;
    const worker = testWorkerContext(context, tuner.call);
    const save: typeof worker.save = (...given) =>
      reflections().length === 1 && deaths++ === 0 ? Promise.reject(new Error('killed')) : worker.save(...given);
    await expect(performRun({ ...worker, save }, runId)).rejects.toThrow();
    expect(reflections()).toHaveLength(1);
    // Newer, and fits as well: the open step keeps what it was given.
    const later = 'Numbat, quokka and wombat: say yes.';
    await libraryLesson(db.database(), { text: later, createdAt: '2026-02-05T10:00:00.000Z' });
    await perform();
    expect(reflections()).toHaveLength(2);
    expect(reflections().map((prompt) => prompt.includes(later))).toEqual([false, true]);
    expect((await stored()).history.versions.map(({ recalledLessons }) => recalledLessons.length)).toEqual([0, 1, 2]);
  });
});
