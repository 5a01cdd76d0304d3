'use client';

import { ExternalLink, Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { typedText } from '#components/case/typed-input.ts';
import { RunEstimate } from '#components/estimate/run-estimate.tsx';
import { ActionBar, ActionBarButtons } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorLine, ErrorSummary, FormErrors } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { type Problem, problemsOf } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { FormPart } from '#lib/runs/edit-form-path.ts';
import { AnswerPreview } from './answer-preview.tsx';
import { suggestedName } from './first-prompt.ts';
import { FormSections } from './form-sections.tsx';
import { type FormSettings, fromFormSettings } from './form-settings.ts';
import { noPreviewLabel, previewNote, previewRequest, toFormProblem } from './preview-request.ts';
import { RequiredFields } from './required-fields.tsx';
import type { PreviewScoring } from './scoring-effect.tsx';
import { type FormChoices, SettingsFormProvider, useSettingsForm } from './setting-fields.tsx';
import { type Cases, estimatedCases, runLabel, useCases } from './use-cases.ts';
import {
  type RunExperiment,
  type SavedExperiment,
  useExperimentSettings,
  useExperimentSubmit,
} from './use-experiment-form.ts';

type ExperimentFormProps = {
  choices: FormChoices;
  initial: FormSettings;
  /** Dataset requested in the URL. */
  datasetId?: string | null;
  openPart?: FormPart | null;
  /** Runs a new experiment. Omitted when an existing one is edited. */
  run?: RunExperiment;
  /** Experiment that is edited; no templates are offered. Null for a new one. */
  saved: SavedExperiment | null;
  /** Source of the duplicate. The user changes its name and the settings to compare. */
  parent?: { parentId: string; parentVersion: number };
  /** Recomputes stored scores with edited weights and thresholds. Only for an existing experiment. */
  previewScoring?: PreviewScoring;
};

/**
 * Form of an experiment on one page. Required fields are visible; all others are collapsed with a summary. All errors are shown at once,
 * each below its field.
 */
export function ExperimentForm(props: ExperimentFormProps) {
  const { choices, initial, datasetId = null, openPart = null, run, saved, parent } = props;
  const { datasets } = choices;
  const isTuned = initial.mode === 'tune' && datasets.length > 0;
  const isOffered = datasets.some(({ id }) => id === datasetId);
  const cases = useCases({
    datasets,
    datasetId: isOffered ? datasetId : null,
    source: isOffered || isTuned ? 'dataset' : 'text',
    target: initial.generator.target?.name ?? null,
  });
  const draft = useExperimentSettings(initial, cases, datasets);
  const { settings, set } = draft;
  const [tunedDataset, setTunedDataset] = useState(datasetId ?? datasets[0]?.id ?? null);
  const runs = run === undefined ? null : cases;
  const chosenDataset = runs === null ? tunedDataset : datasetOf(runs);
  const tuningDataset = settings.mode === 'tune' ? chosenDataset : null;
  const [message, setMessage] = useState('');
  const name = settings.name.trim() || suggestedName(settings, cases.source === 'text' ? typedText(cases) : '');
  const submission = useExperimentSubmit({
    run,
    saved,
    experiment: () => ({
      ...fromFormSettings(runs === null ? settings : { ...settings, name }),
      ...parent,
      message,
    }),
    name,
    cases,
    tunedDataset: tuningDataset,
  });
  const isNew = saved === null && !parent;
  const { problem, setProblem } = submission;
  const problems = problemsOf(problem);
  const form = useRef<HTMLFormElement>(null);
  useModEnter(() => form.current?.requestSubmit());
  useRefreshOnReturn();
  useScrollToPart(openPart);

  function chooseTemplate(id: string) {
    draft.chooseTemplate(id);
    setProblem(null);
  }

  return (
    <SettingsFormProvider value={{ choices, initial, settings, set }}>
      <FormErrors problems={problems}>
        <SubmitForm ref={form} onSubmit={submission.submit} className="flex flex-1 flex-col">
          <SeveralErrors count={problems.length} />
          {draft.hasReplaced ? <ReplacedNotice onRestore={draft.restoreReplaced} /> : null}
          <div className="grid flex-1 grid-cols-1 medium:grid-cols-[minmax(0,1fr)_23rem] medium:grid-rows-[auto_minmax(0,1fr)]">
            <div className="min-w-0">
              <RequiredFields
                onSettings={draft.setSettings}
                isCopy={parent !== undefined}
                cases={runs}
                template={isNew ? { id: draft.template, choose: chooseTemplate } : null}
                message={isNew ? null : { text: message, change: setMessage }}
              />
            </div>
            <section
              aria-label="Before you run"
              className="min-w-0 border-line medium:col-start-2 medium:row-span-2 medium:row-start-1 medium:border-l"
            >
              <RunPreview cases={runs} tuningDataset={tuningDataset} setProblem={setProblem} />
            </section>
            <section className="min-w-0" aria-labelledby="more-settings">
              <Pane className="flex flex-wrap items-baseline gap-x-3 pt-5 pb-2">
                <h2 id="more-settings">More settings</h2>
                <span className="text-ink-3 text-sm">All settings have defaults.</span>
              </Pane>
              <FormSections
                problems={problems}
                openPart={openPart}
                defaultModels={isNew ? initial : null}
                datasetId={chosenDataset}
                onDataset={runs === null ? setTunedDataset : null}
                previewScoring={props.previewScoring ?? null}
              />
            </section>
          </div>
          <SubmitBar submission={submission} saved={saved} runs={runs} />
        </SubmitForm>
      </FormErrors>
    </SettingsFormProvider>
  );
}

function datasetOf({ source, datasetId }: Cases): string | null {
  return source === 'dataset' ? datasetId : null;
}

type RunPreviewProps = {
  cases: Cases | null;
  tuningDataset: string | null;
  setProblem: (problem: Problem | null) => void;
};

/** Shows a first answer and the estimate of the cases that the form runs. If it runs none, only the estimate. */
function RunPreview({ cases, tuningDataset, setProblem }: RunPreviewProps) {
  const { settings } = useSettingsForm();
  if (cases === null)
    return <FormEstimate start={tuningDataset === null ? {} : { datasetId: tuningDataset }} count={null} />;
  return (
    <>
      <AnswerPreview
        request={() => previewRequest(settings, cases)}
        unavailable={noPreviewLabel(settings)}
        note={previewNote(cases)}
        onProblem={(refused) => setProblem(refused === null ? null : toFormProblem(refused))}
      />
      <FormEstimate start={estimatedCases(cases)} count={cases.count} />
    </>
  );
}

function useScrollToPart(part: FormPart | null): void {
  useEffect(() => {
    if (part !== null) document.getElementById(`part-${part}`)?.scrollIntoView();
  }, [part]);
}

/** Reloads models and targets that were added in another tab. */
function useRefreshOnReturn(): void {
  const router = useRouter();
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') router.refresh();
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [router]);
}

/** Summary of the errors. Renders nothing for a single one, which the form shows at its field. */
function SeveralErrors({ count }: { count: number }) {
  if (count < 2) return null;
  return (
    <Pane>
      <ErrorSummary title={`Not saved: ${errorCountLabel(count)}`} />
    </Pane>
  );
}

function ReplacedNotice({ onRestore }: { onRestore: () => void }) {
  return (
    <Pane>
      <Notice
        tone="wait"
        alert
        title="The template replaced your changes below"
        actions={
          <Button size="small" onClick={onRestore}>
            Restore my changes
          </Button>
        }
      />
    </Pane>
  );
}

type SubmitBarProps = {
  submission: ReturnType<typeof useExperimentSubmit>;
  saved: SavedExperiment | null;
  /** Cases that the form runs. Null if it only saves. */
  runs: Cases | null;
};

function SubmitBar({ submission: { problem, isSaving, isBehind, save }, saved, runs }: SubmitBarProps) {
  const { settings } = useSettingsForm();
  const start = settings.mode === 'tune' ? 'Tune' : runs && runLabel(runs);
  return (
    <ActionBar>
      <ActionBarButtons className="max-narrow:[&_[data-variant=primary]]:col-span-full">
        <Button type="submit" variant="primary" size="large" disabled={isSaving}>
          {runs === null ? null : <Play />}
          {runs === null ? (isSaving ? 'Saving' : saveLabel(saved, isBehind)) : isSaving ? 'Starting' : start}
        </Button>
        {runs === null ? null : (
          <Button size="large" className="max-narrow:col-span-full" disabled={isSaving} onClick={save}>
            Save without running
          </Button>
        )}
        {problem ? (
          <InlineError className="min-w-0">
            {isBehind && saved !== null ? <NewerVersionNotice {...saved} /> : <ErrorLine several={errorCountLabel} />}
          </InlineError>
        ) : runs === null ? (
          <p className="text-ink-3 text-sm max-narrow:hidden">Saving does not start a run.</p>
        ) : null}
      </ActionBarButtons>
    </ActionBar>
  );
}

type FormEstimateProps = {
  /** Cases of the form in the format of an estimate. Empty if none are given yet. */
  start: ReturnType<typeof estimatedCases>;
  count: number | null;
};

/** Estimates a run with the settings of the form, over the given cases or else one of typical length. */
function FormEstimate({ start, count }: FormEstimateProps) {
  const { settings } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  const isGiven = Object.keys(start).length > 0;
  // An estimate does not depend on the name.
  const request = { experiment: { ...fromFormSettings(settings), name: 'Draft' }, ...start };
  return (
    <Pane aria-labelledby="estimate-title">
      <PaneHeader
        titleId="estimate-title"
        title="Estimate"
        note={
          isTuning
            ? 'one run over the dataset'
            : !isGiven
              ? 'one run, a case of 400 characters'
              : count === null
                ? ''
                : formatNumberOf(count, 'case')
        }
      />
      <RunEstimate
        experimentId={null}
        input={isTuning && !isGiven ? null : JSON.stringify(request)}
        refused="Correct the invalid settings to see the estimate."
      />
    </Pane>
  );
}

function errorCountLabel(count: number): string {
  return `${count} settings have an error`;
}

function saveLabel(saved: SavedExperiment | null, isBehind: boolean): string {
  if (saved === null) return 'Save without running';
  return isBehind ? `Save over v${saved.newest.version}` : 'Save new version';
}

/** Warns that another user saved a newer version, and links to it in a new tab. */
function NewerVersionNotice({ id, newest }: SavedExperiment) {
  const { version, actor, createdAt, message } = newest;
  return (
    <>
      Someone saved a newer version{actor === null ? '' : ` (${actor})`}: v{version}, <LocalTime moment={createdAt} />
      {message === null ? '' : ` (“${message}”)`}. Your changes are not saved yet. If you save them now, they replace
      the changes of v{version}.{' '}
      <a className="link" href={`/experiments/${id}?tab=settings&version=${version}`} target="_blank" rel="noreferrer">
        Open v{version} in new tab <ExternalLink />
      </a>
    </>
  );
}
