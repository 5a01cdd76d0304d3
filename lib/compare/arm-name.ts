import { z } from 'zod';

/** An arm of a comparison: an experiment at one version of its settings; null: the latest version that has ended runs. */
export type ArmName = { experimentId: string; version: number | null };

/** Arms that can be compared at once; the first of them is the baseline where none is named. */
export const FEWEST_ARMS = 2;
export const MOST_ARMS = 5;

const ARM = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:@([1-9]\d{0,6}))?$/i;
const EXPECTED =
  'must be the id of an experiment, with @ and the version of its settings where not the latest is meant';

/** An arm as it is written in addresses: `experimentId` or `experimentId@version`. */
export function readArmName(text: string): ArmName | null {
  const [, experimentId, version] = ARM.exec(text.trim()) ?? [];
  if (experimentId === undefined) return null;
  return { experimentId: experimentId.toLowerCase(), version: version === undefined ? null : Number(version) };
}

/** How an arm is written in addresses. */
export function writeArmName({ experimentId, version }: ArmName): string {
  return version === null ? experimentId : `${experimentId}@${version}`;
}

/** One arm in a query. */
export const armNameSchema = z
  .string({ error: 'must be given once' })
  .max(60, { error: EXPECTED })
  .transform((text, context) => readArmName(text) ?? refuse(context, EXPECTED));

/** Two to five arms in a query, separated by commas, none of them twice. */
export const armNamesSchema = z
  .string({ error: 'must be given once' })
  .max(400, { error: `must be at most ${MOST_ARMS} experiments` })
  .transform((text, context) => {
    const names = text.split(',').filter((part) => part.trim() !== '');
    const read = names.flatMap((name) => readArmName(name) ?? []);
    if (read.length < names.length) return refuse(context, `${EXPECTED}; several are separated by commas`);
    if (read.length < FEWEST_ARMS || read.length > MOST_ARMS)
      return refuse(context, `must be ${FEWEST_ARMS} to ${MOST_ARMS} experiments, separated by commas`);
    if (new Set(read.map(writeArmName)).size < read.length) return refuse(context, 'must not name an experiment twice');
    return read;
  });

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
