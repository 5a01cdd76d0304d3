import { z } from 'zod';

const listSchema = z.union([
  z
    .object({ data: z.array(z.object({ id: z.string() })).nullable() })
    .transform(({ data }) => (data ?? []).map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ''))),
]);

/** The names in a provider's list of its models, in their order and each once: such as a person can read and choose. Null where it is no such list. */
export function readModelList(body: string): string[] | null {
  const parsed = listSchema.safeParse(parse(body));
  if (!parsed.success) return null;
  const names = parsed.data.map((name) => name.replaceAll(UNFIT, '\ufffd').toWellFormed().trim());
  return [...new Set(names.filter((name) => name !== '' && name.length <= LONGEST_NAME))].slice(0, MOST_NAMES);
}

/** Control characters, and those that turn the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a name.
const UNFIT = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;
const LONGEST_NAME = 200;
const MOST_NAMES = 2_000;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
