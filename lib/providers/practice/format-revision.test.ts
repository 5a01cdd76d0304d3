import { describe, expect, test } from 'vitest';
import { STRATEGIES } from '#lib/core/revision/choose-strategy.ts';
import { sectionsOf } from '#lib/core/revision/sections-of.ts';
import type { AppliedStrategy } from '#lib/core/revision/strategy.ts';
import { evaluate, generate, overall, reflect, revise } from './loop.test-support.ts';

const SAMPLE = 'Explain our rate limits to a new user';
const WRITING = ['clarity: easy to follow', 'coherence', 'completeness', 'tone'];
const NAMES: AppliedStrategy[] = ['full_rewrite', 'targeted_edit', 'incremental'];
const FORMS = NAMES.flatMap((name) => [true, false].map((structured) => ({ name, structured })));

function sections(text: string): string[] {
  return sectionsOf(text).map(({ start, end }) => text.slice(start, end));
}

function revised(name: AppliedStrategy, structured: boolean, task: string, draft: string) {
  const critique = reflect(task, draft, evaluate(task, draft, WRITING));
  const strategy = STRATEGIES[name];
  const form = { sections: strategy.form(draft, structured), asJson: structured && strategy.output !== null };
  const made = strategy.read(draft, revise(task, draft, critique, null, form));
  return { made, wanted: revise(task, draft, critique) };
}

describe.each(FORMS)('$name, structured: $structured', ({ name, structured }) => {
  test.each([
    SAMPLE,
    'Write a friendly email to customers about our new pricing',
    'Why is the sky blue?',
    'Erkläre die Ratenbegrenzung',
  ])('fixes the same flaws as a full rewrite and raises the score: %s', (task) => {
    let draft = generate(task);
    const scores = [overall(evaluate(task, draft, WRITING))];
    for (let round = 0; round < 4; round++) {
      const { made, wanted } = revised(name, structured, task, draft);
      if (wanted === draft) break;
      if (!made.ok) throw new Error(made.wrong.join('; '));
      expect(sections(made.output)).toEqual(sections(wanted));
      draft = made.output;
      scores.push(overall(evaluate(task, draft, WRITING)));
    }
    expect(scores.at(-1)).toBeGreaterThan((scores[0] ?? 1) + 0.2);
  });

  test('changes nothing without feedback', () => {
    const draft = generate(SAMPLE);
    const strategy = STRATEGIES[name];
    const form = { sections: strategy.form(draft, structured), asJson: structured && strategy.output !== null };
    const made = strategy.read(draft, revise(SAMPLE, draft, { summary: '', issues: [], suggestions: [] }, null, form));
    if (name === 'full_rewrite') expect(made).toEqual({ ok: true, output: draft });
    else expect(made).toMatchObject({ ok: false, wrong: [expect.stringMatching(/^there is no /)] });
  });

  test('distinguishes repeated sections of the draft', () => {
    const draft = 'Stuff about rate limits.\n\nStuff about rate limits.\n\nThe end of it all.';
    const { made, wanted } = revised(name, structured, SAMPLE, draft);
    if (!made.ok) throw new Error(made.wrong.join('; '));
    expect(made.output).not.toBe(draft);
    if (name !== 'incremental') expect(sections(made.output)).toEqual(sections(wanted));
  });
});

test('issues have the correct scope', () => {
  const { issues } = reflect(SAMPLE, generate(SAMPLE), evaluate(SAMPLE, generate(SAMPLE), WRITING));
  const scopeOf = (text: RegExp) => issues.find((issue) => text.test(issue.text))?.scope;
  const adding = /missing|no (?:example|reason)|without a summary|does not say what to do/;
  expect(new Set(issues.map(({ scope }) => scope))).toEqual(new Set(['local', 'missing']));
  for (const { text, scope } of issues) expect(scope).toBe(adding.test(text) ? 'missing' : 'local');
  expect(scopeOf(adding)).toBe('missing');
});
