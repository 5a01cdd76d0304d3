import type { VersionRecord } from '#lib/core/run-record.ts';
import { formatList } from '#lib/format.ts';

/** Describes the origin of a version: `full rewrite of v2`, `attempt 3`, `first draft`. */
export function originLabel(version: VersionRecord): string {
  const parent = version.parents[0];
  switch (version.origin) {
    case 'generated':
      return version.iteration === 0 ? 'first draft' : 'new draft';
    case 'retried':
      return `attempt ${version.iteration + 1}`;
    case 'revised': {
      const strategy = version.strategy?.replaceAll('_', ' ') ?? 'revision';
      return parent === undefined || parent === version.number - 1 ? strategy : `${strategy} of v${parent}`;
    }
    case 'given':
      return 'the prompt as given';
    case 'branched':
      return 'branched';
    case 'edited':
      return parent === undefined ? 'edited by a person' : `edited from v${parent}`;
    case 'merged':
      if (version.proposal?.combined !== undefined) return `combined from ${versionNames(version.proposal.combined)}`;
      return version.parents.length > 0 ? `merged from ${versionNames(version.parents)}` : 'merged';
  }
}

/** Returns `v3`, `v3 and v4`, or `v3, v4 and v5`. */
export function versionNames(numbers: readonly number[]): string {
  return formatList(numbers.map((number) => `v${number}`));
}
