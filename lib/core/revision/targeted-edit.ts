import { z } from 'zod';
import { answerForm } from '#lib/core/prompts/sections.ts';
import { structuredResponse } from '#lib/core/responses.ts';
import { replaceSpans, type Span, taggedParts } from './sections-of.ts';
import type { Revised, Strategy } from './strategy.ts';

/** A text to find in the draft, and its replacement. `occurrence` counts from 1. Null means that it is unique. */
export type TextEdit = { find: string; replace: string; occurrence: number | null };

const RULES = `Copy the text to find letter by letter from the draft, long enough that it stands there only once; where it stands there more often, give
the number of the occurrence you mean, counted from 1. Edits must not overlap. All other text stays as it is.`;

const PLAIN_FORM = `Answer with edits only, one after the other, each in this form:
<find>
the exact text of the draft
</find>
<replace>
the text that replaces it
</replace>
${RULES} To name an occurrence, write <find occurrence="2">. To add text, find the text before it and repeat that in the replacement.`;

const STRUCTURED_FORM = `Answer with one JSON object: "edits" holds one entry for each edit, with "find" (the exact text of the draft), "replace" (the
text that replaces it) and "occurrence" (null, or the number meant).
${RULES} To add text, find the text before it and repeat that in the replacement.`;

const editsResponseSchema = z.object({
  edits: z.array(
    z.object({
      find: z.string().describe('text of the draft, letter by letter'),
      replace: z.string().describe('the text that replaces it'),
      occurrence: z
        .number()
        .nullable()
        .describe('which one is meant where it occurs more than once, from 1; else null'),
    }),
  ),
});
const tolerantResponse = z.object({
  edits: z.array(
    z.object({
      find: z.string(),
      replace: z.string(),
      occurrence: z
        .int()
        .min(1)
        .nullish()
        .transform((value) => value ?? null),
    }),
  ),
});

/** The model returns texts of the draft to find and replace. All other text stays byte-identical. */
export const targetedEdit: Strategy & { name: 'targeted_edit' } = {
  name: 'targeted_edit',
  instructions: `You revise a draft by edits. Fix every named issue with the smallest possible edit, and change nothing else.`,
  form: (_draft, structured) => [answerForm(structured ? STRUCTURED_FORM : PLAIN_FORM)],
  output: { name: 'edits', schema: editsResponseSchema },
  read(draft, response) {
    const edits = readEdits(response);
    return 'wrong' in edits ? { ok: false, wrong: edits.wrong } : applyEdits(draft, edits.edits);
  },
};

/** Parses the edits of a response in either format: matching JSON, else tags. */
export function readEdits(response: string): { edits: TextEdit[] } | { wrong: string[] } {
  const structured = structuredResponse(response, tolerantResponse);
  if (structured.ok) return structured.value;
  const { parts, isWhole } = taggedParts(response, ['find', 'replace']);
  if (!isWhole) return { wrong: ['the answer breaks off inside an edit'] };
  if (parts.length === 0) return { wrong: ['there is no edit in the answer'] };
  const edits: TextEdit[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [find, replace] = parts.slice(at, at + 2);
    if (find?.tag !== 'find' || replace?.tag !== 'replace')
      return { wrong: [`edit ${at / 2 + 1} is not a text to find followed by its replacement`] };
    edits.push({ find: find.text, replace: replace.text, occurrence: find.number });
  }
  return { edits };
}

/**
 * Applies all edits to the draft, or none if any is invalid, and then returns all problems. Each text is searched in the original draft,
 * not in the results of other edits.
 */
export function applyEdits(draft: string, edits: TextEdit[]): Revised {
  if (edits.length === 0) return { ok: false, wrong: ['there is no edit in the answer'] };
  if (edits.length > MAX_EDITS)
    return { ok: false, wrong: [`there are ${edits.length} edits, more than the ${MAX_EDITS} that are looked at`] };
  const wrong: string[] = [];
  const spans: (Span & { edit: number })[] = [];
  edits.forEach((edit, position) => {
    const span = findSpan(draft, inLineEndsOf(draft, edit));
    if (typeof span === 'string') wrong.push(`edit ${position + 1}: ${span}`);
    else spans.push({ ...span, edit: position + 1 });
  });
  const inOrder = spans.toSorted((one, other) => one.start - other.start);
  inOrder.forEach((span, at) => {
    const before = inOrder[at - 1];
    if (before !== undefined && span.start < before.end)
      wrong.push(`edits ${Math.min(before.edit, span.edit)} and ${Math.max(before.edit, span.edit)} overlap`);
  });
  if (wrong.length > 0) return { ok: false, wrong };
  const output = replaceSpans(draft, spans);
  if (output.trim() === '') return { ok: false, wrong: ['the edits leave nothing of the text'] };
  return output === draft ? { ok: false, wrong: ['the edits change nothing'] } : { ok: true, output };
}

/** Limits the time to search a long draft. */
const MAX_EDITS = 200;

/** Returns the position of an edit, or the reason why it does not apply. */
function findSpan(draft: string, { find, replace, occurrence }: TextEdit): Span | string {
  if (find === '') return 'it names no text to find';
  const starts = occurrencesOf(draft, find);
  const [only] = starts;
  if (only === undefined) {
    const spaced = plainSpaces(draft).includes(plainSpaces(find));
    return `"${shortened(find)}" is not in the draft${spaced ? ' with these spaces and line breaks' : ''}`;
  }
  if (occurrence === null && starts.length > 1)
    return `"${shortened(find)}" occurs ${starts.length} times in the draft: find a longer text or name the occurrence`;
  const start = occurrence === null ? only : starts[occurrence - 1];
  if (start === undefined)
    return `there is no occurrence ${occurrence} of "${shortened(find)}": it occurs ${starts.length} times in the draft`;
  return { start, end: start + find.length, text: replace };
}

function occurrencesOf(draft: string, find: string): number[] {
  const starts: number[] = [];
  for (let at = draft.indexOf(find); at >= 0; at = draft.indexOf(find, at + 1)) starts.push(at);
  return starts;
}

/** Models answer with LF line endings, which are converted for a draft with CRLF. */
function inLineEndsOf(draft: string, edit: TextEdit): TextEdit {
  if (!draft.includes('\r\n') || draft.includes(edit.find)) return edit;
  const converted = (text: string) => text.replace(/\r?\n/g, '\r\n');
  return { ...edit, find: converted(edit.find), replace: converted(edit.replace) };
}

function plainSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shortened(text: string): string {
  const line = plainSpaces(text);
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
}
