import { z } from 'zod';

/** What somebody says of a change of settings: 1 to 500 characters; empty or null for nothing. */
export const changeMessageSchema = z
  .string({ error: 'must be a text of at most 500 characters, or null' })
  .trim()
  .max(500, { error: 'must be at most 500 characters' })
  .transform((message) => (message === '' ? null : message))
  .nullable()
  .meta({ description: 'What was changed and why, for people; at most 500 characters.' });
