import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/core/problem.ts';

/** Draws all pages anew once something was stored, and returns `result` for the form that asked for it. */
export function refreshPages<Value>(result: Result<Value>): Result<Value> {
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
