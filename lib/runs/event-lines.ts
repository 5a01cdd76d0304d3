import { z } from 'zod';
import { RUN_EVENTS, type RunEvent } from './run-events.ts';
import { expandWord, readLines, shortenWord, writeLine } from './stored-lines.ts';

/** `at`: time when the event was saved. */
export type StoredEvent = { number: number; type: string; data: unknown; at: Date };

/** The fields of a type of events, in the order of their stored values. Texts may be stored as the index of a frequent word. */
type Layout = { type: string; code: number; fields: { name: string; isText: boolean }[] };

const layouts: Layout[] = Object.entries(RUN_EVENTS).map(([type, { code, data }]) => {
  const fields = Object.entries<z.core.$ZodType>(data.shape);
  return { type, code, fields: fields.map(([name, field]) => ({ name, isText: !isNumber(field) })) };
});
const byType = new Map(layouts.map((layout) => [layout.type, layout]));
const byCode = new Map<unknown, Layout>(layouts.map((layout) => [layout.code, layout]));

function isNumber(type: z.core.$ZodType): boolean {
  return type instanceof z.ZodNullable ? isNumber(type.def.innerType) : type instanceof z.ZodNumber;
}

function layoutOf<Key>(from: ReadonlyMap<Key, Layout>, key: Key): Layout {
  const layout = from.get(key);
  if (layout === undefined) throw new Error(`there are no events of type ${key}`);
  return layout;
}

/** Returns the events of one save as a stored line: the number of the first, and the code and the values of each. Empty if there are none. */
export function writeEventLine(events: readonly RunEvent[], firstNumber: number, at: Date): string {
  if (events.length === 0) return '';
  const values: unknown[] = [firstNumber];
  for (const { type, data } of events) {
    const { code, fields } = layoutOf(byType, type);
    const record: Record<string, unknown> = data;
    values.push(code);
    for (const { name } of fields) values.push(shortenWord(record[name]));
  }
  return writeLine(at.getTime(), values);
}

/** Parses lines of events. */
export function readEventLines(lines: string): StoredEvent[] {
  return readLines(lines).flatMap(({ ms, values: [first, ...values] }) => {
    const at = new Date(ms);
    const events: StoredEvent[] = [];
    let place = 0;
    while (place < values.length) {
      const { type, fields } = layoutOf(byCode, values[place]);
      const own = values.slice(place + 1, place + 1 + fields.length);
      const data = fields.map(({ name, isText }, index) => [name, isText ? expandWord(own[index]) : own[index]]);
      events.push({ number: Number(first) + events.length, type, data: Object.fromEntries(data), at });
      place += 1 + fields.length;
    }
    return events;
  });
}
