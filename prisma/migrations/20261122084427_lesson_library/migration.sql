-- DropIndex
DROP INDEX "lessons_run_id_version_key";

-- AlterTable
ALTER TABLE "lessons" ADD COLUMN     "harmful" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "helpful" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "merged_into_id" UUID,
ADD COLUMN     "neutral" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "reviewed_at" TIMESTAMPTZ(3),
ADD COLUMN     "reviewed_by" TEXT,
ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, "text" || ' ' || left("source_input", 200))) STORED,
ALTER COLUMN "agent" DROP NOT NULL,
ALTER COLUMN "task_type" DROP NOT NULL;

-- AlterTable
ALTER TABLE "recalls" ADD COLUMN     "effect" TEXT;

-- CreateTable
CREATE TABLE "lesson_edits" (
    "lesson_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "actor" TEXT NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lesson_edits_pkey" PRIMARY KEY ("lesson_id","number")
);

-- CreateTable
CREATE TABLE "lesson_checks" (
    "lesson_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "result" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lesson_checks_pkey" PRIMARY KEY ("lesson_id","number")
);

-- CreateTable
CREATE TABLE "lesson_reviews" (
    "lesson_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lesson_reviews_pkey" PRIMARY KEY ("lesson_id","number")
);

-- CreateTable
CREATE TABLE "lesson_comments" (
    "id" UUID NOT NULL,
    "lesson_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lesson_comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lesson_embeddings" (
    "lesson_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "vector" REAL[],

    CONSTRAINT "lesson_embeddings_pkey" PRIMARY KEY ("lesson_id","provider","model")
);

-- CreateTable
CREATE TABLE "lesson_trials" (
    "id" UUID NOT NULL,
    "lesson_id" UUID NOT NULL,
    "experiment_id" UUID NOT NULL,
    "batch_without_id" UUID NOT NULL,
    "batch_with_id" UUID NOT NULL,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lesson_trials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "step_recalls" (
    "run_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "lessons" JSONB NOT NULL,

    CONSTRAINT "step_recalls_pkey" PRIMARY KEY ("run_id","step")
);

-- CreateTable
CREATE TABLE "retrospectives" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "held_by" UUID,
    "held_until" TIMESTAMPTZ(3),
    "counts" JSONB NOT NULL DEFAULT '{}',
    "message" TEXT,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DOUBLE PRECISION DEFAULT 0,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "retrospectives_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateIndex
CREATE INDEX "lesson_comments_lesson_id_created_at_idx" ON "lesson_comments"("lesson_id", "created_at");

-- CreateIndex
CREATE INDEX "lesson_trials_lesson_id_created_at_idx" ON "lesson_trials"("lesson_id", "created_at");

-- CreateIndex
CREATE INDEX "lesson_trials_experiment_id_idx" ON "lesson_trials"("experiment_id");

-- CreateIndex
CREATE INDEX "retrospectives_status_idx" ON "retrospectives"("status");

-- CreateIndex
CREATE INDEX "lessons_status_created_at_id_idx" ON "lessons"("status", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "lessons_merged_into_id_idx" ON "lessons"("merged_into_id");

-- CreateIndex
CREATE INDEX "lessons_search_idx" ON "lessons" USING GIN ("search");

-- CreateIndex
CREATE UNIQUE INDEX "lessons_run_id_version_kind_key" ON "lessons"("run_id", "version", "kind");

-- AddForeignKey
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_merged_into_id_fkey" FOREIGN KEY ("merged_into_id") REFERENCES "lessons"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lesson_edits" ADD CONSTRAINT "lesson_edits_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lesson_checks" ADD CONSTRAINT "lesson_checks_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lesson_reviews" ADD CONSTRAINT "lesson_reviews_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lesson_comments" ADD CONSTRAINT "lesson_comments_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lesson_embeddings" ADD CONSTRAINT "lesson_embeddings_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lesson_trials" ADD CONSTRAINT "lesson_trials_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_recalls" ADD CONSTRAINT "step_recalls_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retrospectives" ADD CONSTRAINT "retrospectives_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
