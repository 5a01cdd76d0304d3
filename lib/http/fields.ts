import { z } from 'zod';
import { component } from './define-route.ts';

/** Fields that many responses have. */
export const id = z.guid();
export const time = z.iso.datetime();
export const count = z.int().min(0);
export const scores = z.array(z.number().nullable());

/** A page of a list, as every list of the API answers it. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** How many records of each kind a deletion removed. */
export const deletedSchema = component('Deleted', z.object({ deleted: z.record(z.string(), count) }));

/** What every refusal answers. */
export const errorSchema = component(
  'Error',
  z.object({
    error: z.object({ code: z.string(), message: z.string(), field: z.string().optional(), id: z.string().optional() }),
  }),
);

/** The query of a route that deletes a `thing` which `users` may still use. */
export function evenInUseQuery(thing: string, users: string) {
  return z.strictObject({
    evenInUse: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((text) => text === 'true')
      .meta({
        description: `Delete the ${thing} even if ${users} use it. Without it, the request fails and the response lists them.`,
      }),
  });
}
