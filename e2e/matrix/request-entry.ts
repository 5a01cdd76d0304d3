import type { ListedEntry } from '#lib/auth/entries.test-support.ts';
import { type BuiltAction, callAction } from './call-action.ts';
import type { Caller } from './callers.ts';
import { type Outcome, readOutcome } from './read-outcome.ts';
import type { Ids, Row } from './row.ts';
import { send } from './send.ts';
import { ABSENT, fillPath } from './staged-ids.ts';

/** App under test: its URL, the server actions of its build and the ids of the staged data. */
export type MatrixTarget = { address: string; actions: readonly BuiltAction[]; ids: Ids };

/**
 * Sends a request to an entry as a caller. `for`: `real` uses existing ids and a valid body; `nothing` uses absent ids or an incomplete
 * body, so that an allowed write fails with "not found" or "invalid" and changes nothing.
 */
export async function requestEntry(
  target: MatrixTarget,
  caller: Caller,
  entry: ListedEntry,
  row: Row,
  what: 'real' | 'nothing',
): Promise<Outcome> {
  const ids = what === 'nothing' && entry.writes ? ABSENT : target.ids;
  const { headers } = caller;
  if (entry.path === null) {
    const action = actionOf(target.actions, entry);
    const args = row.args?.(ids) ?? [];
    return readOutcome(entry.kind, await callAction(target.address, action, { args, ids: target.ids, headers }));
  }
  const query = row.query === undefined ? '' : `?${row.query(target.ids)}`;
  const path = fillPath(entry.path, ids) + query;
  const method = entry.kind === 'page' ? 'GET' : entry.exported;
  if (!entry.writes) return readOutcome(entry.kind, await send(target.address, { method, path, headers }));
  const body = JSON.stringify(what === 'real' ? (row.body?.(ids) ?? {}) : {});
  const sent = { ...headers, 'content-type': 'application/json' };
  return readOutcome(entry.kind, await send(target.address, { method, path, headers: sent, body }));
}

function actionOf(actions: readonly BuiltAction[], entry: ListedEntry): BuiltAction {
  const found = actions.find(({ file, exported }) => file === entry.file && exported === entry.exported);
  if (found === undefined) throw new Error(`${entry.name} (${entry.file}) is not in the build, or no page uses it`);
  return found;
}
