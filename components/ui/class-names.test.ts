import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { describe, expect, test } from 'vitest';
import { classNames } from './class-names.ts';

/** All of Tailwind, with the theme of `app/globals.css`. */
const mergeAll = extendTailwindMerge({
  override: { conflictingClassGroups: { 'font-size': [] } },
  extend: {
    theme: {
      text: ['xs', 'sm', 'code', 'md', 'base', 'xl', '2xl'],
      radius: ['1', '2', '3'],
      shadow: ['bar', 'pop', 'chosen'],
    },
  },
});

/** What stands in texts of the source and may be a class, without its variants (`hover:`) and `!`. */
function wordsOf(source: string): string[] {
  const texts = [...source.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  return texts
    .flatMap((text) => text.split(/\s+/))
    .map((word) => word.replace(/^(?:(?:\[[^\]]*\]|[^:[\]])*:)+(?=[a-z[-])/, '').replace(/!$/, ''));
}

const files = ['components', 'app'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|class-groups\.ts$/.test(file))
    .map((file) => path.join(folder, file)),
);
const words = new Set(files.flatMap((file) => wordsOf(readFileSync(file, 'utf8'))));
/** Tailwind drops a class that is there twice. */
const classes = [...words].filter((word) => word !== '' && mergeAll(`${word} ${word}`) === word);
/** The classes by group: those of one group override each other. */
const groups: string[][] = [];
for (const one of classes) {
  const group = groups.find(([first]) => mergeAll(`${first} ${one}`) === one && mergeAll(`${one} ${first}`) === first);
  if (group === undefined) groups.push([one]);
  else group.push(one);
}

describe('class names', () => {
  test('override each other as all of Tailwind does, for every class in the source', () => {
    expect(classes.length).toBeGreaterThan(600);
    expect(groups.length).toBeGreaterThan(100);
    const firsts = groups.map(([first]) => first);
    const pairs = [
      ...groups.flatMap(([first, ...others]) => others.map((other) => [first, other])),
      ...firsts.flatMap((one) => firsts.filter((other) => other !== one).map((other) => [one, other])),
    ];
    const wrong = pairs
      .flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`])
      .filter((pair) => classNames(pair) !== mergeAll(pair));
    expect(wrong).toEqual([]);
  });

  test.each([
    ['px-6 py-4 max-narrow:px-4', 'px-4', 'py-4 max-narrow:px-4 px-4'],
    ['text-md/[1.4] leading-none', 'text-code', 'leading-none text-code'],
    ['leading-none', 'text-md/[1.4]', 'text-md/[1.4]'],
    ['hover:bg-hover bg-surface', 'hover:bg-brand', 'bg-surface hover:bg-brand'],
    ['border border-line', 'border-b-0 border-worse', 'border border-b-0 border-worse'],
    ['*:h-6.5', '*:h-5.5', '*:h-5.5'],
    ['h-auto', false, 'h-auto'],
  ])('of "%s" and "%s" remains "%s"', (base, own, merged) => {
    expect(classNames(base, own)).toBe(merged);
  });
});
