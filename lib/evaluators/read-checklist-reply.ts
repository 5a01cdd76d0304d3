import { z } from 'zod';
import { structuredReply } from '#lib/core/structured-reply.ts';
import { withoutThinking } from '#lib/core/without-thinking.ts';
import type { Reading } from './ask-twice.ts';

export type ChecklistAnswer = { yes: boolean; reason: string };

/** The readable answers by the items' numbers, from 1. */
export type ChecklistReading = Reading & { answers: Map<number, ChecklistAnswer>; confidence: number | null };

type Given = { number: number; yes: boolean | null; said: string; reason: string };

const tolerantReply = z.object({
  items: z.array(
    z.object({ number: z.coerce.number(), answer: z.union([z.string(), z.boolean()]), reason: z.string().catch('') }),
  ),
  confidence: z.number().min(0).max(1).nullable().catch(null),
});

/** Reads a structured reply to `count` items. An item answered twice counts where both answers agree. */
export function readStructuredChecklist(text: string, count: number): ChecklistReading {
  const read = structuredReply(text, tolerantReply);
  if (!read.ok) {
    const wrong = [`it could not be read as the JSON asked for: ${read.reason}`];
    return { answers: new Map(), confidence: null, wrong };
  }
  const given = read.value.items.map(({ number, answer, reason }) => ({
    number,
    yes: yesIn(String(answer)),
    said: JSON.stringify(answer).slice(0, 60),
    reason: reason.trim(),
  }));
  return { ...answersOf(given, count), confidence: read.value.confidence };
}

const LONGEST_LINE = 2_000;
const PLAIN_LINE = /^[\s>|*_#-]*(?:item\s+)?(\d{1,3})[*_]*\s*[:.)|-][\s*_|:-]*([^\s*_.,;:|()[\]–—-]{1,20})[*_]*(.*)$/iu;

/** Reads a plain-text reply: a line `number: yes - reason` for each item. Other lines are passed over. */
export function readPlainChecklist(text: string, count: number): ChecklistReading {
  const given = withoutThinking(text)
    .split(/\r\n|\n|\r/)
    .flatMap((whole): Given[] => {
      const line = whole.slice(0, LONGEST_LINE);
      const [, number, answer = '', behind = ''] = PLAIN_LINE.exec(line) ?? [];
      if (number === undefined || Number(number) < 1 || Number(number) > count) return [];
      const reason = behind.replace(/^[\s*_.,;:|()–—-]+/, '').replace(/\*\*|__/g, '');
      return [{ number: Number(number), yes: yesIn(answer), said: JSON.stringify(answer), reason: reason.trim() }];
    });
  return { ...answersOf(given, count), confidence: null };
}

function yesIn(answer: string): boolean | null {
  const said = /^[\s"']*(yes|no|true|false|met|not met|pass|fail)\b/i.exec(answer)?.[1]?.toLowerCase();
  if (said === undefined) return null;
  return said === 'yes' || said === 'true' || said === 'met' || said === 'pass';
}

function answersOf(given: Given[], count: number): Pick<ChecklistReading, 'answers' | 'wrong'> {
  const answers = new Map<number, ChecklistAnswer>();
  const wrong: string[] = [];
  for (let number = 1; number <= count; number++) {
    const ofItem = given.filter((one) => one.number === number);
    const [first] = ofItem;
    if (first === undefined) wrong.push(`item ${number} is missing`);
    else if (first.yes === null) wrong.push(`the answer to item ${number} is ${first.said}, not yes or no`);
    else if (ofItem.some(({ yes }) => yes !== first.yes)) wrong.push(`item ${number} is answered with yes and with no`);
    else answers.set(number, { yes: first.yes, reason: first.reason });
  }
  return { answers, wrong };
}
