import type { History, Version } from './history.ts';
import { isCutOff } from './is-cut-off.ts';
import { roundTo6 } from './round.ts';
import { scoreOf } from './scored-versions.ts';

/**
 * A revision that was cut off and scores no higher than the text it came from: the next one starts from that text again. `fell`
 * is the score difference, 0 or more (0 where one of both is not scored). Null for every other version.
 */
export function truncatedRevision(
  history: History,
  version: Version,
): { parent: number; regressed: { version: number; fell: number } } | null {
  const [parent] = version.parents;
  if (!isCutOff(version) || parent === undefined) return null;
  const before = scoreOf(history, parent);
  const after = scoreOf(history, version.number);
  const fell = before === null || after === null ? 0 : roundTo6(before - after);
  return fell < 0 ? null : { parent, regressed: { version: version.number, fell } };
}
