import { z } from 'zod';
import { component } from './define-route.ts';
import { queryFlag } from './parameters.ts';

/** Fields shared by many responses. */
export const id = z.guid();
export const time = z.iso.datetime();
export const count = z.int().min(0);
export const scores = z.array(z.number().nullable());

/** Returns the schema of a page of a list, used by every list of the API. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Number of deleted records of each kind. */
export const deletedSchema = component('Deleted', z.object({ deleted: z.record(z.string(), count) }));

/** Body of every error response. */
export const errorSchema = component(
  'Error',
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      field: z.string().optional(),
      problems: z
        .array(z.object({ message: z.string(), field: z.string().nullable() }))
        .optional()
        .meta({ description: 'All problems, if there is more than one. The first is also in `message` and `field`.' }),
      id: z.string().optional(),
    }),
  }),
);

/** Returns the query schema of a route that deletes a `thing` which `users` may still use. */
export function forceDeleteQuery(noun: string, users: string) {
  return z.strictObject({
    evenInUse: queryFlag.meta({
      description: `Delete the ${noun} even if ${users} use it. Without it, the request fails and the response lists them.`,
    }),
  });
}
