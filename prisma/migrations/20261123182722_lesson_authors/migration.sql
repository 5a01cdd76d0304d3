-- AlterTable
ALTER TABLE "lessons" ADD COLUMN     "authors" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "contributions" (
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,

    CONSTRAINT "contributions_pkey" PRIMARY KEY ("kind","subject","person_id")
);

-- What the audit log tells of the time before: who made experiments, cases and services, started runs and decided in them.
INSERT INTO "contributions" ("kind", "subject", "person_id")
SELECT DISTINCT a."subject_kind", coalesce(a."subject_id", a."subject_name"), coalesce(t."member_id", a."actor_id")
FROM "audit_entries" a
LEFT JOIN "api_tokens" t ON a."actor_id" = 'token:' || t."id"
WHERE a."outcome" = 'done' AND a."role" <> 'none' AND coalesce(a."subject_id", a."subject_name") IS NOT NULL
  AND a."subject_kind" IN ('experiment', 'dataset', 'batch', 'run', 'provider', 'webhook', 'mcp_server')
  AND a."act" IN ('created', 'changed', 'imported', 'started', 'resumed', 'decided', 'scored', 'requested');

UPDATE "lessons" l SET "authors" = found."authors"
FROM (
  SELECT l."id", jsonb_object_agg(c."person_id", c."kind") AS "authors"
  FROM "lessons" l
  JOIN "runs" r ON r."id" = l."run_id"
  JOIN "batches" b ON b."id" = r."batch_id"
  JOIN "contributions" c ON (c."kind" = 'experiment' AND c."subject" = r."experiment_id"::text)
    OR (c."kind" = 'batch' AND c."subject" = r."batch_id"::text) OR (c."kind" = 'run' AND c."subject" = r."id"::text)
    OR (c."kind" = 'dataset' AND c."subject" = b."dataset_id"::text)
  WHERE l."author_id" IS NULL AND l."status" IN ('candidate', 'quarantined')
  GROUP BY l."id") found
WHERE found."id" = l."id";
