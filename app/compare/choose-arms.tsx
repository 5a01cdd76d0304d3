import type { CompareState } from '#components/compare/compare-address.ts';
import { ComparePicker } from '#components/compare/compare-picker.tsx';
import { findArm } from '#lib/compare/arm-cases.ts';
import { listComparable } from '#lib/compare/list-comparable.ts';
import { type ArmName, writeArmName } from '#lib/compare/schema.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';

type ChooseArmsProps = { arms: readonly ArmName[]; metric: CompareState['metric']; search: string };

/** Experiments that are offered at once: more are found by name. */
const MOST_OFFERED = 100;

/** What else can be compared with these arms; those that are gone are left out. */
export async function ChooseArms({ arms: names, metric, search }: ChooseArmsProps) {
  const { database } = await getAppContext();
  const found = await Promise.all(names.map((name) => findArm(database, name)));
  const arms = found.filter((arm) => arm !== null);
  const rows = await listComparable(database, { baseline: arms[0] ?? null, search, limit: MOST_OFFERED });
  const taken = new Set(arms.map(writeArmName));
  return (
    <ComparePicker
      rows={rows.map((row) => ({ ...row, name: writeArmName(row) })).filter(({ name }) => !taken.has(name))}
      state={{ arms: arms.map(writeArmName), metric, shown: null }}
      chosen={arms.map(({ experimentName, version }) => `${experimentName} v${version}`)}
      search={search}
    />
  );
}
