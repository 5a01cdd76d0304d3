import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENTRIES, type ListedEntry } from '#lib/auth/entries.test-support.ts';

type Source = { file: string; text: string; own: string };

const DEFINITIONS = globSync('lib/api/*.ts', { exclude: (file) => /\.test(-support)?\.ts$/.test(file) }).map(
  (file) => ({
    file,
    text: readFileSync(file, 'utf8'),
  }),
);
const GIVES_FILES = /\/(export|report)(\/|$)/;

// The catch-all routes for unknown paths have no code of their own.
const entries = ENTRIES.filter(({ kind, path: route }) => kind !== 'page' && !route?.includes('{rest}'));

describe('audit declaration of each entry that writes or returns files', () => {
  test('exists for every such entry', () => {
    const needing = entries.filter(({ writes, path: route }) => writes || GIVES_FILES.test(route ?? ''));
    expect(needing.length).toBeGreaterThan(100);
    expect(needing.filter(({ audit }) => audit === null).map(({ name }) => name)).toEqual([]);
  });
});

describe('audit declarations match the code', () => {
  test('the entry calls code that records each declared event', () => {
    const faults = entries.flatMap((entry) => {
      const { name, audit } = entry;
      if (audit === null || 'none' in audit) return [];
      const code = [...reached(sourceOf(entry))].map(([, text]) => text).join('\n');
      const missing = audit.filter((act) => !code.includes(`'${act}'`) || !/record(Change|Export)?\b/.test(code));
      return missing.length > 0 || audit.length === 0 ? [`${name}: ${missing.join(', ')}`] : [];
    });
    expect(faults).toEqual([]);
  });

  test('an entry declared as unaudited records no events directly', () => {
    const faults = entries.flatMap((entry) => {
      const { name, audit } = entry;
      if (audit === null || !('none' in audit)) return [];
      return calledCode(sourceOf(entry)).some((code) => code.includes('recordChange(')) ? [name] : [];
    });
    expect(faults).toEqual([]);
  });
});

/** Maximum import depth from an entry: its use case, the parts of the use case, and the part that saves. */
const STEPS = 4;

/** Returns the modules of lib and app that an entry's code uses, as texts by path. */
function reached({ file, text, own }: Source): Map<string, string> {
  const found = new Map([[file, own]]);
  let next = usedImports({ file, text, own });
  for (let step = 0; step < STEPS; step++) {
    const files = next.map(({ target }) => target).filter((target) => !found.has(target) && isFollowed(target));
    for (const target of files) found.set(target, readFileSync(target, 'utf8'));
    next = files.flatMap((target) => importsOf(target, found.get(target) ?? ''));
  }
  return found;
}

/** Returns the source of the functions of lib that an entry's code calls. */
function calledCode(source: Source): string[] {
  return usedImports(source)
    .filter(({ target }) => target.startsWith('lib/') && isFollowed(target))
    .map(({ target, names }) => withHelpers(readFileSync(target, 'utf8'), names.join(' ')));
}

function usedImports({ file, text, own }: Source): { target: string; names: string[] }[] {
  const isUsed = (name: string) => !name.endsWith('Schema') && new RegExp(`\\b${name}\\b`).test(own);
  return importsOf(file, text)
    .map(({ target, names }) => ({ target, names: names.filter(isUsed) }))
    .filter(({ names }) => names.length > 0);
}

function sourceOf({ kind, name, file, exported }: ListedEntry): Source {
  if (kind === 'route') return sourceOfRoute(name);
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(`export const ${exported} = `);
  return {
    file,
    text,
    own: withHelpers(text, text.slice(start, text.indexOf('\n);', start) + 1 || text.indexOf('\n});', start))),
  };
}

/** Returns the source of a route: its definition and the functions in its file that it calls. */
function sourceOfRoute(name: string): Source {
  const found = DEFINITIONS.find(({ text }) => text.includes(`defineRoute('${name}', `));
  if (found === undefined) throw new Error(`${name} is defined in none of ${DEFINITIONS.length} files`);
  const start = found.text.indexOf(`defineRoute('${name}', `);
  return { ...found, own: withHelpers(found.text, found.text.slice(start, found.text.indexOf('\n  }),', start))) };
}

function withHelpers(text: string, own: string): string {
  const helpers = [...text.matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].filter(([, name = '']) =>
    new RegExp(`\\b${name}\\b`).test(own),
  );
  return [own, ...helpers.map(({ index }) => text.slice(index, text.indexOf('\n}', index)))].join('\n');
}

function isFollowed(target: string): boolean {
  return (/^lib\/(?!database\/|http\/)/.test(target) || target.startsWith('app/')) && existsSync(target);
}

function importsOf(file: string, text: string): { target: string; names: string[] }[] {
  return [
    ...text.matchAll(/^import (?:type )?([\w*{}\s,]+?) from '([#.][^']+)'/gm),
    ...text.matchAll(/const ({[\w\s,]+}) = await import\('([#.][^']+)'\)/g),
  ].map(([, names = '', target = '']) => ({
    target: target.startsWith('#') ? target.slice(1) : path.posix.join(path.posix.dirname(file), target),
    names: [...names.matchAll(/\w+/g)].map(([name]) => name).filter((name) => name !== 'type'),
  }));
}
