import type pg from 'pg';
import { fail, type Result } from '#lib/core/problem.ts';
import { formatMoment } from '#lib/format.ts';
import { lastMove } from './move-label.ts';

/** Somebody else moved a label meanwhile: where it stands now, who did it and when. */
export async function labelConflict(
  client: pg.PoolClient,
  name: string,
  label: string,
  version: number | null,
): Promise<Result<never>> {
  const move = await lastMove(client, name, label);
  const who = move === null ? '' : `, by ${move.movedBy} at ${formatMoment(move.movedAt)}`;
  const place = version === null ? 'it stands at no version' : `it stands at version ${version}`;
  return fail('conflict', `The label ${label} was moved meanwhile: ${place}${who}. Look again, then move it.`);
}
