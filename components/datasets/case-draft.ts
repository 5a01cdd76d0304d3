import { sentInput } from '#components/case/typed-input.ts';
import { type Case, type CaseCriteria, caseCriteriaSchema } from '#lib/core/case.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Form values of a case. */
export type CaseDraft = {
  input: string;
  /** Replaces the text if the input is a conversation. */
  messages: ChatMessage[] | null;
  reference: string;
  tags: string;
  /** Tags of the stored case. They may contain commas. */
  storedTags: readonly string[];
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
    storedTags: of?.tags ?? [],
    metadata: of === null || Object.keys(of.metadata).length === 0 ? '' : JSON.stringify(of.metadata, null, 2),
    criteria: of?.criteria ? JSON.stringify(of.criteria, null, 2) : '',
  };
}

type SentCase = Omit<Case, 'input' | 'messages'> & { input: string | ChatMessage[] };

/** Parses a case from form values. Errors name the invalid field. An empty reference means none. */
export function readCaseDraft(draft: CaseDraft): Result<SentCase> {
  const { input, messages, reference, metadata, criteria } = draft;
  const sent = sentInput({ input, messages });
  if (sent === '') return fail('invalid', 'The input must not be empty.', 'input');
  const read = readMetadata(metadata);
  if (!read.ok) return read;
  const own = readCriteria(criteria);
  if (!own.ok) return own;
  return succeed({
    input: sent,
    reference: reference === '' ? null : reference,
    tags: readTags(draft),
    metadata: read.value,
    ...(own.value !== null && { criteria: own.value }),
  });
}

/** Splits the tags at commas, but not inside of stored tags. Drops empty and repeated ones. */
function readTags({ tags, storedTags }: CaseDraft): string[] {
  // Tags with commas can be ambiguous. Other edits of the case must not change them.
  if (tags === storedTags.join(', ')) return [...storedTags];
  const parts = tags.split(',');
  const longestFirst = storedTags.toSorted((one, other) => other.length - one.length);
  const named = new Set<string>();
  for (let at = 0; at < parts.length; ) {
    const textOf = (tag: string) => parts.slice(at, at + tag.split(',').length).join(',');
    const tag = longestFirst.find((one) => textOf(one).trim() === one) ?? parts[at]?.trim() ?? '';
    if (tag !== '') named.add(tag);
    at += tag.split(',').length;
  }
  return [...named];
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
  const value = parseJson(text);
  if (isRecord(value)) return succeed(value);
  return fail('invalid', 'Metadata must be a JSON object, such as {"plan": "pro"}.', 'metadata');
}
