import { z } from 'zod';
import { visibleName } from '#lib/core/visible-name.ts';
import { cleanText } from '#lib/database/clean-text.ts';
import { PASSWORD_LENGTH } from './sign-in/password-length.ts';

/** Names that decisions and lessons stand under already, or that a program's would look like. */
const KEPT_NAMES = ['you', 'local owner', 'local', 'system', 'practice', 'policy', 'hone'];

/** A member's name as it is stored: 1 to 80 characters, white space and invisible characters tidied, none that stands for somebody else. */
export const memberName = z
  .string({ error: 'must be a text' })
  .max(1000, { error: 'must be at most 80 characters' })
  .transform((text) =>
    visibleName(cleanText(text).normalize('NFKC'))
      .replace(/[\p{Cc}\p{Cn}\p{Co}\s]+/gu, ' ')
      .trim(),
  )
  .pipe(
    z
      .string()
      .min(1, { error: 'must be given' })
      .max(80, { error: 'must be at most 80 characters' })
      .refine((name) => !KEPT_NAMES.includes(name.toLowerCase()) && !/\(API token\)$/i.test(name), {
        error: 'is a name that Hone keeps for something else: choose another one',
      }),
  );

/** An e-mail address as it is stored, in lower case: what one signs in with. Nothing is sent to it. */
export const memberEmail = z
  .string({ error: 'must be a text' })
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email({ error: 'must be an e-mail address' }).max(254, { error: 'must be at most 254 characters' }));

export const newPassword = z
  .string({ error: 'must be a text' })
  .min(PASSWORD_LENGTH.least, { error: `must be at least ${PASSWORD_LENGTH.least} characters` })
  .max(PASSWORD_LENGTH.most, { error: `must be at most ${PASSWORD_LENGTH.most} characters` })
  .refine((password) => new Set(password).size >= 4, { error: 'must not be a few letters over and over' });

/** Whether two names would be taken for one another. */
export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}
