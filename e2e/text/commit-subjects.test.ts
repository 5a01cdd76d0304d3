import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintSubject, readSubjects } from './commit-subjects.ts';

describe('lintSubject', () => {
  test.each([
    'fix(webhooks): report the decider once',
    'feat: add a stop rule',
    'fix(models,prompts): show the price',
    'refactor(ui)!: rename the primitives',
    `docs: ${'a'.repeat(66)}`,
  ])('accepts %j', (subject) => {
    expect(lintSubject(subject)).toEqual([]);
  });

  test.each([
    ['no type', 'Report the decider once'],
    ['an unknown type', 'fixes(webhooks): report the decider once'],
    ['no text', 'fix(webhooks): '],
    ['a scope of several words', 'fix(the webhooks): report the decider once'],
    ['no space after the colon', 'fix:report the decider once'],
    ['a period at the end', 'fix: report the decider once.'],
    ['73 characters', `docs: ${'a'.repeat(67)}`],
  ])('rejects %s', (_name, subject) => {
    expect(lintSubject(subject)).toHaveLength(1);
  });
});

describe('commit subjects of this repository', () => {
  test('are Conventional Commits of at most 72 characters', ({ skip }) => {
    const read = readSubjects(process.cwd());
    if ('skipped' in read) return skip(read.skipped);
    const wrong = read.subjects.flatMap((subject) => lintSubject(subject).map((finding) => `${subject}: ${finding}`));
    expect(wrong).toEqual([]);
  });

  test('are skipped in a copy without git', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hone-subjects-'));
    expect(readSubjects(folder)).toHaveProperty('skipped');
    rmSync(folder, { recursive: true });
  });
});
