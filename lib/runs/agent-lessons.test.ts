import { expect, test } from 'vitest';
import { libraryLesson } from '#lib/lessons/test-texts/library-lesson.test-support.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { queuedRun, recordOf, storedRun, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { agentModel, agentSettings, agentWorkerContext, ECHO, echoTool } from '#lib/worker/agent-run.test-support.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { listRunEvents } from './list-run-events.ts';

const db = useTestDatabase();
const TASK = { input: 'Find the tariff of the harbour.' };
const typesOf = async (runId: string) =>
  (await listRunEvents(db.database(), runId, 0, 100)).map(({ type, data }) => ({ type, data }));

test('an agent at its turn limit gets that feedback and answers in its second attempt', async () => {
  const context = testContext(db.database());
  const base = { type: 'react' as const, tools: [ECHO], maxSteps: 2 };
  const runId = await queuedRun(context, agentSettings(base), TASK);
  const model = agentModel(({ prompt }) =>
    prompt.includes('it used all of its 2 turns') && prompt.includes('Observation: echo of page 1')
      ? ['The tariff is 12.']
      : [
          { thought: 'Look.', calls: [[ECHO, { text: 'page 1' }]] },
          { thought: 'And on.', calls: [[ECHO, { text: 'page 2' }]] },
        ],
  );
  await performRun(agentWorkerContext(context, model, [echoTool([])]), runId);
  const record = await recordOf(db.database(), runId);
  expect(record).toMatchObject({ convergenceReason: 'quality_met', finalOutput: 'The tariff is 12.' });
  expect(record.versions.map(({ finishReason }) => finishReason)).toEqual(['turn_limit', 'stop']);
});

test('recalled lessons are reported before the turns of an attempt, live and stored', async () => {
  const context = testContext(db.database());
  const base = { type: 'react' as const, tools: [ECHO], maxSteps: 4 };
  const runId = await queuedRun(context, agentSettings(base, { maxAttempts: 2 }), TASK);
  const model = agentModel(
    ({ prompt }) => [
      { thought: 'Look.', calls: [[ECHO, { text: 'x' }]] },
      prompt.includes('ask the checker') ? 'Right.' : 'Wrong.',
    ],
    (prompt) => (prompt.includes('Wrong.') ? 0.2 : 1),
  );
  await performRun(agentWorkerContext(context, model, [echoTool([])]), runId);
  const events = await typesOf(runId);
  const types = ['attempt_started', 'lessons_recalled', 'turn_made', 'output_made', 'evaluated', 'lesson_produced'];
  expect(events.map(({ type }) => type).filter((type) => types.includes(type))).toEqual([
    ...['attempt_started', 'lessons_recalled', 'turn_made', 'turn_made', 'output_made', 'evaluated', 'lesson_produced'],
    ...['attempt_started', 'lessons_recalled', 'turn_made', 'turn_made', 'output_made', 'evaluated'],
  ]);
  expect(events.filter(({ type }) => type === 'lessons_recalled').map(({ data }) => data)).toEqual([
    { attempt: 1, count: 0 },
    { attempt: 2, count: 1 },
  ]);
});

test('a lesson records the tools and the task type of its attempt', async () => {
  const context = testContext(db.database());
  const base = { type: 'react' as const, tools: [ECHO], maxSteps: 4 };
  const runId = await queuedRun(context, agentSettings(base, { maxAttempts: 2, taskType: 'web scraping' }), TASK);
  const model = agentModel(
    () => [
      {
        thought: 'Look.',
        calls: [
          [ECHO, { text: 'x' }],
          ['no_such_tool', {}],
        ],
      },
      'Wrong.',
    ],
    () => 0.2,
  );
  await performRun(agentWorkerContext(context, model, [echoTool([])]), runId);
  const { rows } = await db
    .database()
    .pool.query('SELECT DISTINCT tools, task_type FROM lessons WHERE run_id = $1', [runId]);
  expect(rows).toEqual([{ tools: [ECHO], task_type: 'web scraping' }]);
});

test('a worker gets the recalled lessons that fit its task, the same in all its turns', async () => {
  await libraryLesson(db.database(), { text: 'The harbour tariff stands in the annex.', status: 'promoted' });
  const context = testContext(db.database());
  const workers = [{ name: 'reader', tools: [ECHO] }, { name: 'poet' }];
  const base = { type: 'supervisor' as const, workers, maxSteps: 4 };
  const runId = await queuedRun(context, agentSettings(base), TASK);
  const asked: ModelRequest[] = [];
  const model = agentModel((request) => {
    asked.push(request);
    if (request.conversation?.tools.some(({ name }) => name === 'delegate'))
      return [
        {
          calls: [
            ['delegate', { worker: 'reader', task: 'Read about tariffs.' }],
            ['delegate', { worker: 'poet', task: 'Rhyme.' }],
          ],
        },
        'Done.',
      ];
    return request.prompt.includes('Rhyme') ? ['Rhymed.'] : [{ calls: [[ECHO, { text: 'x' }]] }, 'Read.'];
  });
  await performRun(agentWorkerContext(context, model, [echoTool([])]), runId);
  const { history } = await storedRun(db.database(), runId);
  expect(history.versions[0]?.recalledLessons).toHaveLength(1);
  const promptsOf = (task: string) => asked.filter(({ prompt }) => prompt.includes(task)).map(({ prompt }) => prompt);
  const [first = '', ...more] = promptsOf('Read about tariffs.');
  expect(first).toContain('<recalled_lessons>\n- The harbour tariff stands in the annex.\n</recalled_lessons>');
  expect(more).toEqual([first]);
  expect(promptsOf('Rhyme.')).toEqual(['<task>\nRhyme.\n</task>']);
});
