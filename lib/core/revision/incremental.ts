import { z } from 'zod';
import { answerForm } from '#lib/core/prompts/sections.ts';
import { structuredResponse } from '#lib/core/responses.ts';
import { quote } from '../prompts/quote.ts';
import { replaceSpans, type Section, type Span, sectionsOf, taggedParts } from './sections-of.ts';
import type { Revised, Strategy } from './strategy.ts';

/** A section that replaces another or is added after it. `section` counts from 1. After 0 means at the start. */
export type SectionChange = { change: 'fix' | 'add_after'; section: number; text: string };

const RULES = `Sections are numbered as in the outline. Name only sections that must change; all others stay as they are. A new section comes behind the
one you name (0 = at the very beginning).`;

const PLAIN_FORM = `Answer with new and changed sections only, one after the other, each in one of these forms:
<add after="3">
the text of the new section
</add>
<fix section="2">
the whole new text of section 2
</fix>
${RULES}`;

const STRUCTURED_FORM = `Answer with one JSON object: "changes" holds one entry for each new or changed section, with "change" ("add_after" for a new section,
"fix" for a changed one), "section" (a number) and "text" (the whole text of the section).
${RULES}`;

const changesResponseSchema = z.object({
  changes: z.array(
    z.object({
      change: z
        .enum(['add_after', 'fix'])
        .describe('add_after = a new section behind the one named; fix = in its place'),
      section: z.number().describe('number of the section in the outline; add_after 0 = at the beginning'),
      text: z.string().describe('the whole text of the section'),
    }),
  ),
});
const tolerantResponse = z.object({
  changes: z.array(z.object({ change: z.enum(['add_after', 'fix']), section: z.coerce.number(), text: z.string() })),
});

/** The model returns sections to add or replace. All others stay byte-identical. */
export const incremental: Strategy & { name: 'incremental' } = {
  name: 'incremental',
  instructions: `You extend a draft. Add missing sections and fix the sections named in the issues. Leave all other sections unchanged.`,
  form: (draft, structured) => [
    quote('outline', outlineOf(draft).join('\n')),
    answerForm(structured ? STRUCTURED_FORM : PLAIN_FORM),
  ],
  output: { name: 'section_changes', schema: changesResponseSchema },
  read(draft, response) {
    const changes = readChanges(response);
    return 'wrong' in changes ? { ok: false, wrong: changes.wrong } : applyChanges(draft, changes.changes);
  },
};

/** Parses the changes of a response in either format: matching JSON, else tags. */
export function readChanges(response: string): { changes: SectionChange[] } | { wrong: string[] } {
  const structured = structuredResponse(response, tolerantResponse);
  if (structured.ok) return structured.value;
  const { parts, isWhole } = taggedParts(response, ['add', 'fix']);
  if (!isWhole) return { wrong: ['the answer breaks off inside a section'] };
  const unnumbered = parts.findIndex(({ number }) => number === null);
  if (unnumbered >= 0) return { wrong: [`change ${unnumbered + 1} names no section`] };
  return {
    changes: parts.map(({ tag, number, text }) => ({
      change: tag === 'fix' ? 'fix' : 'add_after',
      section: number ?? 0,
      text,
    })),
  };
}

/** Applies all changes to the draft, or none if any is invalid, and then returns all problems. */
export function applyChanges(draft: string, changes: SectionChange[]): Revised {
  if (changes.length === 0) return { ok: false, wrong: ['there is no new or changed section in the answer'] };
  const sections = sectionsOf(draft);
  const wrong: string[] = [];
  const spans: Span[] = [];
  const fixed = new Set<number>();
  changes.forEach((change, position) => {
    const fault = faultOf(change, sections, fixed);
    if (fault !== null) wrong.push(`change ${position + 1}: ${fault}`);
    else spans.push(spanOf(draft, sections, change));
    if (change.change === 'fix') fixed.add(change.section);
  });
  if (wrong.length > 0) return { ok: false, wrong };
  const output = replaceSpans(draft, spans);
  return output === draft ? { ok: false, wrong: ['the answer changes nothing'] } : { ok: true, output };
}

function faultOf({ change, section, text }: SectionChange, sections: Section[], fixed: Set<number>): string | null {
  const lowest = change === 'fix' ? 1 : 0;
  if (!Number.isInteger(section) || section < lowest || section > sections.length)
    return `there is no section ${section}: the draft has ${sections.length === 0 ? 'none' : `sections 1 to ${sections.length}`}`;
  if (text.trim() === '') return 'its text is empty';
  return change === 'fix' && fixed.has(section) ? `section ${section} is fixed a second time` : null;
}

function spanOf(draft: string, sections: Section[], { change, section, text }: SectionChange): Span {
  const lineEnd = draft.includes('\r\n') ? '\r\n' : '\n';
  const newText = text
    .replace(/^(?:[^\S\n]*\r?\n)+/, '')
    .trimEnd()
    .replace(/\r?\n/g, lineEnd);
  const named = sections[section - 1];
  if (named === undefined) {
    const start = sections[0]?.start ?? draft.length;
    return { start, end: start, text: sections.length === 0 ? newText : newText + lineEnd + lineEnd };
  }
  return change === 'fix'
    ? { ...named, text: newText }
    : { start: named.end, end: named.end, text: lineEnd + lineEnd + newText };
}

/** Returns one line per section, with its number and its start. */
function outlineOf(draft: string): string[] {
  return sectionsOf(draft).map(({ start, end }, position) => {
    const line = draft
      .slice(start, Math.min(end, start + 400))
      .replace(/\s+/g, ' ')
      .trim();
    return `${position + 1}. ${line.length > 70 ? `${line.slice(0, 69).toWellFormed()}…` : line}`;
  });
}
