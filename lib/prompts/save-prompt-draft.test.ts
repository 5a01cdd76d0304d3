import { expect, test } from 'vitest';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { createPrompt } from './prompt-library.ts';
import { findPromptDraft } from './queries.ts';
import { deletePromptDraftOf, savePromptDraft, savePromptVersion } from './save-prompt-version.ts';

const db = useTestDatabase();

test('keeps a draft per person, reports a conflict between windows, and ends when a version is saved', async () => {
  const context = { ...testContext(db.database()), now: () => new Date('2026-11-20T10:00:00Z') };
  unwrap(await createPrompt(context, TESTER, { name: 'mail', text: 'Sort {{input}}' }));
  const keep = async (text: string, since: string | null) =>
    unwrap(await savePromptDraft(context, TESTER, 'mail', { text, baseVersion: 1, since }));
  const there = () => findPromptDraft(db.database(), { name: 'mail', actorId: TESTER.id });

  const first = await keep('Sort {{input}} a', null);
  expect(first).toEqual({ status: 'kept', updatedAt: '2026-11-20T10:00:00.000Z' });
  // The clock does not advance, but the revision still changes.
  const second = await keep('Sort {{input}} b', '2026-11-20T10:00:00.000Z');
  expect(second).toEqual({ status: 'kept', updatedAt: '2026-11-20T10:00:00.001Z' });

  const late = {
    status: 'changed',
    draft: {
      text: 'Sort {{input}} b',
      tools: [],
      responseSchema: null,
      baseVersion: 1,
      updatedAt: '2026-11-20T10:00:00.001Z',
    },
  };
  expect(await keep('Sort {{input}} other window', '2026-11-20T10:00:00.000Z')).toEqual(late);
  expect(await keep('Sort {{input}} new window', null)).toEqual(late);
  expect((await there())?.text).toBe('Sort {{input}} b');

  unwrap(
    await savePromptVersion(context, TESTER, 'mail', { text: 'Sort {{input}} b', message: 'b' }, { dropDraft: true }),
  );
  expect(await there()).toBeNull();
  expect(await keep('Sort {{input}} late', '2026-11-20T10:00:00.001Z')).toEqual({ status: 'changed', draft: null });

  const other = { ...TESTER, id: 'other' };
  expect(unwrap(await savePromptDraft(context, other, 'mail', { text: 'mine', since: null })).status).toBe('kept');
  expect(unwrap(await deletePromptDraftOf(context, other, 'mail', '2026-11-20T10:00:00.000Z'))).toEqual({
    left: true,
  });
  expect(unwrap(await deletePromptDraftOf(context, other, 'mail', '2026-11-20T10:00:00.000Z'))).toEqual({
    left: false,
  });
});

test.each([
  ['of an unknown prompt', 'nobody', { text: 'a' }, 'There is no prompt named "nobody".'],
  ['with an invalid time', 'mail', { text: 'a', since: 'now' }, 'since must be the time'],
  ['with a time in the year 0', 'mail', { text: 'a', since: '0000-01-01T00:00:00Z' }, 'since must be after the year 0'],
  ['that is too long', 'mail', { text: 'a'.repeat(50_001) }, 'text must be at most 50,000 characters'],
])('refuses a draft %s', async (_name, prompt, input, words) => {
  const refused = await savePromptDraft(testContext(db.database()), TESTER, prompt, input);
  expect(refused.ok ? '' : refused.problem.message).toContain(words);
});

test('replaces an unanswered draft of the same window, but no other draft', async () => {
  const context = testContext(db.database());
  unwrap(await createPrompt(context, TESTER, { name: 'left', text: 'Sort {{input}}' }));
  const keep = async (draft: object) => unwrap(await savePromptDraft(context, TESTER, 'left', draft));
  const tools = [{ name: 'lookup', description: '', parameters: { type: 'object', properties: {} } }];
  const first = { text: 'one', tools, responseSchema: { name: 'answer', schema: { type: 'object', properties: {} } } };
  await keep({ ...first, since: null });
  const unanswered = [{ text: 'zero' }, first];
  expect(await keep({ text: 'two', since: null, unanswered: [{ text: 'one' }] })).toMatchObject({ status: 'changed' });
  expect(await keep({ text: 'two', since: null, unanswered })).toMatchObject({ status: 'kept' });
  expect(await keep({ text: 'three', since: null, unanswered })).toMatchObject({ status: 'changed' });
  expect(await keep({ text: 'three', since: null, unanswered: [{ text: 'two' }] })).toMatchObject({ status: 'kept' });
});
