'use client';

import { ExternalLink, TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { type EstimateRuns, RunEstimate } from '#components/estimate/run-estimate.tsx';
import { ActionBar, ActionBarButtons } from '#components/ui/action-bar.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { FoldSection } from '#components/ui/fold-section.tsx';
import { ErrorLine, ErrorSummary, errorAt, errorSentence, FormErrors } from '#components/ui/form-errors.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { CONFIDENCE_ACTIONS } from '#lib/core/evaluation-settings.ts';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { formatMoment } from '#lib/format.ts';
import { BaseFields } from './base-fields.tsx';
import type { TunableDataset } from './count-splits.ts';
import { CriteriaEditor } from './criteria-editor.tsx';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { type FormPart, partOf } from './form-part.ts';
import {
  type FormSettings,
  fromFormSettings,
  judgingOf,
  type SettingAt,
  type SettingPath,
  toFormSettings,
  withSetting,
} from './form-settings.ts';
import { summaryOf } from './form-summary.ts';
import { LessonsFields } from './lessons-fields.tsx';
import { LoopFields, StopFields } from './loop-fields.tsx';
import type { ProviderChoice } from './model-choice.tsx';
import { PeopleFields } from './people-fields.tsx';
import { PromptsFields } from './prompts-fields.tsx';
import { ReflectionFields } from './reflection-fields.tsx';
import { type PreviewScoring, ScoringEffect } from './scoring-effect.tsx';
import { NumberField, SelectField, SettingsFormProvider, TextField, useSettingsForm } from './setting-fields.tsx';
import { TaskFields } from './task-fields.tsx';
import type { ToolChoice } from './tool-choice.ts';
import { TuneFields } from './tune-fields.tsx';

type ExperimentFormProps = {
  initial: FormSettings;
  providers: readonly ProviderChoice[];
  /** What agents can be given. */
  tools: readonly ToolChoice[];
  /** Names of the installation's webhooks. */
  webhooks: readonly string[];
  /** Those that a prompt can be tuned over, and the one that was asked for. */
  datasets: readonly TunableDataset[];
  datasetId?: string | null;
  /** Whether an owner has turned Python on. */
  isPythonOn: boolean;
  save: (input: unknown) => Promise<Result<{ id: string; version: number }>>;
  /** What a run under the settings may take. */
  estimate: EstimateRuns;
  /** The experiment that it changes; then no template is offered. Null for a new one. */
  saved: SavedExperiment | null;
  /** What it is a duplicate of; its name is changed, and what else is to differ. */
  parent?: { parentId: string; parentVersion: number };
  /** Of an experiment that is there: what edited weights and thresholds would make of its stored scores. */
  previewScoring?: PreviewScoring;
};

/** All settings of an experiment on one page, folded to what they say. What is wrong stands under its own field, all of it at once. */
export function ExperimentForm({
  initial,
  providers,
  tools,
  webhooks,
  datasets,
  datasetId = null,
  isPythonOn,
  save,
  estimate,
  saved,
  parent,
  previewScoring,
}: ExperimentFormProps) {
  const router = useRouter();
  const [settings, setSettings] = useState(initial);
  const [template, setTemplate] = useState(
    // Where a prompt is to be tuned the form is filled in already.
    EXPERIMENT_TEMPLATES.find(({ id }) => id === initial.mode)?.id ?? EXPERIMENT_TEMPLATES[0]?.id ?? '',
  );
  // What was there before another template took its place, where a person had changed something of it.
  const [replaced, setReplaced] = useState<{ template: string; settings: FormSettings } | null>(null);
  const asFilledIn = useRef(initial);
  const [chosenDataset, setChosenDataset] = useState(datasetId ?? datasets[0]?.id ?? null);
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  // The newest version that the person was told of: what is newer is not saved over.
  const [seenVersion, setSeenVersion] = useState(saved?.newest.version);
  const isBehind = problem?.code === 'conflict' && saved !== null && saved.newest.version !== seenVersion;
  const problems = problemsOf(problem);
  const isTuning = settings.mode === 'tune';
  const set = <Path extends SettingPath>(path: Path, value: SettingAt<Path>) =>
    setSettings((current) => withSetting(current, path, value));
  function criteriaErrorAt(path: string) {
    const error = errorAt(problems, path);
    return error === null || path !== 'criteria' ? error : errorSentence('Criteria', error);
  }
  const wrongIn = (part: FormPart) => problems.filter(({ field }) => partOf(field, settings.mode) === part).length;

  useEffect(() => {
    if (problem === null) return;
    // A frame later the folded part that holds the field is open.
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [problem]);

  function chooseTemplate(id: string) {
    const chosen = EXPERIMENT_TEMPLATES.find((candidate) => candidate.id === id);
    if (!chosen) return;
    const isUntouched = JSON.stringify(keepModel(settings, asFilledIn.current)) === JSON.stringify(settings);
    setReplaced(isUntouched ? null : { template, settings });
    asFilledIn.current = keepModel(settings, toFormSettings('', chosen.settings));
    setTemplate(id);
    setSettings(asFilledIn.current);
    setProblem(null);
  }

  function takeBack({ template: before, settings: written }: NonNullable<typeof replaced>) {
    setTemplate(before);
    setSettings(written);
    setReplaced(null);
  }

  function send(event: FormEvent) {
    event.preventDefault();
    const seen = isBehind ? saved.newest.version : seenVersion;
    if (isBehind) {
      setSeenVersion(seen);
      // What they were told is settled: the page that is left would tell them of their own version.
      setProblem(null);
    }
    startSaving(async () => {
      const sent = {
        ...fromFormSettings(settings),
        ...parent,
        message,
        ...(seen === undefined ? {} : { seenVersion: seen }),
      };
      const result = await save(sent).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was saved; try again.'),
      );
      const over = isTuning && chosenDataset !== null ? `?dataset=${chosenDataset}` : '';
      if (result.ok) return router.push(`/experiments/${result.value.id}${over}`);
      setProblem(result.problem);
      // The page brings the version that was saved meanwhile; what was typed stays.
      if (result.problem.code === 'conflict') router.refresh();
    });
  }

  const section = (part: FormPart, title: string, children: ReactNode, open = false) => (
    <FoldSection
      title={title}
      summary={summaryOf(part, settings)}
      open={open}
      forceOpen={wrongIn(part) > 0}
      mark={
        wrongIn(part) > 0 ? (
          <Badge tone="worse">
            <TriangleAlert aria-hidden />
            {wrongIn(part)} to mend
          </Badge>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">{children}</div>
    </FoldSection>
  );

  return (
    <SettingsFormProvider value={{ settings, set }}>
      <FormErrors problems={problems}>
        <form onSubmit={send} noValidate className="flex flex-1 flex-col">
          {problems.length < 2 ? null : (
            <Pane>
              <ErrorSummary title={`Not saved: ${wrongLabel(problems.length)}`} />
            </Pane>
          )}
          <Pane className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            <TextField path="name" label="Name" placeholder="API guides, revise" />
            {saved !== null || parent ? (
              <Field label="What is changed, and why" help="For people; stands beside the version" path="message">
                <Input
                  value={message}
                  placeholder="Give attempts room to use their lessons"
                  onChange={(event) => setMessage(event.target.value)}
                />
              </Field>
            ) : (
              <Field label="Start from" help={EXPERIMENT_TEMPLATES.find(({ id }) => id === template)?.meaning}>
                <Select value={template} onChange={(event) => chooseTemplate(event.target.value)}>
                  {EXPERIMENT_TEMPLATES.map(({ id, label }) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                </Select>
              </Field>
            )}
          </Pane>
          {replaced === null ? null : (
            <Pane>
              <Notice
                tone="wait"
                alert
                title="The template took the place of what you had changed below."
                actions={
                  <Button size="small" onClick={() => takeBack(replaced)}>
                    Take mine back
                  </Button>
                }
              />
            </Pane>
          )}
          {isTuning
            ? section(
                'tuning',
                'Prompt and cases',
                <TuneFields datasets={datasets} datasetId={chosenDataset} onDataset={setChosenDataset} />,
                true,
              )
            : null}
          {section('task', isTuning ? 'Models' : 'Task', <TaskFields providers={providers} />, true)}
          {isTuning ? null : section('base', 'How it is made', <BaseFields providers={providers} tools={tools} />)}
          {section('prompts', 'Prompts', <PromptsFields />)}
          {section(
            'criteria',
            'Criteria',
            <>
              <CriteriaEditor
                criteria={settings.criteria}
                judging={judgingOf(settings)}
                webhooks={webhooks}
                isPythonOn={isPythonOn}
                errorAt={criteriaErrorAt}
                onChange={(criteria) => set('criteria', criteria)}
              />
              <ThresholdFields />
              {previewScoring ? <ScoringEffect initial={initial} settings={settings} preview={previewScoring} /> : null}
            </>,
            true,
          )}
          {section('loop', 'Loop', <LoopFields />)}
          {isTuning ? null : (
            <>
              {section('reflection', 'Reflect and revise', <ReflectionFields />)}
              {section('lessons', 'Lessons', <LessonsFields providers={providers} />)}
            </>
          )}
          {section('stops', 'When it stops', <StopFields />)}
          {section('people', 'People and budget', <PeopleFields webhooks={webhooks} />)}
          <FormEstimate datasetId={chosenDataset} estimate={estimate} />
          <div className="min-w-0 flex-1" />
          <ActionBar>
            <ActionBarButtons>
              <Button type="submit" variant="primary" size="large" disabled={isSaving}>
                {isSaving ? 'Saving' : saveLabel(saved, isBehind)}
              </Button>
              {problem ? (
                <p className="wrap-anywhere min-w-0 text-sm text-worse" role="alert">
                  <TriangleAlert className="size-3.25" aria-hidden />{' '}
                  {isBehind ? <SavedMeanwhile {...saved} /> : <ErrorLine several={wrongLabel} />}
                </p>
              ) : (
                <p className="text-ink-3 text-sm max-narrow:hidden">
                  Nothing runs yet. A run asks for its {isTuning ? 'cases' : 'case'} on the next page.
                </p>
              )}
            </ActionBarButtons>
          </ActionBar>
        </form>
      </FormErrors>
    </SettingsFormProvider>
  );
}

/** Settings under the name and with the model of others. */
function keepModel({ name, generator }: FormSettings, settings: FormSettings): FormSettings {
  const { provider, model } = generator;
  return { ...settings, name, generator: { ...settings.generator, provider, model } };
}

/** From which score a version is good enough, and what happens where a judge says that it is not sure. */
function ThresholdFields() {
  const { mode, evaluation } = useSettingsForm().settings;
  const canAsk = mode !== 'tune' || evaluation.confidence.action === 'ask';
  return (
    <>
      <NumberField
        path="qualityThreshold"
        label="Quality threshold"
        help="0 to 1, default 0.8. A version passes when its overall score reaches it. A criterion with its own threshold must reach that too."
      />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField
          path="evaluation.confidence.below"
          label="Minimum judge confidence"
          help="0 to 1, empty for none. Judges that report no confidence are not affected."
        />
        <SelectField
          path="evaluation.confidence.action"
          label="Below it"
          options={CONFIDENCE_ACTIONS.filter((action) => action !== 'ask' || canAsk)}
          labelOf={(action) => CONFIDENCE_LABELS[action]}
        />
      </div>
    </>
  );
}

const CONFIDENCE_LABELS: Record<(typeof CONFIDENCE_ACTIONS)[number], string> = {
  rejudge: 'Judge once more, keep the more confident score',
  ask: 'Ask a person for the score',
  unscored: 'Count the criterion as unscored',
};

/** What a run under the settings of the form may take: over one case of usual length, or the chosen dataset where a prompt is tuned. */
function FormEstimate({ datasetId, estimate }: { datasetId: string | null; estimate: EstimateRuns }) {
  const { settings } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  // A name is not needed to estimate.
  const experiment = { ...fromFormSettings(settings), name: 'Draft' };
  const request = isTuning ? { experiment, datasetId } : { experiment };
  return (
    <Pane aria-labelledby="estimate-title">
      <PaneHeader>
        <h2 id="estimate-title">What it may take</h2>
        <span className="text-ink-3 text-sm">
          {isTuning ? 'one run over the dataset' : 'one run, a case of 400 characters'}
        </span>
      </PaneHeader>
      <RunEstimate
        estimate={estimate}
        of="settings"
        input={isTuning && datasetId === null ? null : JSON.stringify(request)}
        refused="Comes as soon as all settings are within their ranges."
      />
    </Pane>
  );
}

function wrongLabel(count: number): string {
  return `${count} settings have an error`;
}

function saveLabel(saved: SavedExperiment | null, isBehind: boolean): string {
  if (saved === null) return 'Create experiment';
  return isBehind ? `Save on top of v${saved.newest.version}` : 'Save as a new version';
}

/** An experiment that is there: its page, and its newest version as far as the form's page knows. */
type SavedExperiment = {
  path: string;
  newest: { version: number; actor: string | null; createdAt: string; message: string | null };
};

/** Tells whoever was about to save over somebody else's version whose it is, and leads to it in another tab. */
function SavedMeanwhile({ path, newest }: SavedExperiment) {
  const { version, actor, createdAt, message } = newest;
  return (
    <>
      It was edited meanwhile{actor === null ? '' : ` by ${actor}`}: v{version}, {formatMoment(createdAt)}
      {message === null ? '' : ` (“${message}”)`}. Nothing was saved, and what you typed is still here. Saved on top, it
      takes the place of what v{version} changed.{' '}
      <a className="link" href={`${path}?tab=settings&version=${version}`} target="_blank" rel="noreferrer">
        Look at v{version} in another tab <ExternalLink className="size-3.25" aria-hidden />
      </a>
    </>
  );
}
