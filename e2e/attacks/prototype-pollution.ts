import { expect } from '@playwright/test';
import { SMALL } from '../api/open-api.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendAction } from './send-action.ts';
import type { Stage } from './stage.ts';

/** JSON keys that pollute the prototype of every object if a program copies them key by key. */
const POISON = '"__proto__": {"name": "polluted", "input": "polluted"}';
const CONSTRUCTOR = '"constructor": {"prototype": {"name": "polluted", "input": "polluted"}}';

/** With a polluted prototype, a body without the required name would be accepted. */
async function expectClean({ owner }: Stage): Promise<void> {
  const { name: _name, ...nameless } = SMALL;
  expect((await owner.call('POST', '/api/v1/experiments', nameless)).status).toBe(400);
  expect((await owner.call('POST', '/api/v1/datasets', { cases: [{ input: 'x' }] })).status).toBe(400);
  expect((await owner.call('POST', '/api/v1/datasets', { name: 'x', cases: [{}] })).status).toBe(400);
}

const rest = JSON.stringify(SMALL).slice(1);
const BODIES: [string, [path: string, body: string, type?: string]][] = [
  ['experiment settings', ['/api/v1/experiments', `{${POISON}, ${rest}`]],
  ['settings with a constructor key', ['/api/v1/experiments', `{${CONSTRUCTOR}, ${rest}`]],
  [
    'nested settings',
    ['/api/v1/experiments', `{"revision": {${POISON}}, "generator": {${POISON}, "provider": "practice"}, ${rest}`],
  ],
  [
    'the config of a criterion',
    [
      '/api/v1/experiments/try-criterion',
      `{"criterion": {"name": "c", "evaluator": "regex", "config": {${POISON}, "pattern": "x"}}, "case": {"input": "x"}, "output": "x", "generator": {"provider": "practice", "model": "practice-1"}}`,
    ],
  ],
  ['the metadata of a case', ['/api/v1/datasets', `{"name": "P", "cases": [{"input": "x", "metadata": {${POISON}}}]}`]],
  ['a JSONL line', ['/api/v1/datasets?name=P', `{"input": "x", ${POISON}}\n`, 'application/jsonl']],
  ['a CSV column', ['/api/v1/datasets?name=P', 'input,__proto__,constructor\nx,y,z\n', 'text/csv']],
  ['the fields of a lesson', ['/api/v1/lessons', `{"kind": "failure", "fields": {${POISON}}}`]],
  [
    'a line of imported lessons',
    ['/api/v1/lessons/import', `{"kind": "lesson", "text": "x", ${POISON}}\n`, 'application/jsonl'],
  ],
  ['a line of imported runs', ['/api/v1/runs/import', `{"run": "r", ${POISON}}\n`, 'application/jsonl']],
  [
    'the front matter of a lesson',
    ['/api/v1/lessons/import', '---\nkind: lesson\n__proto__: x\n---\nText\n', 'text/markdown'],
  ],
  [
    'a promptfoo configuration',
    [
      '/api/v1/datasets/promptfoo',
      `{"config": ${JSON.stringify('__proto__:\n  name: polluted\ntests:\n  - vars: {__proto__: {name: polluted}}\n')}}`,
    ],
  ],
  ['prices with a forged model name', ['/api/v1/providers', `{"name": "p", "kind": "openai", "prices": {${POISON}}}`]],
];

export const PROTOTYPE_POLLUTION: AttackTable = {
  kind: 'prototype pollution',
  attacks: [
    ...eachOf(BODIES, async (stage, [path, body, type]) => {
      const { status, text } = await stage.owner.call('POST', path, body, type === undefined ? {} : { type });
      expect(status).toBeLessThan(500);
      expect(text).not.toContain('"polluted"');
      await expectClean(stage);
    }),
    {
      name: 'query parameters',
      attempt: async (stage) => {
        for (const query of [
          '__proto__[name]=polluted',
          'constructor.prototype.name=polluted',
          '__proto__.name=polluted',
        ])
          expect((await stage.owner.call('GET', `/api/v1/experiments?${query}`)).status).toBe(400);
        await expectClean(stage);
      },
    },
    {
      name: 'serialised action arguments',
      attempt: async (stage) => {
        const action = stage.action('createPromptAction');
        const headers = { ...stage.owner.headers, origin: stage.address, 'sec-fetch-site': 'same-origin' };
        for (const args of [
          `[{}, {${POISON}}]`,
          '[{}, "$1:__proto__:polluted"]',
          '[{}, "$1:constructor:constructor"]',
          '[{}, {"then": "$1:__proto__:then", "status": "resolved_model", "value": "{\\"then\\": \\"$B0\\"}"}]',
        ]) {
          const response = await sendAction(stage.address, { action, page: '/prompts/new', args, headers });
          expect(response.text).not.toContain('polluted');
        }
        await expectClean(stage);
      },
    },
  ],
};
