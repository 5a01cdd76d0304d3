-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "dataset_version" INTEGER,
ADD COLUMN     "repetitions" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "source" TEXT NOT NULL DEFAULT 'started';

-- AlterTable
ALTER TABLE "dataset_cases" DROP CONSTRAINT "dataset_cases_pkey",
ADD COLUMN     "ended" INTEGER,
ADD COLUMN     "input_key" TEXT GENERATED ALWAYS AS (md5("input")) STORED,
ADD COLUMN     "since" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "dataset_cases_pkey" PRIMARY KEY ("dataset_id", "position", "since");

-- AlterTable
ALTER TABLE "datasets" ADD COLUMN     "latest_version" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "experiment_versions" ADD COLUMN     "actor" TEXT,
ADD COLUMN     "message" TEXT;

-- AlterTable
ALTER TABLE "experiments" ADD COLUMN     "control" TEXT,
ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'made',
ADD COLUMN     "parent_id" UUID,
ADD COLUMN     "parent_version" INTEGER;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "case_key" TEXT GENERATED ALWAYS AS (md5("input" || chr(31) || coalesce("reference", chr(30)) || chr(31) || "metadata"::text)) STORED,
ADD COLUMN     "repetition" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "dataset_versions" (
    "dataset_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "case_count" INTEGER NOT NULL,
    "added" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "removed" INTEGER NOT NULL,
    "actor" TEXT,
    "message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dataset_versions_pkey" PRIMARY KEY ("dataset_id","version")
);

-- CreateTable
CREATE TABLE "run_measures" (
    "run_id" UUID NOT NULL,
    "experiment_id" UUID NOT NULL,
    "experiment_version" INTEGER NOT NULL,
    "format" INTEGER NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "scores" JSONB NOT NULL,
    "scored_versions" INTEGER NOT NULL,
    "first_score" DOUBLE PRECISION,
    "best_score" DOUBLE PRECISION,
    "last_score" DOUBLE PRECISION,
    "solved_at" INTEGER,
    "last_satisfactory" BOOLEAN NOT NULL,
    "evaluations" INTEGER NOT NULL,
    "unscored" INTEGER NOT NULL,
    "issues_named" INTEGER NOT NULL,
    "issues_resolved" INTEGER NOT NULL,
    "checks_failing" INTEGER NOT NULL,
    "checks_corrected" INTEGER NOT NULL,
    "checks_passing" INTEGER NOT NULL,
    "checks_introduced" INTEGER NOT NULL,
    "retries_after_fail" INTEGER NOT NULL,
    "repeated_answers" INTEGER NOT NULL,
    "judged" JSONB NOT NULL DEFAULT '[]',
    "search" tsvector,

    CONSTRAINT "run_measures_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" UUID NOT NULL,
    "run_id" UUID,
    "experiment_id" UUID,
    "actor" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "run_measures_experiment_id_experiment_version_idx" ON "run_measures"("experiment_id", "experiment_version");

-- CreateIndex
CREATE INDEX "run_measures_ended_at_idx" ON "run_measures"("ended_at");

-- CreateIndex
CREATE INDEX "run_measures_search_idx" ON "run_measures" USING GIN ("search");

-- CreateIndex
CREATE INDEX "notes_run_id_created_at_idx" ON "notes"("run_id", "created_at");

-- CreateIndex
CREATE INDEX "notes_experiment_id_created_at_idx" ON "notes"("experiment_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_actor_id_page_name_key" ON "saved_views"("actor_id", "page", "name");

-- CreateIndex
CREATE INDEX "dataset_cases_input_key_idx" ON "dataset_cases"("input_key");

-- CreateIndex
CREATE INDEX "experiments_parent_id_idx" ON "experiments"("parent_id");

-- CreateIndex
CREATE INDEX "runs_experiment_id_experiment_version_case_key_idx" ON "runs"("experiment_id", "experiment_version", "case_key");

-- AddForeignKey
ALTER TABLE "experiments" ADD CONSTRAINT "experiments_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "experiments"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_versions" ADD CONSTRAINT "dataset_versions_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_measures" ADD CONSTRAINT "run_measures_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_measures" ADD CONSTRAINT "run_measures_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is there already
UPDATE "experiments" SET "origin" = 'trial' WHERE "id" IN (SELECT "experiment_id" FROM "lesson_trials");
INSERT INTO "dataset_versions" ("dataset_id", "version", "case_count", "added", "changed", "removed", "created_at")
SELECT "id", 1, "case_count", "case_count", 0, 0, "created_at" FROM "datasets";
