import { useRef, useState } from 'react';
import type { CaseSource } from './case-sources.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { type FormSettings, type SettingAt, type SettingPath, toFormSettings, withSetting } from './form-settings.ts';
import type { Cases } from './use-cases.ts';

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
