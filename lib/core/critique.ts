import { z } from 'zod';
import { type OpenIssue, withStatedId } from '#lib/core/issues/open-issues.ts';
import { type Critique, ISSUE_SCOPES } from './history.ts';
import { readForm } from './lesson-form.ts';
import { LESSON_FIELDS, LESSON_LENGTH, lessonText, type ReflectionKind } from './lesson-schema.ts';
import { structuredReply } from './responses.ts';

type ReadCritique = Pick<Critique, 'text' | 'issues' | 'suggestions'>;

/** Accepts what models omit from the requested form. An issue without a scope concerns the whole output. */
const tolerantReply = z.object({
  summary: z.string().default(''),
  issues: z.array(
    z.object({
      text: z.string(),
      criterion: z
        .string()
        .nullish()
        .transform((name) => name ?? null),
      scope: z.enum(ISSUE_SCOPES).catch('whole'),
      sameAs: z.string().nullish().catch(null),
    }),
  ),
  suggestions: z.array(z.string()).default([]),
});

/**
 * Parses a critique. Without the structured form, the prose is kept verbatim, and lines in it such as `- [local] Vague words` also become
 * issues. `shown`: the open issues in its prompt, whose ids it may reference.
 */
export function readCritique(reply: string, structured: boolean, shown: readonly OpenIssue[] = []): ReadCritique {
  const read = structured ? structuredReply(reply, tolerantReply) : null;
  if (read?.ok) {
    const { summary, issues, suggestions } = read.value;
    const named = issues.map(({ sameAs = null, ...issue }) => withStatedId(issue, shown, sameAs));
    return { text: summary, issues: named, suggestions };
  }
  return { text: reply, issues: markedIssues(reply).map((issue) => withStatedId(issue, shown)), suggestions: [] };
}

function markedIssues(text: string): Critique['issues'] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = /^\s*(?:[-*•]|\d{1,3}[.)])\s+\**\[(local|missing|whole)\]\**:?\s+(\S.*)$/i.exec(line.slice(0, 2_000));
    const scope = ISSUE_SCOPES.find((candidate) => candidate === match?.[1]?.toLowerCase());
    return match?.[2] === undefined || scope === undefined ? [] : [{ text: match[2].trim(), criterion: null, scope }];
  });
}

/** A parsed reflection: its fields and the text they form, or the reason why it could not be parsed, as a message for people. */
export type ReadReflection = { ok: true; fields: Record<string, string>; text: string } | { ok: false; reason: string };

const anyObject = z.record(z.string(), z.unknown());

/** Parses a reflection of a kind from a model's reply. */
export function readReflection(kind: ReflectionKind, reply: string): ReadReflection {
  const schema = anyObject.refine((given) => readForm(kind, given) !== null, {
    error: `lacks ${LESSON_FIELDS[kind]
      .filter(({ required }) => required)
      .map(({ name }) => name)
      .join(', ')}`,
  });
  const read = structuredReply(reply, schema);
  if (!read.ok) return read;
  const fields = readForm(kind, read.value) ?? {};
  return { ok: true, fields, text: lessonText(kind, fields).slice(0, LESSON_LENGTH).toWellFormed() };
}
