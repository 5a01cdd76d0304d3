'use client';

import { ExternalLink, Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import { sentInput, typedText } from '#components/case/sent-input.ts';
import { type EstimateRuns, RunEstimate } from '#components/estimate/run-estimate.tsx';
import { ActionBar, ActionBarButtons } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorLine, ErrorSummary, FormErrors } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { FormPart } from '#lib/runs/settings-path.ts';
import { AnswerPreview, type PreviewRequest } from './answer-preview.tsx';
import type { CaseSource } from './case-sources.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { FirstFields } from './first-fields.tsx';
import { suggestedName } from './first-prompt.ts';
import { type FormChoices, FormSections } from './form-sections.tsx';
import {
  type FormSettings,
  fromFormSettings,
  type SettingAt,
  type SettingPath,
  sentBaseType,
  toFormSettings,
  withSetting,
} from './form-settings.ts';
import type { PreviewScoring } from './scoring-effect.tsx';
import { SettingsFormProvider, useSettingsForm } from './setting-fields.tsx';
import { type Cases, casesProblems, estimatedCases, runLabel, useCases } from './use-cases.ts';

type ExperimentFormProps = FormChoices & {
  initial: FormSettings;
  /** Dataset requested in the URL. */
  datasetId?: string | null;
  /** Part that is open initially. */
  openPart?: FormPart | null;
  save: (input: unknown) => Promise<Result<{ id: string; version: number }>>;
  /** Runs a new experiment. Omitted when an existing one is edited. */
  run?: RunActions;
  /** Estimates a run with the current settings. */
  estimate: EstimateRuns;
  /** Experiment that is edited; no templates are offered. Null for a new one. */
  saved: SavedExperiment | null;
  /** Source of the duplicate. The user changes its name and the settings to compare. */
  parent?: { parentId: string; parentVersion: number };
  /** Recomputes stored scores with edited weights and thresholds. Only for an existing experiment. */
  previewScoring?: PreviewScoring;
};

/** `check` validates without storing. `start` stores the experiment and runs it over its cases. */
type RunActions = {
  check: (input: unknown) => Promise<Result<null>>;
  start: (input: unknown) => Promise<Result<{ id: string; batchId: string | null; runIds: string[] }>>;
};

/**
 * Form of an experiment on one page. Required fields are visible; all others are collapsed with a summary. All errors are shown at once,
 * each below its field.
 */
export function ExperimentForm(props: ExperimentFormProps) {
  const {
    initial,
    providers,
    targets,
    datasets,
    datasetId = null,
    openPart = null,
    save,
    run,
    estimate,
    saved,
    parent,
  } = props;
  const router = useRouter();
  const [settings, setSettings] = useState(initial);
  const [template, setTemplate] = useState(() => templateOf(initial));
  // Settings replaced by another template, if the user had edited them.
  const [replaced, setReplaced] = useState<{ template: string; settings: FormSettings } | null>(null);
  const asFilledIn = useRef(initial);
  const [tunedDataset, setTunedDataset] = useState(datasetId ?? datasets[0]?.id ?? null);
  const isTuning = settings.mode === 'tune';
  const isOffered = datasets.some(({ id }) => id === datasetId);
  const source = isOffered || (isTuning && datasets.length > 0) ? 'dataset' : 'text';
  const target = initial.generator.target?.name ?? null;
  const cases = useCases({ datasets, datasetId: isOffered ? datasetId : null, source, target });
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  // Newest version the user has seen. A newer one is never overwritten.
  const [seenVersion, setSeenVersion] = useState(saved?.newest.version);
  const isBehind = problem?.code === 'conflict' && saved !== null && saved.newest.version !== seenVersion;
  const problems = problemsOf(problem);
  const chosenDataset = run === undefined ? tunedDataset : cases.source === 'dataset' ? cases.datasetId : null;
  function set<Path extends SettingPath>(path: Path, value: SettingAt<Path>) {
    setSettings((current) => withSetting(current, path, value));
    // Tuning needs several cases.
    if (path === 'mode' && value === 'tune' && cases.source === 'text')
      cases.change({ source: getDefaultCaseSource(datasets) });
  }

  useEffect(() => {
    if (problem === null) return;
    // Focus one frame later, when the collapsed part of the field is open.
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [problem]);

  // Reload models and targets that were added in another tab.
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') router.refresh();
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [router]);

  useEffect(() => {
    if (openPart !== null) document.getElementById(`part-${openPart}`)?.scrollIntoView();
  }, [openPart]);

  function chooseTemplate(id: string) {
    const chosen = EXPERIMENT_TEMPLATES.find((candidate) => candidate.id === id);
    if (!chosen) return;
    const isUntouched = JSON.stringify(copyNameAndModels(settings, asFilledIn.current)) === JSON.stringify(settings);
    setReplaced(isUntouched ? null : { template, settings });
    asFilledIn.current = copyNameAndModels(settings, toFormSettings('', chosen.settings));
    fillIn(id, asFilledIn.current);
    setProblem(null);
  }

  function fillIn(id: string, filled: FormSettings) {
    setTemplate(id);
    setSettings(filled);
    if (filled.mode === 'tune' && cases.source === 'text') cases.change({ source: getDefaultCaseSource(datasets) });
    if (filled.mode !== 'tune' && settings.mode === 'tune') cases.change({ source: 'text' });
  }

  function takeBack({ template: before, settings: written }: NonNullable<typeof replaced>) {
    fillIn(before, written);
    setReplaced(null);
  }

  const name = settings.name.trim() || suggestedName(settings, cases.source === 'text' ? typedText(cases) : '');
  const experiment = () => ({
    ...fromFormSettings(run === undefined ? settings : { ...settings, name }),
    ...parent,
    message,
  });

  function sendSave() {
    const seen = isBehind ? saved.newest.version : seenVersion;
    if (isBehind) {
      setSeenVersion(seen);
      // Clear the conflict. Otherwise it would report the user's own version while the page is left.
      setProblem(null);
    }
    startSaving(async () => {
      const sent = { ...experiment(), ...(seen === undefined ? {} : { seenVersion: seen }) };
      const result = await save(sent).catch(toNoResponseFailure);
      const over = isTuning && chosenDataset !== null ? `?dataset=${chosenDataset}` : '';
      if (result.ok) return router.push(`/experiments/${result.value.id}${over}`);
      setProblem(result.problem);
      // Load the version that was saved in the meantime. The user's input is kept.
      if (result.problem.code === 'conflict') router.refresh();
    });
  }

  function sendRun({ check, start }: RunActions) {
    startSaving(async () => {
      if (cases.source === 'import') {
        // Validate the settings before any case is stored.
        const checked = await check(experiment()).catch(toNoResponseFailure);
        const wrong = [...(checked.ok ? [] : problemsOf(checked.problem)), ...casesProblems(cases)];
        if (wrong[0] !== undefined) return setProblem({ code: 'invalid', ...wrong[0], all: wrong });
      }
      const given = await cases.store(name);
      if (!given.ok) return setProblem(given.problem);
      const result = await start({ experiment: experiment(), start: given.value }).catch(toNoResponseFailure);
      if (!result.ok) return setProblem(result.problem);
      const { id, batchId, runIds } = result.value;
      const only = runIds.length === 1 ? runIds[0] : undefined;
      router.push(only ? `/runs/${only}` : `/experiments/${id}${batchId === null ? '' : `?batch=${batchId}`}`);
    });
  }

  function send() {
    if (isSaving) return;
    if (run === undefined) sendSave();
    else sendRun(run);
  }
  const form = useRef<HTMLFormElement>(null);
  useModEnter(() => form.current?.requestSubmit());

  return (
    <SettingsFormProvider value={{ settings, set }}>
      <FormErrors problems={problems}>
        <SubmitForm ref={form} onSubmit={send} className="flex flex-1 flex-col">
          {problems.length < 2 ? null : (
            <Pane>
              <ErrorSummary title={`Not saved: ${errorCountLabel(problems.length)}`} />
            </Pane>
          )}
          {replaced === null ? null : (
            <Pane>
              <Notice
                tone="wait"
                alert
                title="The template replaced your changes below"
                actions={
                  <Button size="small" onClick={() => takeBack(replaced)}>
                    Restore my changes
                  </Button>
                }
              />
            </Pane>
          )}
          <div className="grid flex-1 grid-cols-1 medium:grid-cols-[minmax(0,1fr)_23rem] medium:grid-rows-[auto_minmax(0,1fr)]">
            <div className="min-w-0">
              <FirstFields
                onSettings={setSettings}
                isCopy={parent !== undefined}
                providers={providers}
                targets={targets}
                datasets={datasets}
                cases={run === undefined ? null : cases}
                template={saved !== null || parent ? null : { id: template, choose: chooseTemplate }}
                message={saved !== null || parent ? { text: message, change: setMessage } : null}
              />
            </div>
            <section
              aria-label="Before you run"
              className="min-w-0 border-line medium:col-start-2 medium:row-span-2 medium:row-start-1 medium:border-l"
            >
              {run === undefined ? null : (
                <AnswerPreview
                  request={() => previewRequest(settings, cases)}
                  unavailable={noPreviewLabel(settings)}
                  note={previewNote(cases)}
                  onProblem={(refused) => setProblem(refused === null ? null : toFormProblem(refused))}
                />
              )}
              <FormEstimate
                start={
                  run === undefined
                    ? isTuning && tunedDataset !== null
                      ? { datasetId: tunedDataset }
                      : {}
                    : estimatedCases(cases)
                }
                count={run === undefined ? null : cases.count}
                estimate={estimate}
              />
            </section>
            <section className="min-w-0" aria-labelledby="more-settings">
              <Pane className="flex flex-wrap items-baseline gap-x-3 pt-5 pb-2">
                <h2 id="more-settings">More settings</h2>
                <span className="text-ink-3 text-sm">All settings have defaults.</span>
              </Pane>
              <FormSections
                {...props}
                problems={problems}
                openPart={openPart}
                datasetId={chosenDataset}
                {...(saved === null && !parent && { defaultModels: initial })}
                {...(run === undefined && { onDataset: setTunedDataset })}
              />
            </section>
          </div>
          <ActionBar>
            <ActionBarButtons className="max-narrow:[&_[data-variant=primary]]:col-span-full">
              <Button type="submit" variant="primary" size="large" disabled={isSaving}>
                {run === undefined ? null : <Play />}
                {submitLabel({ isSaving, isRun: run !== undefined, isTuning, cases, save: saveLabel(saved, isBehind) })}
              </Button>
              {run === undefined ? null : (
                <Button size="large" className="max-narrow:col-span-full" disabled={isSaving} onClick={sendSave}>
                  Save without running
                </Button>
              )}
              {problem ? (
                <InlineError className="min-w-0">
                  {isBehind ? <NewerVersionNotice {...saved} /> : <ErrorLine several={errorCountLabel} />}
                </InlineError>
              ) : run === undefined ? (
                <p className="text-ink-3 text-sm max-narrow:hidden">Saving does not start a run.</p>
              ) : null}
            </ActionBarButtons>
          </ActionBar>
        </SubmitForm>
      </FormErrors>
    </SettingsFormProvider>
  );
}

/** Returns the initial template. For tuning it is already applied. */
function templateOf({ mode }: FormSettings): string {
  return EXPERIMENT_TEMPLATES.find(({ id }) => id === mode)?.id ?? EXPERIMENT_TEMPLATES[0]?.id ?? '';
}

/** Returns the initial case source for tuning. */
function getDefaultCaseSource(datasets: readonly unknown[]): CaseSource {
  return datasets.length > 0 ? 'dataset' : 'import';
}

function toNoResponseFailure(error: unknown): Result<never> {
  return toActionFailure(error, 'Hone did not answer. Check whether the experiment was saved before you try again.');
}

type Submit = { isSaving: boolean; isRun: boolean; isTuning: boolean; cases: Cases; save: string };

/** Returns the label of the submit button. */
function submitLabel({ isSaving, isRun, isTuning, cases, save }: Submit): string {
  if (!isRun) return isSaving ? 'Saving' : save;
  if (isSaving) return 'Starting';
  return isTuning ? 'Tune' : runLabel(cases);
}

/** Returns the request of a preview. */
function previewRequest(settings: FormSettings, cases: Cases): PreviewRequest {
  const { taskType, generator, temperatures, modelSettings, prompts } = fromFormSettings(settings);
  const { base: _, ...writer } = generator;
  const experiment = { taskType, generator: writer, temperatures, modelSettings, prompts };
  const start = cases.source === 'dataset' ? { datasetId: cases.datasetId } : caseOf(cases);
  // The API validates the values and reports errors by field.
  return { experiment, start } as PreviewRequest;
}

function caseOf(cases: Cases) {
  if (cases.source === 'text') return { input: sentInput(cases) };
  return { input: firstCase(cases)?.input ?? '' };
}

function firstCase({ preview }: Cases) {
  return preview?.rows.find(({ state }) => state === 'ready');
}

/** Length to which the import report truncates inputs, in characters. */
const MAX_PREVIEW_INPUT_LENGTH = 300;

function previewNote(cases: Cases): string | null {
  if (cases.source === 'text') return null;
  if (cases.source === 'dataset') return 'Uses the first case of the dataset.';
  const length = firstCase(cases)?.input?.length ?? 0;
  return length < MAX_PREVIEW_INPUT_LENGTH
    ? 'Uses the first case.'
    : `Uses the first ${MAX_PREVIEW_INPUT_LENGTH} characters of the first case.`;
}

function noPreviewLabel(settings: FormSettings): string | null {
  return sentBaseType(settings) === 'single'
    ? null
    : `Previews are not available for agents. Select ${settings.mode === 'tune' ? 'Tune' : 'Run'} to see the agent work.`;
}

/** Maps an API error to the form: removes the `experiment.` prefix of the request. */
function toFormProblem(problem: Problem): Problem {
  const bare = (text: string) => text.replace(/^experiment\./, '');
  return { ...problem, message: bare(problem.message), field: problem.field === null ? null : bare(problem.field) };
}

/** Returns `settings` with the name and models of `of`. */
function copyNameAndModels(of: FormSettings, settings: FormSettings): FormSettings {
  const { name, evaluatorModel, reflectionModel, embeddingModel } = of;
  const { provider, model } = of.generator;
  const models = { evaluatorModel, reflectionModel, embeddingModel };
  return { ...settings, ...models, name, generator: { ...settings.generator, provider, model } };
}

type FormEstimateProps = {
  /** Cases of the form in the format of an estimate. Empty if none are given yet. */
  start: ReturnType<typeof estimatedCases>;
  count: number | null;
  estimate: EstimateRuns;
};

/** Estimates a run with the settings of the form, over the given cases or else one of typical length. */
function FormEstimate({ start, count, estimate }: FormEstimateProps) {
  const { settings } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  const isGiven = Object.keys(start).length > 0;
  // An estimate does not depend on the name.
  const request = { experiment: { ...fromFormSettings(settings), name: 'Draft' }, ...start };
  return (
    <Pane aria-labelledby="estimate-title">
      <PaneHeader>
        <h2 id="estimate-title">Estimate</h2>
        <span className="text-ink-3 text-sm">
          {isTuning
            ? 'one run over the dataset'
            : !isGiven
              ? 'one run, a case of 400 characters'
              : count === null
                ? ''
                : formatNumberOf(count, 'case')}
        </span>
      </PaneHeader>
      <RunEstimate
        estimate={estimate}
        of="settings"
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

/** Existing experiment: the URL of its page, and its newest version known to this page. */
type SavedExperiment = {
  path: string;
  newest: { version: number; actor: string | null; createdAt: string; message: string | null };
};

/** Warns that another user saved a newer version, and links to it in a new tab. */
function NewerVersionNotice({ path, newest }: SavedExperiment) {
  const { version, actor, createdAt, message } = newest;
  return (
    <>
      Someone saved a newer version{actor === null ? '' : ` (${actor})`}: v{version}, <LocalTime moment={createdAt} />
      {message === null ? '' : ` (“${message}”)`}. Your changes are not saved yet. If you save them now, they replace
      the changes of v{version}.{' '}
      <a className="link" href={`${path}?tab=settings&version=${version}`} target="_blank" rel="noreferrer">
        Open v{version} in new tab <ExternalLink />
      </a>
    </>
  );
}
