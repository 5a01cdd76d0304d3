import { describe, expect, test } from 'vitest';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { tryCriterion } from './try-criterion.ts';

const db = useTestDatabase();
const generator = { provider: 'practice', model: 'practice-1' };
const exact = { name: 'exact', evaluator: 'reference', weight: 0, config: { match: 'exact', normalize: 'trim' } };

function tryIt(input: Record<string, unknown>, signal = new AbortController().signal) {
  return tryCriterion(
    testContext(db.database()),
    TESTER,
    { generator, output: 'about 7', case: { input: 'What is 3 + 4?' }, ...input },
    signal,
  );
}

describe('trying a criterion', () => {
  test('regex: returns score, reason and issue at no cost', async () => {
    const criterion = {
      name: 'digits',
      description: 'Names a number',
      evaluator: 'regex',
      config: { pattern: '\\d{3}' },
    };
    expect(unwrap(await tryIt({ criterion }))).toMatchObject({
      score: 0,
      passed: false,
      reason: expect.stringContaining('must match'),
      issues: ['Not met: Names a number'],
      costUsd: 0,
    });
    expect(unwrap(await tryIt({ criterion, output: 'about 700' }))).toMatchObject({
      score: 1,
      passed: true,
      issues: [],
    });
  });

  test('exact: shows the reference to people but not to models', async () => {
    const wrong = unwrap(await tryIt({ criterion: exact, case: { input: 'q', reference: 'Ouagadougou' } }));
    expect(wrong).toMatchObject({ score: 0, passed: false });
    expect(wrong.detail).toContain('Ouagadougou');
    expect(JSON.stringify([wrong.feedback, wrong.issues, wrong.suggestions, wrong.reason])).not.toContain(
      'Ouagadougou',
    );
  });

  test('exact without a reference: returns no score and the reason', async () => {
    expect(unwrap(await tryIt({ criterion: exact }))).toMatchObject({
      score: null,
      passed: false,
      reason: 'Not scored: the case has no reference.',
    });
  });

  test('comparison: scores against a previous version, or neutral without one', async () => {
    const criterion = { name: 'better', evaluator: 'comparison', threshold: 0.5, config: { against: 'previous' } };
    const output = 'Send limit and cursor. 1. Ask for a page. 2. Ask for the next with its cursor.';
    const alone = unwrap(await tryIt({ criterion, output }));
    expect(alone).toMatchObject({ score: 0.5, tokenUsage: { total: 0 } });
    const paired = unwrap(await tryIt({ criterion, output, earlier: 'Some stuff, maybe.' }));
    expect(paired.tokenUsage.total).toBeGreaterThan(0);
    expect([0, 0.5, 1]).toContain(paired.score);
  });

  test('llm: calls the model and returns the usage', async () => {
    const criterion = { name: 'clarity', evaluator: 'llm', threshold: 0 };
    const tried = unwrap(await tryIt({ criterion, output: 'It is seven, because 3 + 4 = 7.' }));
    expect(tried.score).toBeGreaterThanOrEqual(0);
    expect(tried.score).toBeLessThanOrEqual(1);
    expect(tried.passed).toBe(true);
    expect(tried.tokenUsage.total).toBeGreaterThan(0);
  });
});

describe('rejected trials', () => {
  test.each<{ name: string; input: Record<string, unknown>; field: string; message: string }>([
    {
      name: 'a pattern that does not compile',
      input: { criterion: { name: 'x', evaluator: 'regex', config: { pattern: '(' } } },
      field: 'criterion.config.pattern',
      message: 'criterion.config.pattern does not compile',
    },
    {
      name: 'a criterion without a name',
      input: { criterion: { name: '', evaluator: 'llm' } },
      field: 'criterion.name',
      message: 'criterion.name must not be empty',
    },
    {
      name: 'an output that is too long',
      input: { criterion: exact, output: 'x'.repeat(200_001) },
      field: 'output',
      message: 'output must be at most 200,000 characters',
    },
    {
      name: 'an unknown provider',
      input: { criterion: { name: 'x', evaluator: 'llm' }, evaluatorModel: { provider: 'gone', model: 'm' } },
      field: 'evaluatorModel.provider',
      message: 'there is no provider named "gone"',
    },
  ])('for $name', async ({ input, field, message }) => {
    const result = await tryIt(input);
    expect(result).toMatchObject({ ok: false, problem: { code: 'invalid', field } });
    expect(result.ok ? '' : result.problem.message).toContain(message);
  });

  test('a failed model call, with what happened and what to do', async () => {
    const criterion = { name: 'clarity', evaluator: 'llm' };
    expect(await tryIt({ criterion }, AbortSignal.abort())).toMatchObject({
      ok: false,
      problem: { code: 'unavailable' },
    });
  });
});
