'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import type { EstimateRuns } from '#components/estimate/run-estimate.tsx';
import { ActionBar, ActionBarButtons } from '#components/ui/action-bar.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { FoldSection } from '#components/ui/fold-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import { BaseFields } from './base-fields.tsx';
import { ConfidenceFields } from './confidence-fields.tsx';
import type { TunableDataset } from './count-splits.ts';
import { CriteriaEditor } from './criteria-editor.tsx';
import { type ExperimentDraft, fromDraft, judgingOf, toDraft } from './experiment-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { FormEstimate } from './form-estimate.tsx';
import { type FormPart, partOf } from './form-part.ts';
import { summaryOf } from './form-summary.ts';
import { LessonsFields } from './lessons-fields.tsx';
import { LoopFields } from './loop-fields.tsx';
import type { ProviderChoice } from './model-choice.tsx';
import { PeopleFields } from './people-fields.tsx';
import { PromptsFields } from './prompts-fields.tsx';
import { ReflectionFields } from './reflection-fields.tsx';
import { type SavedExperiment, SavedMeanwhile } from './saved-meanwhile.tsx';
import { type PreviewScoring, ScoringEffect } from './scoring-effect.tsx';
import { StopFields } from './stop-fields.tsx';
import { TaskFields } from './task-fields.tsx';
import { ThresholdField } from './threshold-field.tsx';
import type { ToolChoice } from './tool-choice.ts';
import { TuneFields } from './tune-fields.tsx';

type ExperimentFormProps = {
  initial: ExperimentDraft;
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

/** All settings of an experiment on one page, folded to what they say. What is wrong stands under its own field. */
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
  const [draft, setDraft] = useState(initial);
  const [template, setTemplate] = useState(
    // Where a prompt is to be tuned the form is filled in already.
    EXPERIMENT_TEMPLATES.find(({ id }) => id === initial.mode)?.id ?? EXPERIMENT_TEMPLATES[0]?.id ?? '',
  );
  // What was there before another template took its place, where a person had changed something of it.
  const [replaced, setReplaced] = useState<{ template: string; draft: ExperimentDraft } | null>(null);
  const asFilledIn = useRef(initial);
  const [chosenDataset, setChosenDataset] = useState(datasetId ?? datasets[0]?.id ?? null);
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  // The newest version that the person was told of: what is newer is not saved over.
  const [seenVersion, setSeenVersion] = useState(saved?.newest.version);
  const isBehind = problem?.code === 'conflict' && saved !== null && saved.newest.version !== seenVersion;
  const change = (changes: Partial<ExperimentDraft>) => setDraft((current) => ({ ...current, ...changes }));
  const errorAt = (path: string) => (problem?.field === path ? problem.message : null);
  const wrongPart = problem ? partOf(problem.field, draft.mode) : null;
  const isTuning = draft.mode === 'tune';

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
    const { name, provider, model } = draft;
    const isUntouched = JSON.stringify({ ...asFilledIn.current, name, provider, model }) === JSON.stringify(draft);
    setReplaced(isUntouched ? null : { template, draft });
    asFilledIn.current = { ...toDraft(name, chosen.settings), provider, model };
    setTemplate(id);
    setDraft(asFilledIn.current);
    setProblem(null);
  }

  function takeBack({ template: before, draft: written }: NonNullable<typeof replaced>) {
    setTemplate(before);
    setDraft(written);
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
      const sent = { ...fromDraft(draft), ...parent, message, ...(seen === undefined ? {} : { seenVersion: seen }) };
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
      summary={summaryOf(part, draft)}
      open={open}
      forceOpen={wrongPart === part}
      mark={
        wrongPart === part ? (
          <Badge tone="worse">
            <TriangleAlert aria-hidden />1 to mend
          </Badge>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">{children}</div>
    </FoldSection>
  );
  const fields = { draft, change, errorAt };

  return (
    <form onSubmit={send} noValidate className="flex flex-1 flex-col">
      <Pane className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="Name" error={errorAt('name')}>
          <Input
            value={draft.name}
            placeholder="API guides, revise"
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        {saved !== null || parent ? (
          <Field
            label="What is changed, and why"
            help="For people; stands beside the version"
            error={errorAt('message')}
          >
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
            <TuneFields {...fields} datasets={datasets} datasetId={chosenDataset} onDataset={setChosenDataset} />,
            true,
          )
        : null}
      {section('task', isTuning ? 'Models' : 'Task', <TaskFields {...fields} providers={providers} />, true)}
      {isTuning
        ? null
        : section('base', 'How it is made', <BaseFields {...fields} providers={providers} tools={tools} />)}
      {section('prompts', 'Prompts', <PromptsFields {...fields} />)}
      {section(
        'criteria',
        'Criteria',
        <>
          <CriteriaEditor
            criteria={draft.criteria}
            judging={judgingOf(draft)}
            webhooks={webhooks}
            isPythonOn={isPythonOn}
            errorAt={errorAt}
            onChange={(criteria) => change({ criteria })}
          />
          <ThresholdField {...fields} />
          <ConfidenceFields {...fields} />
          {previewScoring ? <ScoringEffect initial={initial} draft={draft} preview={previewScoring} /> : null}
        </>,
        true,
      )}
      {section('loop', 'Loop', <LoopFields {...fields} />)}
      {isTuning ? null : (
        <>
          {section('reflection', 'Reflect and revise', <ReflectionFields {...fields} />)}
          {section('lessons', 'Lessons', <LessonsFields {...fields} providers={providers} />)}
        </>
      )}
      {section('stops', 'When it stops', <StopFields {...fields} />)}
      {section('people', 'People and budget', <PeopleFields {...fields} webhooks={webhooks} />)}
      <FormEstimate draft={draft} datasetId={chosenDataset} estimate={estimate} />
      <div className="min-w-0 flex-1" />
      <ActionBar>
        <ActionBarButtons>
          <Button type="submit" variant="primary" size="large" disabled={isSaving}>
            {isSaving ? 'Saving' : saveLabel(saved, isBehind)}
          </Button>
          {problem ? (
            <p className="wrap-anywhere min-w-0 text-sm text-worse" role="alert">
              <TriangleAlert className="size-3.25" aria-hidden />{' '}
              {isBehind ? <SavedMeanwhile {...saved} /> : problem.message}
            </p>
          ) : (
            <p className="text-ink-3 text-sm max-narrow:hidden">
              Nothing runs yet. A run asks for its {isTuning ? 'cases' : 'case'} on the next page.
            </p>
          )}
        </ActionBarButtons>
      </ActionBar>
    </form>
  );
}

function saveLabel(saved: SavedExperiment | null, isBehind: boolean): string {
  if (saved === null) return 'Create experiment';
  return isBehind ? `Save on top of v${saved.newest.version}` : 'Save as a new version';
}
