-- AlterTable
ALTER TABLE "datasets" ADD COLUMN     "held_out" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "train" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "validation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "with_reference" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "batches_dataset_id_created_at_idx" ON "batches"("dataset_id", "created_at" DESC);

-- What is there already: of several tags the most guarded counts
UPDATE "datasets" SET "train" = c."train", "validation" = c."validation", "held_out" = c."held_out", "with_reference" = c."with_reference"
FROM (
  SELECT "dataset_id",
    count(*) FILTER (WHERE "tags" && ARRAY['held_out', 'held-out']) AS "held_out",
    count(*) FILTER (WHERE 'validation' = ANY ("tags") AND NOT "tags" && ARRAY['held_out', 'held-out']) AS "validation",
    count(*) FILTER (WHERE 'train' = ANY ("tags") AND NOT "tags" && ARRAY['held_out', 'held-out', 'validation']) AS "train",
    count("reference") AS "with_reference"
  FROM "dataset_cases" GROUP BY "dataset_id"
) AS c WHERE c."dataset_id" = "datasets"."id";
