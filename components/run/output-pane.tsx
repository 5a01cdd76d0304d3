'use client';

import { ArrowDown, ArrowRight, ArrowUp, Columns2, type LucideIcon, Pilcrow, Rows2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ComponentProps, useSyncExternalStore } from 'react';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { AnswerText } from '#components/answer/answer-text.tsx';
import { TraceText } from '#components/answer/trace-text.tsx';
import { CaseInput, CaseReference } from '#components/case/case-input.tsx';
import { type Button, IconButton } from '#components/ui/button.tsx';
import { useDiffBlocks } from '#components/ui/diff/diff-lines.tsx';
import { countChangedWords, countChanges } from '#components/ui/diff/diff-rows.ts';
import { DiffView } from '#components/ui/diff/lazy-diff-view.tsx';
import { Select } from '#components/ui/field.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { OutputText } from '#components/ui/output-text.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import type { ShortcutId } from '#components/ui/shortcut-keys.ts';
import { useShortcuts, useShownKeys } from '#components/ui/use-shortcuts.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { TargetResult } from '#lib/core/targets/target-response.ts';
import { isShownToJudge } from '#lib/evaluators/uses-reference.ts';
import { formatCount, formatScore } from '#lib/format.ts';
import { cutOffOf, cutOffSentence } from './agents/agent-labels.ts';
import { cutOffLabel, interruptedLabel } from './evaluation-labels.ts';
import { comparedWith, isEnded, parentOf } from './run-versions.ts';
import { type RunPageState, toChangeSelection } from './use-run-page-state.ts';

type OutputPaneProps = { record: RunRecord; version: VersionRecord; state: RunPageState; canTake: boolean };

/** Shows the output of the chosen version: as text, rendered, or as a diff against its parent or any other version. */
export function OutputPane({ record, version, state, canTake: isAsked }: OutputPaneProps) {
  const { may } = useRoleAccess('reviewer');
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
              onValue={(value) => state.setAgainst(Number(value))}
            >
              <Options
                of={others.map(({ number }) => [
                  number,
                  `v${number}${number === parent ? (version.origin === 'retried' ? ' (before)' : ' (parent)') : ''}${number === record.bestVersion ? ' (best)' : ''}`,
                ])}
              />
            </Select>
            <ArrowRight />
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
          taking={canTake ? toChangeSelection(state) : null}
        />
      ) : view === 'rendered' && version.output.trim() !== '' ? (
        <RenderedOutput text={version.output} />
      ) : (
        <VersionText version={version} />
      )}
      <VersionNotes version={version} hasEnded={isEnded(record)} />
    </Pane>
  );
}

/** Rendered only in the browser, so that stored text never costs the server any work. */
const RenderedOutput = dynamic(
  () => loadOrRetry(() => import('./rendered-output.tsx').then((room) => room.RenderedOutput)),
  {
    ssr: false,
    loading: () => <p className="animate-appear text-ink-2">Loading</p>,
  },
);

function VersionText({ version }: { version: VersionRecord }) {
  if (version.outputDropped)
    return (
      <p className="text-ink-2">
        This text was not kept when the run ended. The experiment only keeps the first, best, final and accepted
        versions. All scores are kept.
      </p>
    );
  if (version.output.trim() === '') return <p className="text-ink-2">The model returned an empty response.</p>;
  return (
    <div data-testid="output">
      <AnswerText text={version.output} plain={(text) => <OutputText>{text}</OutputText>} />
    </div>
  );
}

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'rendered', label: 'Rendered' },
  { value: 'diff', label: 'Diff' },
] as const;

const LAYOUTS = [
  { value: 'split', label: <Columns2 />, name: 'Split' },
  { value: 'unified', label: <Rows2 />, name: 'Unified' },
] as const;

type DiffToolsProps = { before: string; after: string; state: RunPageState; canTake: boolean };

/** Diff toolbar: number of changes, navigation between them, taking or leaving a change, and showing white space. */
function DiffTools({ before, after, state, canTake }: DiffToolsProps) {
  const blocks = useDiffBlocks(before, after) ?? [];
  const changes = countChanges(blocks);
  const words = countChangedWords(blocks);
  const current = state.change === null ? 0 : Math.min(state.change, changes);
  const next = () => state.setChange(current >= changes ? 1 : current + 1);
  const previous = () => state.setChange(current <= 1 ? changes : current - 1);
  const toggleSpace = () => state.setSpace(state.space === 'shown' ? 'plain' : 'shown');
  const { isTaken, set } = toChangeSelection(state);
  const toggleTaken = () => set(current, !isTaken(current));
  useShortcuts({
    'diff.next': changes > 0 ? next : null,
    'diff.previous': changes > 0 ? previous : null,
    'decide.take': canTake && current > 0 ? toggleTaken : null,
    'diff.space': toggleSpace,
  });
  return (
    <>
      <span className="whitespace-nowrap text-ink-3 text-sm">
        +{formatCount(words.added)} −{formatCount(words.removed)} words
      </span>
      <span className="ml-auto flex items-center gap-1">
        <Tool
          name="Show white space"
          shortcut="diff.space"
          icon={Pilcrow}
          onClick={toggleSpace}
          aria-pressed={state.space === 'shown'}
        />
        <Tool
          name="Change before"
          shortcut="diff.previous"
          icon={ArrowUp}
          onClick={previous}
          disabled={changes === 0}
        />
        <Tool name="Next change" shortcut="diff.next" icon={ArrowDown} onClick={next} disabled={changes === 0} />
      </span>
    </>
  );
}

type ToolProps = Omit<ComponentProps<typeof Button>, 'name'> & { name: string; shortcut: ShortcutId; icon: LucideIcon };

function Tool({ name, shortcut, icon: Icon, ...props }: ToolProps) {
  const keys = useShownKeys(shortcut);
  return (
    <IconButton icon={Icon} label={name} title={keys.length === 0 ? name : `${name} (${keys.join(', ')})`} {...props} />
  );
}

/** Shows notes on how a version was made: it was truncated, or made differently from the settings. */
function VersionNotes({ version, hasEnded }: { version: VersionRecord; hasEnded: boolean }) {
  const cutOff = cutOffOf(version);
  return (
    <>
      {cutOff === null ? null : (
        <Notice tone="worse" title="Cut off." className="mt-2">
          {cutOffSentence(cutOff)} {interruptedLabel(version, hasEnded)}
        </Notice>
      )}
      {version.cutOff ? (
        <Notice tone="worse" title="Cut off." className="mt-2">
          {cutOffLabel(version, hasEnded)}
        </Notice>
      ) : null}
      {version.strategyNote === null ? null : (
        <Notice title="Revision details." className="mt-2">
          {version.strategyNote}
        </Notice>
      )}
      {version.target === undefined ? null : <TargetResultDetails result={version.target} />}
    </>
  );
}

/** Shows the score, feedback and trace that a target sent with its output. */
function TargetResultDetails({ result: { score, feedback, trace } }: { result: TargetResult }) {
  if (score === null && feedback === '' && trace === '') return null;
  return (
    <div className="mt-3 flex flex-col gap-2 text-sm">
      {score === null ? null : <p>The target scored it {formatScore(score)}.</p>}
      {feedback === '' ? null : <p className="wrap-anywhere text-ink-2">{feedback}</p>}
      {trace === '' ? null : (
        <details>
          <summary className="cursor-pointer text-ink-2">Trace of the target</summary>
          <TraceText trace={trace} />
        </details>
      )}
    </div>
  );
}

/** Shows the task of the run and its reference. */
export function TaskPane({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const isJudged = settings.criteria.some((criterion) => isShownToJudge(criterion, settings.prompts.evaluate));
  return (
    <Pane className="min-w-0 max-medium:order-7">
      <PaneHeader title="Task" />
      {settings.generator.instructions ? (
        <Quote className="wrap-anywhere mb-2 whitespace-pre-wrap">{settings.generator.instructions}</Quote>
      ) : null}
      <CaseInput
        input={record.case.input}
        messages={record.case.messages}
        className="max-h-80 overflow-y-auto"
        testId="task"
      />
      <CaseReference
        reference={record.case.reference}
        label={`Reference answer, ${isJudged ? 'shown to judges only' : 'never shown to models'}`}
        className="mt-2"
      />
    </Pane>
  );
}

const WIDE = '(min-width: 761px)';

/** Returns true if the viewport fits two text columns. True on the server. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(WIDE).matches,
    () => true,
  );
}
