import { expect } from '@playwright/test';
import { createdDatasetSchema, datasetSchema } from '#lib/api/datasets-schema.ts';
import { experimentSchema } from '#lib/api/experiments-schema.ts';
import { auditEntriesSchema } from '#lib/api/team.ts';
import { SMALL } from '../api/open-api.ts';
import { asBrowser } from './as-member.ts';
import { type AttackTable, eachOf } from './attack.ts';
import type { Stage } from './stage.ts';

/** Invisible characters in names, as sent and as they must be stored. */
const INVISIBLE: [string, [sent: string, kept: string]][] = [
  ['bidirectional control characters', ['invoice\u202Efdp.exe', 'invoicefdp.exe']],
  ['zero-width spaces', ['Ad\u200Bmin\u2060 run', 'Admin run']],
  ['an unclosed bidirectional isolate', ['Nightly\u2067 run', 'Nightly run']],
];
/** Names with similar characters that are legitimate and must be kept. */
const LEGITIMATE = ['می\u200Cخواهم', 'Team \u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 'ניסוי ראשון'];

async function keptNames({ owner }: Stage, name: string): Promise<Record<string, string | undefined>> {
  const cases = [{ input: 'x', tags: [name] }];
  const { id } = await owner.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name, cases });
  const dataset = await owner.read(datasetSchema, 'GET', `/api/v1/datasets/${id}`);
  const experimentId = await owner.createExperiment({
    ...SMALL,
    name,
    generator: { provider: 'practice', model: name },
  });
  const experiment = await owner.read(experimentSchema, 'GET', `/api/v1/experiments/${experimentId}`);
  return {
    dataset: dataset.name,
    tag: dataset.cases[0]?.tags[0],
    experiment: experiment.name,
    model: experiment.settings.generator.model,
  };
}

const refusedEntries = async ({ owner }: Stage, memberId: string) => {
  const { items } = await owner.read(auditEntriesSchema, 'GET', `/api/v1/audit?actorId=${memberId}`);
  return items.filter(({ outcome }) => outcome === 'refused').map(({ entry, change }) => ({ entry, change }));
};

const PREFETCH = { 'next-router-prefetch': '1', rsc: '1' };
const PAGE_VIEWS: [string, [headers: Record<string, string>[], change: Record<string, unknown>]][] = [
  ['prefetched repeatedly', [Array(5).fill(PREFETCH), { needed: 'owner', prefetch: true }]],
  ['prerendered by a browser', [[{ 'sec-purpose': 'prefetch' }], { needed: 'owner', prefetch: true }]],
  ['opened by a click, which requests it twice', [[{ rsc: '1' }, {}], { needed: 'owner' }]],
  ['opened with a forged server header', [[{ 'x-hone-page-request': 'prefetch' }], { needed: 'owner' }]],
];

export const NAMES_AND_AUDIT: AttackTable = {
  kind: 'invisible characters and duplicate audit entries',
  attacks: [
    ...eachOf(INVISIBLE, async (stage, [sent, kept]) => {
      expect(await keptNames(stage, sent)).toEqual({ dataset: kept, tag: kept, experiment: kept, model: kept });
    }).map((attack) => ({ ...attack, name: `names with ${attack.name}` })),
    {
      name: 'right-to-left names and joined emoji stay unchanged',
      attempt: async (stage) => {
        for (const name of LEGITIMATE)
          expect(await keptNames(stage, name)).toEqual({ dataset: name, tag: name, experiment: name, model: name });
      },
    },
    {
      name: 'a name of only invisible characters',
      attempt: async ({ owner }) => {
        for (const [path, body] of [
          ['/api/v1/datasets', { cases: [{ input: 'x' }] }],
          ['/api/v1/experiments', SMALL],
        ] as const)
          expect(await owner.call('POST', path, { ...body, name: '\u200B\u202E' })).toMatchObject({
            status: 400,
            body: { error: { field: 'name' } },
          });
      },
    },
    ...eachOf(PAGE_VIEWS, async (stage, [requests, change]) => {
      const member = await stage.newMember('viewer');
      const client = asBrowser(stage, member);
      const mine = await client.call('GET', '/experiments', undefined, { headers: { 'sec-purpose': 'prefetch' } });
      expect(mine.status).toBe(200);
      expect(await refusedEntries(stage, member.memberId)).toEqual([]);
      for (const headers of requests)
        expect((await client.call('GET', '/settings/audit', undefined, { headers })).status).toBe(403);
      expect(await refusedEntries(stage, member.memberId)).toEqual([{ entry: 'page /settings/audit', change }]);
    }).map((attack) => ({ ...attack, name: `an owner page ${attack.name}: one audit entry` })),
  ],
};
