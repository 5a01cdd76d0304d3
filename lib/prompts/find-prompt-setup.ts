import type { Database } from '#lib/database/database.ts';
import { type PromptSetup, promptSetupSchema } from './prompt-library.ts';

/** What a prompt is tried with; null where there is no such prompt. */
export async function findPromptSetup({ prisma }: Pick<Database, 'prisma'>, name: string): Promise<PromptSetup | null> {
  const row = await prisma.prompt.findUnique({ where: { name }, select: { setup: true } });
  return row === null ? null : promptSetupSchema.parse(row.setup);
}
