'use client';

import { useRouter } from 'next/navigation';
import { address } from '#components/layout/pager.tsx';
import { Select } from '#components/ui/field.tsx';

type AgainstPickerProps = {
  path: string;
  kept: Record<string, string | null>;
  versions: readonly number[];
  chosen: number;
};

/** Which older version the settings are held against; the choice stands in the address. */
export function AgainstPicker({ path, kept, versions, chosen }: AgainstPickerProps) {
  const router = useRouter();
  return (
    <Select
      size="small"
      aria-label="Version to compare the settings with"
      value={chosen}
      onChange={(event) => router.push(address(path, { ...kept, against: event.target.value }), { scroll: false })}
    >
      {versions.map((version) => (
        <option key={version} value={version}>
          v{version}
        </option>
      ))}
    </Select>
  );
}
