import { isRecord } from '#lib/core/is-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** A changed setting, by its path (`lessons.store`), with both values as text. Empty text if it was not set. */
export type ChangedSetting = { setting: string; before: string; after: string };

/** Settings, either stored or as sent by a form. */
type SettingsLike = { [Name in keyof ExperimentSettings]: unknown };

/** Returns the changed settings in order, and their number. Lists are compared as a whole. */
export function changedSettings(
  before: SettingsLike,
  after: SettingsLike,
): { changed: ChangedSetting[]; total: number } {
  const [old, fresh] = [leavesOf('', before), leavesOf('', after)];
  const paths = [...new Set([...fresh.keys(), ...old.keys()])];
  const changed = paths.flatMap((setting) => {
    const [was, is] = [old.get(setting) ?? '', fresh.get(setting) ?? ''];
    return was === is ? [] : [{ setting, before: was, after: is }];
  });
  return { changed, total: paths.length };
}

function leavesOf(path: string, value: unknown): Map<string, string> {
  if (!isRecord(value)) return new Map([[path, textOf(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...leavesOf(path === '' ? name : `${path}.${name}`, part)]),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : settingsText(value);
}

/** Returns settings as JSON lines for a diff. Multi-line texts (prompts, code) are split into lines, so that a diff locates each change. */
export function settingsText(settings: unknown): string {
  return JSON.stringify(settings, null, 2)
    .split('\n')
    .map((line) => {
      const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
      return line.replace(/\\(.)/g, (whole, escaped: string) => (escaped === 'n' ? `\n${indent}` : whole));
    })
    .join('\n');
}
