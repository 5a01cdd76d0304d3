import { z } from 'zod';
import { type Case, caseCriteriaSchema } from '#lib/core/case.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { MAX_MESSAGES, sentMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import { CHAT_ROLES, type ChatRole } from '#lib/core/chat/chat-roles.ts';
import { inputOfMessages } from '#lib/core/chat/message-content.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/visible-name.ts';

const MAX_INPUT_LENGTH = 200_000;
const TOO_LONG = 'must be at most 200,000 characters';

const inputTextSchema = z
  .string({ error: 'must be a text, a list of messages, or a JSON object or list' })
  .min(1, { error: 'must not be empty' })
  .max(MAX_INPUT_LENGTH, { error: TOO_LONG });

/** A parsed input: text, which may be JSON, or messages. */
type InputValue = string | ChatMessage[];

/** An input in a request: text, a list of messages, or any other JSON object or list, which is converted to text. */
export const inputSchema = z
  .unknown()
  .transform((value, context): InputValue => {
    if (isMessageList(value)) return read(sentMessagesSchema, value, context, inputOfMessages);
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : value;
    return read(inputTextSchema, text, context, (one) => one);
  })
  .meta({
    description: 'What prompts get: a text, a list of messages, or a JSON object or list.',
    anyOf: [
      { type: 'string', minLength: 1, maxLength: MAX_INPUT_LENGTH },
      { type: 'array', items: { $ref: '#/components/schemas/ChatMessage' }, minItems: 1, maxItems: MAX_MESSAGES },
      { type: 'object', additionalProperties: {} },
      { type: 'array', items: {} },
    ],
  });

function read<Value extends InputValue>(
  schema: z.ZodType<Value>,
  value: unknown,
  context: z.core.$RefinementCtx,
  textOf: (value: Value) => string,
): InputValue {
  const found = schema.safeParse(value, { reportInput: true });
  if (!found.success) {
    for (const { path, message, input } of found.error.issues)
      context.addIssue({ code: 'custom', path, message, input });
    return z.NEVER;
  }
  const text = textOf(found.data);
  if (text.length > MAX_INPUT_LENGTH) context.addIssue({ code: 'custom', message: TOO_LONG, input: text });
  return found.data;
}

/** Returns true if a value is meant as a list of messages: a list of objects with a role and with content or tool calls. */
export function isMessageList(value: unknown): value is { role: unknown }[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (one) =>
        typeof one === 'object' &&
        one !== null &&
        Object.hasOwn(one, 'role') &&
        CONTENTS.some((key) => Object.hasOwn(one, key)),
    )
  );
}

const CONTENTS = ['content', 'toolCalls', 'tool_calls'];

/** Role names of other tools, mapped to Hone's roles. */
export const OTHER_ROLES: Record<string, ChatRole> = { developer: 'system', model: 'assistant', function: 'tool' };

/** Like `isMessageList`, but for JSON inside a text. The text stays a text unless all roles are known. */
export function isMessageListInText(value: unknown): value is { role: unknown }[] {
  return (
    isMessageList(value) &&
    value.every(({ role }) => [...CHAT_ROLES, ...Object.keys(OTHER_ROLES)].some((known) => known === role))
  );
}

/** One case in a request. `input` goes into prompts. `reference` is the correct answer, used only by evaluators. */
export const caseInputSchema = z.strictObject({
  input: inputSchema,
  reference: z
    .string({ error: 'must be a text or null' })
    .max(200_000, { error: 'must be at most 200,000 characters' })
    .nullable()
    .default(null)
    .meta({ description: 'The right answer, for evaluators only.' }),
  tags: z
    .array(z.string().overwrite(visibleName).max(100))
    .max(50, { error: 'must be at most 50 tags' })
    .default([])
    .meta({ description: 'Tags. `train`, `validation` and `held_out` are splits.' }),
  metadata: z.record(z.string(), z.unknown()).default({}).meta({
    description:
      'Values that prompts fill in with `{{metadata.NAME}}`. The setting `tune.weightKey` names the one that weighs the case.',
  }),
  criteria: caseCriteriaSchema.nullable().optional().meta({
    description: 'How scoring of this case differs from the experiment. Null or left out: it does not differ.',
  }),
});

/** Returns the input of a case: its text form, and its messages if it is a conversation. */
export function readInput(input: InputValue): Pick<Case, 'input' | 'messages'> {
  return typeof input === 'string' ? { input } : { input: inputOfMessages(input), messages: input };
}

/** A case in a request, parsed into a case. */
export const newCaseSchema = caseInputSchema.transform(
  ({ input, ...others }): Case => ({ ...readInput(input), ...others }),
);

export const casesSchema = z
  .array(newCaseSchema)
  .min(1, { error: 'must contain at least one case' })
  .max(100_000, { error: 'must contain at most 100,000 cases' });

export const datasetInputSchema = z.strictObject({ name: nameSchema, cases: casesSchema });
