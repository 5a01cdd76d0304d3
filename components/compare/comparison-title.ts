import type { ComparisonArm } from '#lib/compare/schema.ts';
import { formatList } from '#lib/format.ts';
import { isOneExperiment } from './arm-labels.ts';

/** What a comparison is called, and the short form for the path: versions of one experiment by number, experiments by name. */
export function comparisonTitle(arms: readonly ComparisonArm[]): { title: string; short: string } {
  const versions = arms.map(({ version }) => `v${version}`);
  const plain = arms.map(({ experimentName }) => experimentName);
  if (isOneExperiment(arms)) {
    const [name = ''] = plain;
    return { title: `${name}: ${formatList(versions)}`, short: `Compare ${versions.join(', ')}` };
  }
  const isTold = new Set(plain).size === plain.length;
  const names = plain.map((name, place) => (isTold ? name : `${name} ${versions[place]}`));
  if (names.length === 2) return { title: `${names[1]} against ${names[0]}`, short: 'Compare two experiments' };
  return { title: `${formatList(names.slice(1))} against ${names[0]}`, short: `Compare ${names.length} experiments` };
}
