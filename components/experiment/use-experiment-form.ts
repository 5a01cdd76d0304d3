import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import type { StartedExperiment } from '#lib/batches/start-batch.ts';
import { problemsOf, type Result } from '#lib/core/problem.ts';
import type { CaseSource } from './case-sources.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { type FormSettings, type SettingAt, type SettingPath, toFormSettings, withSetting } from './form-settings.ts';
import { type Cases, casesProblems } from './use-cases.ts';

/** `check` validates without storing. `start` stores the experiment and runs it over its cases. */
export type RunExperiment = {
  check: (input: unknown) => Promise<Result<null>>;
  start: (input: unknown) => Promise<Result<StartedExperiment>>;
};

/** Existing experiment, and its newest version known to this page. */
export type SavedExperiment = {
  id: string;
  newest: { version: number; actor: string | null; createdAt: string; message: string | null };
};

type ExperimentSubmitOptions = {
  /** Undefined if the form only saves. */
  run: RunExperiment | undefined;
  saved: SavedExperiment | null;
  /** Returns the experiment in the format of the API. */
  experiment: () => object;
  /** Name of the experiment, and so of the dataset in which pasted cases are stored. */
  name: string;
  cases: Cases;
  /** Dataset preselected on the page of a saved tuning experiment. */
  tunedDataset: string | null;
};

/** Saves or starts the experiment of the form. `isBehind`: someone saved a newer version, which is never overwritten without notice. */
export function useExperimentSubmit(options: ExperimentSubmitOptions) {
  const { run, saved, experiment, name, cases, tunedDataset } = options;
  const router = useRouter();
  const {
    isBusy: isSaving,
    problem,
    setProblem,
    settle,
  } = useSubmit('Hone did not respond. Check whether the experiment was saved before you try again.');
  // Newest version the user has seen. A newer one is never overwritten.
  const [seenVersion, setSeenVersion] = useState(saved?.newest.version);
  const isBehind = problem?.code === 'conflict' && saved !== null && saved.newest.version !== seenVersion;

  function save() {
    const seen = isBehind ? saved.newest.version : seenVersion;
    if (isBehind) {
      setSeenVersion(seen);
      // Clear the conflict. Otherwise it would report the user's own version while the page is left.
      setProblem(null);
    }
    const body = { ...experiment(), ...(seen === undefined ? {} : { seenVersion: seen }) };
    const sent =
      saved === null
        ? submitApi('POST /api/v1/experiments', { body })
        : submitApi('PATCH /api/v1/experiments/{id}', { params: { id: saved.id }, body });
    void settle(sent, (result) => {
      const over = tunedDataset === null ? '' : `?dataset=${tunedDataset}`;
      if (result.ok) return router.push(`/experiments/${result.value.id}${over}`);
      setProblem(result.problem);
      // Load the version that was saved in the meantime. The user's input is kept.
      if (result.problem.code === 'conflict') router.refresh();
    });
  }

  async function startRuns({ check, start: sendStart }: RunExperiment): Promise<Result<StartedExperiment>> {
    if (cases.source === 'import') {
      // Validate the settings before any case is stored.
      const checked = await check(experiment());
      const wrong = [...(checked.ok ? [] : problemsOf(checked.problem)), ...casesProblems(cases)];
      if (wrong[0] !== undefined) return { ok: false, problem: { code: 'invalid', ...wrong[0], all: wrong } };
    }
    const stored = await cases.store(name);
    return stored.ok ? sendStart({ experiment: experiment(), start: stored.value }) : stored;
  }

  function start(actions: RunExperiment) {
    void settle(startRuns(actions), (result) => {
      if (!result.ok) return setProblem(result.problem);
      const { id, batchId, runIds } = result.value;
      const only = runIds.length === 1 ? runIds[0] : undefined;
      router.push(only ? `/runs/${only}` : `/experiments/${id}${batchId === null ? '' : `?batch=${batchId}`}`);
    });
  }

  function submit() {
    if (isSaving) return;
    if (run === undefined) save();
    else start(run);
  }

  return { problem, setProblem, isSaving, isBehind, save, submit };
}

/** Settings of the form, the template they were filled in from, and the user's changes that a template replaced. */
export function useExperimentSettings(initial: FormSettings, cases: Cases, datasets: readonly unknown[]) {
  const [settings, setSettings] = useState(initial);
  const [template, setTemplate] = useState(() => templateOf(initial));
  // Settings replaced by another template, if the user had edited them.
  const [replaced, setReplaced] = useState<{ template: string; settings: FormSettings } | null>(null);
  const asFilledIn = useRef(initial);

  /** Leaves the source with one typed case, because tuning needs several cases. */
  function leaveTypedCase() {
    if (cases.source === 'text') cases.change({ source: getDefaultCaseSource(datasets) });
  }

  function set<Path extends SettingPath>(path: Path, value: SettingAt<Path>) {
    setSettings((current) => withSetting(current, path, value));
    if (path === 'mode' && value === 'tune') leaveTypedCase();
  }

  function fillIn(id: string, filled: FormSettings) {
    setTemplate(id);
    setSettings(filled);
    if (filled.mode === 'tune') leaveTypedCase();
    else if (settings.mode === 'tune') cases.change({ source: 'text' });
  }

  function chooseTemplate(id: string) {
    const chosen = EXPERIMENT_TEMPLATES.find((candidate) => candidate.id === id);
    if (!chosen) return;
    const isUntouched = JSON.stringify(copyNameAndModels(settings, asFilledIn.current)) === JSON.stringify(settings);
    setReplaced(isUntouched ? null : { template, settings });
    asFilledIn.current = copyNameAndModels(settings, toFormSettings('', chosen.settings));
    fillIn(id, asFilledIn.current);
  }

  function restoreReplaced() {
    if (replaced === null) return;
    fillIn(replaced.template, replaced.settings);
    setReplaced(null);
  }

  return { settings, setSettings, set, template, chooseTemplate, hasReplaced: replaced !== null, restoreReplaced };
}

/** Returns the initial template. For tuning it is already applied. */
function templateOf({ mode }: FormSettings): string {
  return EXPERIMENT_TEMPLATES.find(({ id }) => id === mode)?.id ?? EXPERIMENT_TEMPLATES[0]?.id ?? '';
}

/** Returns the initial case source for tuning. */
function getDefaultCaseSource(datasets: readonly unknown[]): CaseSource {
  return datasets.length > 0 ? 'dataset' : 'import';
}

/** Returns `settings` with the name and models of `of`. */
function copyNameAndModels(of: FormSettings, settings: FormSettings): FormSettings {
  const { name, evaluatorModel, reflectionModel, embeddingModel } = of;
  const { provider, model } = of.generator;
  const models = { evaluatorModel, reflectionModel, embeddingModel };
  return { ...settings, ...models, name, generator: { ...settings.generator, provider, model } };
}
