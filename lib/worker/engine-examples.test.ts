import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createEngine } from '#lib/core/engine.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';

/** Responses of a scripted model by role, each list in order. */
type Answers = Partial<Record<ModelRequest['role'], (string | object)[]>>;

function scripted(answers: Answers) {
  const asked: ModelRequest[] = [];
  const ask = async (request: ModelRequest): Promise<string> => {
    const reply = answers[request.role]?.[asked.filter(({ role }) => role === request.role).length];
    if (reply === undefined) throw new Error(`${request.role} was not expected to be asked again`);
    asked.push(request);
    return typeof reply === 'string' ? reply : JSON.stringify(reply);
  };
  return { ask, asked };
}

const MODEL = { provider: 'mine', model: 'writer-1' };

describe('examples from the documentation', () => {
  test('fixes code by edits', async () => {
    const draft = 'def longest(s):\n    return s[0]\n';
    const scores = (correctness: number, edge_cases: number) =>
      verdict(
        { correctness, efficiency: 0.9, readability: 0.9, edge_cases },
        correctness < 0.85 ? ['Only one sign'] : [],
      );
    const { ask } = scripted({
      generate: [draft],
      evaluate: [scores(0.3, 0.2), scores(0.9, 0.4), scores(0.95, 0.9)],
      reflect: [
        {
          summary: 'It looks at one sign only.',
          issues: [{ text: 'Only one sign', criterion: 'correctness' }],
          suggestions: [],
        },
        {
          summary: 'Empty input fails.',
          issues: [{ text: 'Empty input fails', criterion: 'edge_cases' }],
          suggestions: [],
        },
      ],
      revise: [
        { edits: [{ find: 'return s[0]', replace: 'return max(palindromes(s), key=len)', occurrence: null }] },
        { edits: [{ find: 'key=len)', replace: "key=len, default='')", occurrence: null }] },
      ],
    });
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    // docs: code
    const coder = createEngine({
      settings: {
        generator: { ...MODEL, instructions: 'You write Python that others enjoy to read.' },
        criteria: [
          { name: 'correctness', weight: 2, evaluator: 'llm' },
          { name: 'efficiency', evaluator: 'llm' },
          { name: 'readability', evaluator: 'llm' },
          { name: 'edge_cases', weight: 1.5, evaluator: 'llm' },
        ],
        qualityThreshold: 0.85,
        maxIterations: 4,
        revision: { strategy: 'targeted_edit' },
      },
      ask,
      evaluate: evaluateAlone,
    });
    const { history } = await coder.execute('Find the longest palindrome within a text, as a Python function.');
    for (const { iteration, evaluation } of history.versions) {
      const issues = evaluation?.issues.map(({ text }) => text) ?? [];
      print(`${iteration}: ${evaluation?.overallScore?.toFixed(2) ?? 'unscored'} ${issues.join(', ')}`);
    }
    // docs end
    expect(printed).toEqual(['0: 0.49 Only one sign', '1: 0.76 ', '2: 0.92 ']);
    expect(history).toMatchObject({ convergenceReason: 'quality_met', bestVersion: 2 });
    expect(history.versions[2]?.output).toBe("def longest(s):\n    return max(palindromes(s), key=len, default='')\n");
    expect(history.versions.map(({ strategy }) => strategy)).toEqual([null, 'targeted_edit', 'targeted_edit']);
  });

  test('combines a code validator with a judge', async () => {
    const { ask, asked } = scripted({
      generate: ['const sum = (a, b => a + b;'],
      evaluate: [verdict({ correctness: 0.9 }), verdict({ correctness: 0.9 })],
      reflect: [{ summary: 'It does not parse.', issues: [], suggestions: ['Close the bracket'] }],
      revise: ['const sum = (a, b) => a + b;'],
    });
    // docs: validator
    const careful = createEngine({
      settings: {
        generator: MODEL,
        criteria: [
          { name: 'syntax', validate: parses },
          { name: 'correctness', evaluator: 'llm' },
        ],
      },
      ask,
      evaluate: evaluateAlone,
      onReflection: ({ overallScore }, iteration) => (iteration === 2 && (overallScore ?? 0) < 0.5 ? 'stop' : 'auto'),
    });

    function parses(code: string): [passed: boolean, message: string] {
      try {
        new Script(code);
        return [true, 'it parses'];
      } catch (error) {
        return [false, `it does not parse: ${error instanceof Error ? error.message : error}`];
      }
    }

    const { finalOutput } = await careful.execute('Add two numbers, in JavaScript.');
    // docs end
    expect(finalOutput).toBe('const sum = (a, b) => a + b;');
    const { versions } = careful.getHistory();
    expect(versions.map(({ evaluation }) => evaluation?.criteriaScores)).toEqual([
      { syntax: 0, correctness: 0.9 },
      { syntax: 1, correctness: 0.9 },
    ]);
    expect(asked.find(({ role }) => role === 'reflect')?.prompt).toContain('syntax: it does not parse: ');
  });

  test('keeps the best of several drafts of a text', async () => {
    const scores = (score: number) => verdict({ clarity: score, engagement: score, accuracy: score, structure: score });
    const critique = (text: string) => ({ summary: text, issues: [{ text, criterion: null }], suggestions: [] });
    const added = (section: number, text: string) => ({ changes: [{ change: 'add_after', section, text }] });
    const { ask } = scripted({
      generate: ['# Waiting without idling'],
      evaluate: [scores(0.4), scores(0.7), scores(0.65), scores(0.6)],
      reflect: [critique('No example'), critique('No summary'), critique('Too terse')],
      revise: [added(1, 'An example.'), added(2, 'A summary.'), added(2, 'A longer example.')],
    });
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    // docs: drafts
    const writer = createEngine({
      settings: {
        generator: { ...MODEL, instructions: 'You explain technology to people who build with it.' },
        criteria: [
          { name: 'clarity', weight: 1.5, evaluator: 'llm' },
          { name: 'engagement', evaluator: 'llm' },
          { name: 'accuracy', weight: 2, evaluator: 'llm' },
          { name: 'structure', evaluator: 'llm' },
        ],
        maxIterations: 5,
        revision: { strategy: 'incremental' },
        bestVersion: 'highest_score',
      },
      ask,
      evaluate: evaluateAlone,
    });
    const text = await writer.execute('A tutorial on async and await in Python.');
    const best = writer.getBestVersion();
    print(`${text.iterationsUsed} revisions, then ${text.convergenceReason}`);
    print(`best: v${best?.number} with ${best?.evaluation?.overallScore?.toFixed(2)}`);
    // docs end
    expect(printed).toEqual(['3 revisions, then plateau', 'best: v1 with 0.70']);
    expect(text.bestOutput).toBe(best?.output);
  });
});

/** Returns the lines between `docs: name` and `docs end` without their common indentation. */
function shown(name: string): string {
  const source = readFileSync(import.meta.filename, 'utf8');
  const region = source.split(`    // docs: ${name}\n`)[1]?.split('    // docs end\n')[0];
  if (region === undefined) throw new Error(`no region ${name}`);
  return region
    .split('\n')
    .map((line) => line.replace(/^ {4}/, ''))
    .join('\n')
    .trim();
}

test.each(['code', 'validator', 'drafts'])('the documentation contains exactly this code: %s', (name) => {
  const blocks = [
    ...readFileSync('docs/how-to/embed-the-engine.md', 'utf8').matchAll(/^```ts engine\n([\s\S]*?)\n```$/gm),
  ].map(([, code]) => code);
  expect(blocks).toContain(shown(name));
});
