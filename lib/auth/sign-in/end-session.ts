import type { Database } from '#lib/database/database.ts';

/** Ends one session, of whoever it is; false where it is not there. With `memberId` only where it is theirs. */
export async function endSession(
  { prisma }: Pick<Database, 'prisma'>,
  sessionId: string,
  memberId?: string,
): Promise<boolean> {
  const { count } = await prisma.session.deleteMany({
    where: { id: sessionId, ...(memberId === undefined ? {} : { userId: memberId }) },
  });
  return count === 1;
}
