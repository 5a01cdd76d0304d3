/** Path segments that are followed by an id, as in /runs/{id}. The items are staged before the first request. */
export const STAGED_IDS = [
  'api',
  'assignments',
  'backups',
  'batches',
  'calls',
  'cases',
  'comments',
  'datasets',
  'deliveries',
  'docs',
  'experiments',
  'files',
  'inbox',
  'invitations',
  'jobs',
  'join',
  'labels',
  'lessons',
  'mcp-servers',
  'members',
  'notes',
  'page',
  'prompts',
  'providers',
  'runs',
  'sessions',
  'targets',
  'tokens',
  'versions',
  'webhooks',
] as const;
export type StagedId = (typeof STAGED_IDS)[number];

const ABSENT_UUID = '00000000-0000-4000-8000-000000000000';

/** Ids that do not exist: an allowed write gets "not found" and changes nothing. */
export const ABSENT: Readonly<Record<StagedId, string>> = {
  api: 'nowhere',
  assignments: ABSENT_UUID,
  backups: 'hone-absent.backup',
  batches: ABSENT_UUID,
  calls: '999',
  cases: 'absent',
  comments: ABSENT_UUID,
  datasets: ABSENT_UUID,
  deliveries: ABSENT_UUID,
  docs: 'absent',
  experiments: ABSENT_UUID,
  files: 'f'.repeat(64),
  inbox: ABSENT_UUID,
  invitations: ABSENT_UUID,
  jobs: ABSENT_UUID,
  join: 'x'.repeat(43),
  labels: 'absent',
  lessons: ABSENT_UUID,
  'mcp-servers': 'absent',
  members: ABSENT_UUID,
  notes: ABSENT_UUID,
  page: 'absent',
  prompts: 'absent',
  providers: 'absent',
  runs: ABSENT_UUID,
  sessions: ABSENT_UUID,
  targets: 'absent',
  tokens: ABSENT_UUID,
  versions: '999',
  webhooks: 'absent',
};

const isStaged = (name: string | undefined): name is StagedId => STAGED_IDS.some((known) => known === name);

/** Returns the path of an entry with `ids` in its `{…}` parameters. Throws if no id is staged for one. */
export function fillPath(path: string, ids: Readonly<Record<StagedId, string>>): string {
  const parts = path.split('/');
  return parts
    .map((part, at) => {
      if (!part.startsWith('{')) return part;
      // A parameter that follows another one is identified by its own name.
      const before = parts[at - 1]?.startsWith('{') ? part.slice(1, -1) : parts[at - 1];
      if (!isStaged(before))
        throw new Error(`${path}: nothing is staged for ${part} behind ${before}. Add it to e2e/matrix/staged-ids.ts.`);
      return encodeURIComponent(ids[before]);
    })
    .join('/');
}
