import { sentInput } from '#components/case/sent-input.ts';
import type { Case } from '#lib/core/case.ts';
import { type CaseCriteria, caseCriteriaSchema } from '#lib/core/case-criteria-schema.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Form values of a case. */
export type CaseDraft = {
  input: string;
  /** Replaces the text if the input is a conversation. */
  messages: ChatMessage[] | null;
  reference: string;
  tags: string;
  metadata: string;
  criteria: string;
};

/** Returns the form values of a case. Null: a new case. */
export function caseDraft(of: Case | null): CaseDraft {
  return {
    input: of?.input ?? '',
    messages: of?.messages ?? null,
    reference: of?.reference ?? '',
    tags: of?.tags.join(', ') ?? '',
    metadata: of === null || Object.keys(of.metadata).length === 0 ? '' : JSON.stringify(of.metadata, null, 2),
    criteria: of?.criteria ? JSON.stringify(of.criteria, null, 2) : '',
  };
}

/** A case in the format of the request. */
type SentCase = Omit<Case, 'input' | 'messages'> & { input: string | ChatMessage[] };

/** Parses a case from form values. Errors name the invalid field. An empty reference means none. */
export function readCaseDraft({ input, messages, reference, tags, metadata, criteria }: CaseDraft): Result<SentCase> {
  const sent = sentInput({ input, messages });
  if (sent === '') return fail('invalid', 'The input must not be empty.', 'input');
  const read = readMetadata(metadata);
  if (!read.ok) return read;
  const own = readCriteria(criteria);
  if (!own.ok) return own;
  const named = tags.split(',').map((tag) => tag.trim());
  return succeed({
    input: sent,
    reference: reference === '' ? null : reference,
    tags: [...new Set(named.filter((tag) => tag !== ''))],
    metadata: read.value,
    ...(own.value !== null && { criteria: own.value }),
  });
}

/** Parses criteria from JSON. Null for empty text. Errors contain the path of the invalid value. */
function readCriteria(text: string): Result<CaseCriteria | null> {
  if (text.trim() === '') return succeed(null);
  try {
    const read = caseCriteriaSchema.safeParse(JSON.parse(text));
    if (read.success) return succeed(read.data);
    const [issue] = read.error.issues;
    return fail('invalid', `${[...(issue?.path ?? [])].join('.')} ${issue?.message ?? ''}`.trim(), 'criteria');
  } catch {
    return fail(
      'invalid',
      'Criteria must be a JSON object, such as {"change": {"clarity": {"enabled": false}}}.',
      'criteria',
    );
  }
}

function readMetadata(text: string): Result<Record<string, unknown>> {
  if (text.trim() === '') return succeed({});
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return succeed(value);
  } catch {
    // Said below.
  }
  return fail('invalid', 'Metadata must be a JSON object, such as {"plan": "pro"}.', 'metadata');
}
