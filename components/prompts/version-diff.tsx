'use client';

import { useRouter } from 'next/navigation';
import { address } from '#components/layout/pager.tsx';
import { useDiffBlocks } from '#components/ui/diff/diff-lines.tsx';
import { countChangedWords } from '#components/ui/diff/diff-rows.ts';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { formatCount } from '#lib/format.ts';
import { promptPath } from '#lib/prompts/prompt.ts';

type DiffChoice = { number: number; message: string };
type DiffLayout = 'split' | 'unified';

type VersionDiffProps = {
  name: string;
  versions: readonly DiffChoice[];
  from: { number: number; text: string };
  to: { number: number; text: string };
  layout: DiffLayout;
};

/** Word diff of two versions of a prompt. The versions and the layout are stored in the URL. */
export function VersionDiff({ name, versions, from, to, layout }: VersionDiffProps) {
  const router = useRouter();
  const go = (changes: { from?: number; to?: number; layout?: DiffLayout }) => {
    const next = { from: from.number, to: to.number, layout, ...changes };
    const params = {
      from: String(next.from),
      to: String(next.to),
      layout: next.layout === 'split' ? null : next.layout,
    };
    router.replace(address(`${promptPath(name)}/diff`, params), { scroll: false });
  };
  const words = countChangedWords(useDiffBlocks(from.text, to.text) ?? []);
  return (
    <Pane className="border-b-0" data-testid="version-diff">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <VersionChoice
          label="From version"
          versions={versions}
          value={from.number}
          onChange={(number) => go({ from: number })}
        />
        <VersionChoice
          label="To version"
          versions={versions}
          value={to.number}
          onChange={(number) => go({ to: number })}
        />
        <span className="whitespace-nowrap text-ink-2 text-sm">
          +{formatCount(words.added)} −{formatCount(words.removed)} words
        </span>
        <span className="ml-auto max-narrow:hidden">
          <Segmented
            label="Layout"
            value={layout}
            onChange={(next) => go({ layout: next })}
            choices={[
              { value: 'split', label: 'Split' },
              { value: 'unified', label: 'Unified' },
            ]}
          />
        </span>
      </div>
      <DiffView
        before={from.text}
        after={to.text}
        layout={layout}
        label={`Version ${from.number} against version ${to.number}`}
      />
    </Pane>
  );
}

type VersionChoiceProps = {
  label: string;
  versions: readonly DiffChoice[];
  value: number;
  onChange: (number: number) => void;
};

function VersionChoice({ label, versions, value, onChange }: VersionChoiceProps) {
  return (
    <Select
      className="min-w-0 flex-[1_1_10rem]"
      aria-label={label}
      value={value}
      onValue={(value) => onChange(Number(value))}
    >
      <Options of={versions.map(({ number, message }) => [number, `v${number} ${message.slice(0, 60)}`])} />
    </Select>
  );
}
