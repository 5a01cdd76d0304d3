import type { Database } from '#lib/database/database.ts';

/** Returns the same database, but `work` runs before each of its interactive transactions, like a concurrent request. */
export function beforeTransaction(database: Database, work: () => Promise<unknown>): Database {
  const $transaction = async (...args: Parameters<Database['prisma']['$transaction']>) => {
    await work();
    return database.prisma.$transaction(...args);
  };
  const prisma = new Proxy(database.prisma, {
    get: (target, name) => (name === '$transaction' ? $transaction : Reflect.get(target, name)),
  });
  return { ...database, prisma };
}
