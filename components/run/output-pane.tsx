'use client';

import { ArrowRight, Columns2, Rows2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import { useMay } from '#components/access/role-provider.tsx';
import { Select } from '#components/ui/field.tsx';
import { highlightLines, isJson } from '#components/ui/highlight-lines.ts';
import { OutputText } from '#components/ui/output-text.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { takingOf } from './chosen-changes.ts';
import { CodeText } from './code-text.tsx';
import { DiffTools } from './diff-tools.tsx';
import { DiffView } from './diff-view.tsx';
import { comparedWith, parentOf } from './run-versions.ts';
import { useIsWide } from './use-is-wide.ts';
import type { RunPageState } from './use-run-page-state.ts';
import { VersionNotes } from './version-notes.tsx';

type OutputPaneProps = { record: RunRecord; version: VersionRecord; state: RunPageState; canTake: boolean };

/** The output of the chosen version: as text, rendered, or against its parent or any other version. */
export function OutputPane({ record, version, state, canTake: isAsked }: OutputPaneProps) {
  const { may } = useMay('reviewer');
  const canTake = isAsked && may;
  const isWide = useIsWide();
  const parent = parentOf(version);
  const { others, against } = comparedWith(record, version, state.against);
  const view = against === undefined && state.view === 'diff' ? 'text' : state.view;
  return (
    <Pane className="max-medium:order-2" aria-label={`Output of version ${version.number}`}>
      <PaneHeader>
        <Segmented
          label="View"
          value={view}
          onChange={state.setView}
          choices={against === undefined ? VIEWS.filter(({ value }) => value !== 'diff') : VIEWS}
        />
        {view === 'diff' && against ? (
          <span className="flex items-center gap-2">
            <Select
              size="small"
              aria-label={`Compare version ${version.number} with`}
              value={against.number}
              onChange={(event) => state.setAgainst(Number(event.target.value))}
            >
              {others.map(({ number }) => (
                <option key={number} value={number}>
                  v{number}
                  {number === parent ? (version.origin === 'retried' ? ' (before)' : ' (parent)') : ''}
                  {number === record.bestVersion ? ' (best)' : ''}
                </option>
              ))}
            </Select>
            <ArrowRight className="size-3.25" aria-hidden />
            <b>v{version.number}</b>
          </span>
        ) : (
          <b>v{version.number}</b>
        )}
        {view === 'diff' && against ? (
          <>
            <DiffTools before={against.output} after={version.output} state={state} canTake={canTake} />
            <span className="max-narrow:hidden">
              <Segmented label="Layout" value={state.layout} onChange={state.setLayout} choices={LAYOUTS} />
            </span>
          </>
        ) : null}
      </PaneHeader>
      {view === 'diff' && against ? (
        <DiffView
          before={against.output}
          after={version.output}
          layout={isWide ? state.layout : 'unified'}
          label={`Changes from version ${against.number} to version ${version.number}`}
          showSpace={state.space === 'shown'}
          current={state.change}
          taking={canTake ? takingOf(state) : null}
        />
      ) : view === 'rendered' && version.output.trim() !== '' ? (
        <RenderedOutput text={version.output} />
      ) : (
        <VersionText version={version} />
      )}
      <VersionNotes version={version} />
    </Pane>
  );
}

/** In the browser alone: no stored text costs the server any work. */
const RenderedOutput = dynamic(() => import('./rendered-output.tsx').then((room) => room.RenderedOutput), {
  ssr: false,
  loading: () => <p className="animate-appear text-ink-2">Loading</p>,
});

function VersionText({ version }: { version: VersionRecord }) {
  const json = useMemo(() => (isJson(version.output) ? highlightLines(version.output) : null), [version.output]);
  if (version.outputDropped)
    return (
      <p className="text-ink-2">
        This text was not kept when the run ended: the experiment preserves only the first, the best, the final and
        accepted versions. Its scores are all here.
      </p>
    );
  if (version.output.trim() === '') return <p className="text-ink-2">The model answered with nothing.</p>;
  return json ? (
    <div data-testid="output">
      <CodeText lines={json} />
    </div>
  ) : (
    <OutputText data-testid="output">{version.output}</OutputText>
  );
}

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'rendered', label: 'Rendered' },
  { value: 'diff', label: 'Diff' },
] as const;

const LAYOUTS = [
  { value: 'split', label: <Columns2 className="size-3.25" aria-hidden />, name: 'Split' },
  { value: 'unified', label: <Rows2 className="size-3.25" aria-hidden />, name: 'Unified' },
] as const;
