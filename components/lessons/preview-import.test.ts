import { describe, expect, test } from 'vitest';
import { importKindOf, previewFiles, previewLines } from './preview-import.ts';

describe('import preview', () => {
  test('lists lines by their line number in the text', () => {
    const text = [
      '{"kind": "lesson", "text": "Name the unit."}',
      '',
      '{"kind": "skill_card", "fields": {"pattern": "", "strategy": "Forget first"}}',
      'not JSON',
      '[1]',
      '{}',
      '{"text": "Name the unit."}',
      '{"kind": "hint", "text": "Name the unit."}',
    ].join('\n');
    expect(previewLines(text)).toEqual([
      { where: 'line 1', kind: 'lesson', says: 'Name the unit.', isFaulty: false },
      { where: 'line 3', kind: 'skill_card', says: 'Forget first', isFaulty: false },
      { where: 'line 4', kind: null, says: 'not a JSON object', isFaulty: true },
      { where: 'line 5', kind: null, says: 'not a JSON object', isFaulty: true },
      { where: 'line 6', kind: null, says: 'without a text', isFaulty: true },
      { where: 'line 7', kind: null, says: 'without a kind', isFaulty: true },
      { where: 'line 8', kind: 'hint', says: 'unknown kind', isFaulty: true },
    ]);
  });

  test.each([
    {
      name: 'front matter and a title',
      text: '---\nkind: failure\nagent: a\n---\n\n# What happened\nIt fell.',
      kind: 'failure',
      says: 'What happened',
    },
    {
      name: 'Windows line endings',
      text: '---\r\nkind: "lesson"\r\n---\r\nName the unit.',
      kind: 'lesson',
      says: 'Name the unit.',
    },
    {
      name: 'a failed task in the format of the reflection protocol',
      text: '# Reflection: 2026-03-01 - clerk - sum\n\n## What happened?\nIt fell.\n## Why did it go wrong?\nHaste.',
      kind: 'failure',
      says: 'Reflection: 2026-03-01 - clerk - sum',
    },
    {
      name: 'a partially solved task in the format of the reflection protocol',
      text: '# Reflection: 2026-03-01 - clerk - sum\n\n## What happened?\nIt fell.',
      kind: 'partial',
      says: 'Reflection: 2026-03-01 - clerk - sum',
    },
    {
      name: 'a procedure in the format of the reflection protocol',
      text: '# Procedure: 2026-03-01 - clerk - sum\n\n## Strategy\nAdd.',
      kind: 'success',
      says: 'Procedure: 2026-03-01 - clerk - sum',
    },
    { name: 'no front matter', text: 'Name the unit.', kind: null, says: 'Name the unit.' },
    { name: 'no content', text: '', kind: null, says: 'empty' },
  ])('previews a file with $name', ({ text, kind, says }) => {
    expect(previewFiles([{ path: 'a.md', text }])).toEqual([{ where: 'a.md', kind, says, isFaulty: text === '' }]);
  });
});

describe('importKindOf', () => {
  test.each([
    { names: ['a.md', 'b.MARKDOWN'], kind: 'files' },
    { names: ['lessons.jsonl'], kind: 'lines' },
    { names: ['lessons.tar'], kind: 'archive' },
  ] as const)('imports $names as $kind', ({ names, kind }) => {
    expect(importKindOf(names)).toEqual({ ok: true, value: kind });
  });

  test.each([
    { names: ['a.jsonl', 'b.jsonl'], problem: 'Choose one JSONL file' },
    { names: ['a.tar', 'b.md'], problem: 'Choose one JSONL file' },
    { names: ['a.md', 'b.jsonl'], problem: 'Choose one JSONL file' },
    { names: ['a.md', 'photo.png'], problem: 'photo.png cannot be imported' },
    { names: ['lessons.tar.gz'], problem: 'lessons.tar.gz cannot be imported' },
    { names: ['README'], problem: 'README cannot be imported' },
  ] as const)('rejects $names as a whole, with a reason', ({ names, problem }) => {
    expect(importKindOf(names)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', message: expect.stringContaining(problem) },
    });
  });
});
