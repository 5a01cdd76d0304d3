import { expect } from '@playwright/test';
import { type AttackTable, eachOf } from './attack.ts';
import { type Hostile, HTML } from './hostile-texts.ts';

const asked = encodeURIComponent(HTML);

/** Every page that shows text from people, models or URLs. */
const PAGES: [string, (of: Hostile) => string][] = [
  ['the home page', () => '/'],
  ['a run', ({ runId }) => `/runs/${runId}`],
  ['a run with rendered output', ({ runId }) => `/runs/${runId}?view=rendered`],
  ['the calls of a run', ({ runId }) => `/runs/${runId}/calls`],
  ['the runs', () => '/runs'],
  ['an experiment', ({ experimentId }) => `/experiments/${experimentId}`],
  ['the form of an experiment', ({ experimentId }) => `/experiments/${experimentId}/edit`],
  ['the experiments', () => '/experiments'],
  ['a comparison', ({ experimentId }) => `/compare?of=${experimentId}&add=1&q=${asked}`],
  ['a dataset', ({ datasetId }) => `/datasets/${datasetId}`],
  ['the datasets', () => '/datasets'],
  ['a lesson', ({ lessonId }) => `/lessons/${lessonId}`],
  ['the lesson library', () => '/lessons'],
  ['the lesson review', () => '/lessons/review'],
  ['the recall preview', () => `/lessons/recall?input=${asked}`],
  ['a prompt', ({ promptName }) => `/prompts/${promptName}`],
  ['the inbox', () => '/inbox'],
  ['the insights page', () => '/insights'],
  ['the models page', () => '/models'],
  ['the settings page', () => '/settings'],
  ['the team page', () => '/settings/team'],
  ['the audit log', () => '/settings/audit'],
  ['a search', () => `/search?q=${asked}`],
  ['an unknown page', () => `/${asked}`],
  ['an unknown run', () => `/runs/${asked}`],
  ['an invalid filter', () => `/runs?status=${asked}&experiment=${asked}&reason=${asked}`],
];

/** Unescaped hostile markup. Pages may contain it only with escaped angle brackets. */
const RAW =
  /<img src=x|<script>window|<svg onload|<iframe|(href|src|action)="(javascript|vbscript|data:text)|src="https:\/\/attacker/i;

const EXPORTS: [string, (of: Hostile) => string][] = [
  ['of a dataset', ({ datasetId }) => `/api/v1/datasets/${datasetId}/export?format=csv`],
  ['of runs', ({ experimentId }) => `/api/v1/export/runs?experimentId=${experimentId}`],
  ['of lessons', () => '/api/v1/lessons/export?format=jsonl'],
  ['of lessons as Markdown', () => '/api/v1/lessons/export?format=markdown'],
  ['of one run by the API', ({ runId }) => `/api/v1/runs/${runId}`],
];

export const CROSS_SITE_SCRIPTING: AttackTable = {
  kind: 'scripts in texts (XSS)',
  attacks: [
    ...eachOf(PAGES, async ({ owner, hostile }, pathOf) => {
      const { status, text, headers } = await owner.call('GET', pathOf(await hostile()));
      expect(status).toBeLessThan(500);
      expect(text).not.toMatch(RAW);
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
      expect(policy).toContain(`img-src 'self' blob: data:;`);
    }),
    ...eachOf(EXPORTS, async ({ owner, hostile }, pathOf) => {
      const { status, headers } = await owner.call('GET', pathOf(await hostile()));
      expect(status).toBe(200);
      // Nothing runs if it is opened in a tab, because its content type is not a page.
      expect(headers['content-type']).not.toMatch(/html|svg|xml/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain(`default-src 'none'`);
    }).map((attack) => ({ ...attack, name: `an export ${attack.name}` })),
    {
      name: 'error messages',
      attempt: async ({ owner }) => {
        for (const path of [`/api/v1/${asked}`, `/api/v1/runs?status=${asked}`, `/api/v1/prompts/${asked}`]) {
          const { headers } = await owner.call('GET', path);
          expect(headers['content-type']).toMatch(/^application\/json/);
          expect(headers['x-content-type-options']).toBe('nosniff');
        }
      },
    },
  ],
};
