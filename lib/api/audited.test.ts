import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENTRIES } from '../entries.ts';
import { AUDITED_ENTRIES } from './audited-entries.ts';

const GIVES_FILES = /\/(export|report)(\/|$)/;

describe('every entry that writes or gives out files says what of it stands in the audit log', () => {
  const named = ENTRIES.filter(
    ({ writes, kind, path: place }) => writes || (kind === 'route' && GIVES_FILES.test(place ?? '')),
  ).map(({ name }) => name);

  test('none is left out: add those named here to AUDITED_ENTRIES', () => {
    expect(named.filter((name) => !Object.hasOwn(AUDITED_ENTRIES, name))).toEqual([]);
  });

  test('none is named that is not there', () => {
    const there = new Set(ENTRIES.map(({ name }) => name));
    expect(Object.keys(AUDITED_ENTRIES).filter((name) => !there.has(name))).toEqual([]);
  });
});

describe('what is said is what the code does', () => {
  const entries = ENTRIES.filter(({ name }) => Object.hasOwn(AUDITED_ENTRIES, name));

  test('each act is noted by what the entry calls', () => {
    const faults = entries.flatMap(({ name, file, exported }) => {
      const audited = AUDITED_ENTRIES[name];
      if (audited === undefined || !('acts' in audited)) return [];
      const code = [...reached(file, exported)].map(([, text]) => text).join('\n');
      const missing = audited.acts.filter((act) => !code.includes(`'${act}'`) || !/record(Change)?\b/.test(code));
      return missing.length > 0 || audited.acts.length === 0 ? [`${name}: ${missing.join(', ')}`] : [];
    });
    expect(faults).toEqual([]);
  });

  test('a quiet one notes nothing by its own use case', () => {
    const faults = entries.flatMap(({ name, file, exported }) => {
      const audited = AUDITED_ENTRIES[name];
      const direct = [...reached(file, exported, 1)].filter(([at]) => at.startsWith('lib/'));
      return audited !== undefined && 'quiet' in audited && direct.some(([, text]) => text.includes('recordChange('))
        ? [name]
        : [];
    });
    expect(faults).toEqual([]);
  });
});

/** How far imports are followed from an entry: its use case, what that is made of, and the part that saves. */
const STEPS = 4;

/** The parts of lib and app that the entry's own function uses, by their paths, with their texts. */
function reached(file: string, exported: string, steps = STEPS): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const own = functionText(text, exported);
  const found = new Map([[file, own]]);
  let next = importsOf(file, text).filter(({ names }) => names.some((name) => new RegExp(`\\b${name}\\b`).test(own)));
  for (let step = 0; step < steps; step++) {
    const files = next.map(({ target }) => target).filter((target) => !found.has(target) && isRoom(target));
    for (const target of files) found.set(target, readFileSync(target, 'utf8'));
    next = files.flatMap((target) => importsOf(target, found.get(target) ?? ''));
  }
  return found;
}

/** The function and those of its file that it calls, roughly: the whole file where it is not found. */
function functionText(text: string, exported: string): string {
  const start = text.search(new RegExp(`export (default )?(async )?function ${exported}\\b`));
  if (start === -1) return text;
  const own = text.slice(start, text.indexOf('\n}', start));
  const helpers = [...text.matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].filter(
    ([, name = '']) => name !== exported && new RegExp(`\\b${name}\\(`).test(own),
  );
  return [own, ...helpers.map(({ index }) => text.slice(index, text.indexOf('\n}', index)))].join('\n');
}

function isRoom(target: string): boolean {
  return (/^lib\/(runs|team)\//.test(target) || target.startsWith('app/')) && existsSync(target);
}

function importsOf(file: string, text: string): { target: string; names: string[] }[] {
  return [...text.matchAll(/^import (?:type )?([\w*{}\s,]+?) from '([#.][^']+)'/gm)].map(
    ([, names = '', target = '']) => ({
      target: target.startsWith('#') ? target.slice(1) : path.posix.join(path.posix.dirname(file), target),
      names: [...names.matchAll(/\w+/g)].map(([name]) => name).filter((name) => name !== 'type'),
    }),
  );
}
