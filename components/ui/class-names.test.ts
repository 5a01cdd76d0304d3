import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { describe, expect, test } from 'vitest';
import { classNames } from './class-names.ts';

/** Matches `${…}` in a template literal. */
const PLACEHOLDER = /\$\{[^}]*\}/g;

/** Full Tailwind merge with the theme of `app/globals.css`. */
const mergeAll = extendTailwindMerge({
  extend: {
    theme: {
      text: ['xs', 'sm', 'code', 'md', 'base', 'xl', '2xl'],
      radius: ['1', '2', '3'],
      shadow: ['bar', 'pop', 'chosen'],
    },
  },
});

/** Returns the quoted strings of the source, including those inside `${…}` of templates. */
function stringsOf(source: string): string[] {
  return [...source.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].flatMap(([, single, double, template]) =>
    template === undefined
      ? (single ?? double ?? '')
      : [template.replaceAll(PLACEHOLDER, ' '), ...(template.match(PLACEHOLDER) ?? []).flatMap(stringsOf)],
  );
}

/** Returns the words of the source that may be classes, without variants (`hover:`) and `!`. */
function wordsOf(source: string): string[] {
  return stringsOf(source)
    .flatMap((text) => text.split(/\s+/))
    .map((word) => word.replace(/^(?:(?:\[[^\]]*\]|[^:[\]])*:)+(?=[a-z[-])/, '').replace(/!$/, ''));
}

const files = ['components', 'app'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|class-names\.ts$/.test(file))
    .map((file) => path.join(folder, file)),
);
const words = new Set(files.flatMap((file) => wordsOf(readFileSync(file, 'utf8'))));
/** Words that are classes. Tailwind merge keeps only one of two equal classes. */
const classes = [...words].filter((word) => word !== '' && mergeAll(`${word} ${word}`) === word);
/** The first class of each group. Classes of one group override each other. */
const firsts: string[] = [];
for (const one of classes)
  if (!firsts.some((first) => mergeAll(`${first} ${one}`) === one && mergeAll(`${one} ${first}`) === first))
    firsts.push(one);

describe('classNames', () => {
  test('overrides like full Tailwind merge for every class in the source', () => {
    expect(classes.length).toBeGreaterThan(600);
    expect(firsts.length).toBeGreaterThan(100);
    const wrong = classes.flatMap((one) =>
      firsts
        .filter((first) => first !== one)
        .flatMap((first) => [`${one} ${first}`, `${first} ${one}`])
        .filter((pair) => classNames(pair) !== mergeAll(pair)),
    );
    expect(wrong).toEqual([]);
  }, 120_000);

  test.each([
    ['px-6 py-4 max-narrow:px-4', 'px-4', 'py-4 max-narrow:px-4 px-4'],
    ['text-md/[1.4] leading-none', 'text-code', 'leading-none text-code'],
    ['leading-none', 'text-md/[1.4]', 'text-md/[1.4]'],
    ['hover:bg-hover bg-surface', 'hover:bg-brand', 'bg-surface hover:bg-brand'],
    ['border border-line', 'border-b-0 border-worse', 'border border-b-0 border-worse'],
    ['*:h-6.5', '*:h-5.5', '*:h-5.5'],
    ['h-auto', false, 'h-auto'],
  ])('merges "%s" and "%s" to "%s"', (base, own, merged) => {
    expect(classNames(base, own)).toBe(merged);
  });
});
