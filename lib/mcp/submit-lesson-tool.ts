import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LESSON_FIELDS, LESSON_KINDS, LESSON_LENGTH } from '#lib/core/lesson-schema.ts';
import { succeed } from '#lib/core/problem.ts';
import { nameSchema, oneOf, taskTypeSchema } from '#lib/core/setting-parts.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { addLesson } from '#lib/lessons/add-lesson.ts';
import { addTool, type ToolCaller } from './add-tool.ts';

const FORMS = LESSON_KINDS.filter((kind) => LESSON_FIELDS[kind].length > 0)
  .map(
    (kind) => `${kind}: ${LESSON_FIELDS[kind].map(({ name, required }) => (required ? name : `${name}?`)).join(', ')}`,
  )
  .join('; ');

const inputSchema = z.strictObject({
  text: z.string().max(LESSON_LENGTH).default('').meta({
    description: 'What to do differently next time, and when: one or two sentences. For kinds without a form.',
  }),
  kind: oneOf(LESSON_KINDS).default('lesson'),
  fields: z
    .record(z.string().max(120), z.string().max(LESSON_LENGTH))
    .default({})
    .meta({ description: `For kinds with a form, instead of text. ${FORMS}` }),
  task: z
    .string()
    .max(100_000)
    .default('')
    .meta({ description: 'The task that the lesson was learned from. It helps to recall the lesson.' }),
  taskType: taskTypeSchema
    .nullable()
    .default(null)
    .meta({ description: 'Task type that the lesson applies to. Null: all.' }),
  agent: nameSchema.nullable().default(null).meta({ description: 'Agent that the lesson is for. Null: all.' }),
  tools: z.array(nameSchema).max(50).default([]).meta({ description: 'Tools that the lesson is about.' }),
  runId: z.guid().nullable().default(null).meta({ description: 'The Hone run that the lesson was learned from.' }),
});

/** Adds `submit_lesson`, which stores a candidate. It is redacted, screened and reviewed like every lesson. */
export function addSubmitLesson(server: McpServer, asker: ToolCaller): void {
  addTool(server, asker, {
    name: 'submit_lesson',
    title: 'Submit a lesson',
    description:
      'Submits a lesson from a task, for later runs. Hone removes secrets and personal data, screens the lesson and stores it as a candidate. A person decides whether it is used. Describe what helps on similar tasks, not the answer to this one.',
    scope: 'lessons:write',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: inputSchema,
    use: async ({ context, actor, address }, given) => {
      const parsed = parseInput(inputSchema, given);
      if (!parsed.ok) return parsed;
      const { text, kind, fields, task, taskType, agent, tools, runId } = parsed.value;
      const added = await addLesson(context, actor, {
        ...{ kind, text, fields },
        scope: { agent, taskType, tools },
        source: { runId, input: task },
      });
      if (!added.ok) return added;
      const { id, status, admission } = added.value;
      return succeed({
        ...{ id, status, kind, text: added.value.text, held: admission === 'held' },
        next:
          admission === 'held'
            ? 'The screening found something. A person reviews the lesson before it is used.'
            : 'The lesson is compared with existing lessons. Then a person reviews it.',
        url: `${address}/lessons/${id}`,
      });
    },
  });
}
