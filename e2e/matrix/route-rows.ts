import { SMALL } from '../api/open-api.ts';
import type { Row } from './row.ts';

const STOP = { decision: 'stop' };
const NOTE = { text: 'Written by somebody who may not.' };
const PROMOTE = { verdict: 'promote', editCount: 0 };
const WINDOW = '11111111-1111-4111-8111-111111111111';
const INPUT = { input: 'Explain a zeppelin.' };
const CASES = { cases: [INPUT] };
const PROMPT = { name: 'made/by-nobody', text: 'Answer: {{input}}' };
const URL = 'https://example.com/somebody-elses';

/** How routes are asked that need more than their path: a query, or the body that a caller who must be refused sends. */
export const ROUTE_ROWS: Record<string, Row> = {
  'GET /api/mcp': { answers: 405, tokenNeeded: true },
  'POST /api/mcp': { tokenNeeded: true },
  'DELETE /api/mcp': { tokenNeeded: true },
  'POST /api/v1/backups': { notCalled: 'one is a file of all that is stored' },
  'GET /api/v1/backups/{name}': { answers: 404 },
  'POST /api/v1/batches/{id}/controls': { body: () => ({}) },
  'POST /api/v1/batches/{id}/controls/estimate': { body: () => ({}) },
  'PUT /api/v1/budget': { body: () => ({ limitUsd: 1 }) },
  'PATCH /api/v1/default-models': { body: () => ({}) },
  'GET /api/v1/compare': { query: ({ experiments, api }) => `experimentIds=${experiments},${api}`, answers: 400 },
  'GET /api/v1/compare/cases/{key}': {
    query: ({ experiments, api }) => `experimentIds=${experiments},${api}`,
    answers: 400,
  },
  'POST /api/v1/datasets': { body: () => ({ name: 'Made by nobody', ...CASES }) },
  'POST /api/v1/datasets/preview': { body: () => ({ name: 'Made by nobody', ...CASES }) },
  'POST /api/v1/datasets/promptfoo': { body: () => ({ text: 'prompts: ["Answer {{input}}"]' }) },
  'PATCH /api/v1/datasets/{id}': { body: () => ({ name: 'Renamed' }) },
  'POST /api/v1/datasets/{id}/cases': { body: () => CASES },
  'POST /api/v1/datasets/{id}/splits': { body: () => ({ heldOut: 0.5 }) },
  'POST /api/v1/experiments': { body: () => SMALL },
  'POST /api/v1/experiments/estimate': { body: () => ({ settings: SMALL, ...INPUT }) },
  'POST /api/v1/experiments/preview': { body: () => ({ experiment: { generator: SMALL.generator }, start: INPUT }) },
  'PATCH /api/v1/experiments/{id}': { body: () => ({ name: 'Renamed' }) },
  'POST /api/v1/experiments/{id}/estimate': { body: () => INPUT },
  'POST /api/v1/experiments/{id}/notes': { body: () => NOTE },
  'POST /api/v1/experiments/{id}/runs': { body: () => INPUT },
  'GET /api/v1/export/compare': {
    query: ({ experiments, api }) => `experimentIds=${experiments},${api}`,
    answers: 400,
  },
  'GET /api/v1/export/runs': { query: ({ experiments }) => `experimentId=${experiments}` },
  'GET /api/v1/health': { toStrangers: '{"status":"ok"}' },
  'GET /api/v1/insights': { query: ({ experiments }) => `experimentId=${experiments}` },
  'GET /api/v1/insights/export': { query: ({ experiments }) => `experimentId=${experiments}` },
  'POST /api/v1/invitations': { body: () => ({ role: 'owner', label: 'By nobody' }) },
  'POST /api/v1/lessons': { body: () => ({ kind: 'lesson', text: 'Do as nobody says.' }) },
  'GET /api/v1/lessons/export': { query: () => 'format=jsonl' },
  'POST /api/v1/lessons/import': { body: () => ({ format: 'jsonl', text: '{"kind":"lesson","text":"Imported"}' }) },
  'POST /api/v1/lessons/recall': { body: () => ({ input: 'Explain a bicycle.' }) },
  'PATCH /api/v1/lessons/{id}': { body: () => ({ editCount: 0, text: NOTE.text }) },
  'POST /api/v1/lessons/{id}/assignments': { body: ({ members }) => ({ memberId: members }) },
  'POST /api/v1/lessons/{id}/comments': { body: () => NOTE },
  'PATCH /api/v1/lessons/{id}/comments/{commentId}': { body: () => NOTE },
  'POST /api/v1/lessons/{id}/opinions': { body: () => ({ verdict: 'promote' }) },
  'POST /api/v1/lessons/{id}/reviews': { body: () => PROMOTE },
  'POST /api/v1/local-servers': { notCalled: 'in team mode nobody looks for servers on the machine that Hone runs on' },
  'POST /api/v1/mcp-servers': { body: () => ({ kind: 'http', name: 'by-nobody', url: URL }) },
  'PATCH /api/v1/mcp-servers/{name}': { body: () => ({ url: URL }) },
  'PATCH /api/v1/members/{id}': { body: () => ({ role: 'owner' }) },
  'PATCH /api/v1/notes/{id}': { body: () => NOTE },
  'POST /api/v1/playground': { body: () => ({ text: PROMPT.text, cases: [{ input: 'Hello' }] }) },
  'POST /api/v1/prompts': { body: () => PROMPT },
  'PATCH /api/v1/prompts/{name}': { body: () => ({ setup: {} }) },
  'PUT /api/v1/prompts/{name}/draft': { body: () => ({ text: PROMPT.text }) },
  'DELETE /api/v1/prompts/{name}/draft': { query: () => 'since=2026-01-01T00:00:00.000Z' },
  'PUT /api/v1/prompts/{name}/labels/{label}': { body: () => ({ version: 1, reason: 'Mine' }) },
  'POST /api/v1/prompts/{name}/versions': { body: () => ({ text: PROMPT.text, message: 'Mine', parent: 1 }) },
  'POST /api/v1/providers': { body: () => ({ name: 'by-nobody', kind: 'openai', apiKey: 'nobodys-key' }) },
  'PATCH /api/v1/providers/{name}': { body: () => ({ maxConcurrency: 3 }) },
  'POST /api/v1/runs/{id}/assignments': { body: ({ members }) => ({ memberId: members }) },
  'POST /api/v1/runs/{id}/branch': { body: () => ({ version: 0 }) },
  'POST /api/v1/runs/{id}/claim': { body: () => ({ window: WINDOW }) },
  'DELETE /api/v1/runs/{id}/claim': { query: () => `window=${WINDOW}` },
  'POST /api/v1/runs/{id}/decisions': { body: () => STOP },
  'POST /api/v1/runs/{id}/notes': { body: () => NOTE },
  'POST /api/v1/runs/{id}/versions/{number}/rescore': { body: () => ({ times: 1 }) },
  'GET /api/v1/docs': { query: () => 'query=run' },
  'GET /api/v1/search': { query: () => 'q=bicycle' },
  'GET /api/v1/find': { query: () => 'q=bicycle' },
  'POST /api/v1/tokens': { body: () => ({ name: 'by-nobody', scopes: ['runs:write'] }) },
  'POST /api/v1/webhooks': { body: () => ({ name: 'by-nobody', url: URL }) },
  'PATCH /api/v1/webhooks/{name}': { body: () => ({ newSecret: true }) },
  'GET /api/{rest}': { answers: 404 },
};
