'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { address } from '#components/layout/pager.tsx';
import { Select } from '#components/ui/field.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Options } from '#components/ui/options.tsx';

/** Changed settings of a version. Loaded only for experiments with several versions, because comparing texts takes much code. */
export const LazySettingsDiff = dynamic(() =>
  loadOrRetry(() => import('./settings-diff.tsx').then((file) => file.SettingsDiff)),
);

type AgainstPickerProps = {
  path: string;
  linkParams: Record<string, string | null>;
  versions: readonly number[];
  chosen: number;
};

/** Selects the older version to compare the settings with. The choice is stored in the URL. */
export function AgainstPicker({ path, linkParams, versions, chosen }: AgainstPickerProps) {
  const router = useRouter();
  return (
    <Select
      size="small"
      aria-label="Version to compare the settings with"
      value={chosen}
      onValue={(value) => router.push(address(path, { ...linkParams, against: value }), { scroll: false })}
    >
      <Options of={versions.map((version) => [version, `v${version}`])} />
    </Select>
  );
}
