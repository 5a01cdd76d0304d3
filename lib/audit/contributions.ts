import type { Transaction } from '#lib/database/transactions.ts';

/** Kinds of subjects through which people influence the text of a run. Ordered from indirect to direct influence. */
export const CONTRIBUTION_KINDS = [
  'mcp_server',
  'webhook',
  'provider',
  'dataset',
  'batch',
  'run',
  'experiment',
] as const;
export type ContributionKind = (typeof CONTRIBUTION_KINDS)[number];

/** Records that a person contributed to a subject. Repeating it has no effect. `subject`: its id or name. */
export async function addContribution(
  prisma: Transaction,
  contribution: { kind: ContributionKind; subject: string; personId: string },
): Promise<void> {
  await prisma.contribution.createMany({ data: contribution, skipDuplicates: true });
}

/** Copies the contributors of an experiment to another one derived from it. */
export async function inheritContributions(
  prisma: Transaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const makers = await prisma.contribution.findMany({ where: { kind: 'experiment', subject: from } });
  const data = makers.map((maker) => ({ ...maker, subject: to }));
  await prisma.contribution.createMany({ data, skipDuplicates: true });
}

/**
 * Returns SQL for the contributors to the text of a run, as a JSON object of kinds by person. `run`: expression for its id. `services`:
 * expression for a JSON array of `NamedService`. Providers count only if someone set their base URL, because nobody influences the
 * responses of the others.
 */
export function authorsOfRun(run: string, services: string): string {
  return `coalesce((SELECT jsonb_object_agg(person_id, kind ORDER BY array_position('{${CONTRIBUTION_KINDS.join(',')}}'::text[], kind))
    FROM (
      SELECT c.person_id, c.kind FROM runs ar JOIN batches ab ON ab.id = ar.batch_id
      CROSS JOIN LATERAL (VALUES ('experiment', ar.experiment_id::text), ('batch', ar.batch_id::text), ('run', ar.id::text), ('dataset', ab.dataset_id::text)) of_run(kind, subject)
      JOIN contributions c USING (kind, subject) WHERE ar.id = ${run}
      UNION
      SELECT c.person_id, c.kind FROM jsonb_to_recordset(coalesce(${services}, '[]')::jsonb) AS s(kind text, name text)
      JOIN contributions c ON c.kind = s.kind AND c.subject = s.name
      LEFT JOIN providers p ON s.kind = 'provider' AND p.name = s.name
      WHERE s.kind <> 'provider' OR p.base_url IS NOT NULL) parts), '{}')`;
}
