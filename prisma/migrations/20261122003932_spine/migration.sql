-- CreateTable
CREATE TABLE "experiments" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sample" BOOLEAN NOT NULL DEFAULT false,
    "latest_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "experiments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "experiment_versions" (
    "experiment_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "experiment_versions_pkey" PRIMARY KEY ("experiment_id","version")
);

-- CreateTable
CREATE TABLE "datasets" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "case_count" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "datasets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dataset_cases" (
    "dataset_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "input" TEXT NOT NULL,
    "reference" TEXT,
    "tags" TEXT[],
    "metadata" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "dataset_cases_pkey" PRIMARY KEY ("dataset_id","position")
);

-- CreateTable
CREATE TABLE "batches" (
    "id" UUID NOT NULL,
    "experiment_id" UUID NOT NULL,
    "experiment_version" INTEGER NOT NULL,
    "dataset_id" UUID,
    "total" INTEGER NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "experiment_id" UUID NOT NULL,
    "experiment_version" INTEGER NOT NULL,
    "batch_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "input" TEXT NOT NULL,
    "reference" TEXT,
    "tags" TEXT[],
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'queued',
    "convergence_reason" TEXT,
    "also_held" TEXT[],
    "success" BOOLEAN NOT NULL DEFAULT false,
    "failure" JSONB,
    "pause" JSONB,
    "pause_id" UUID,
    "claim" INTEGER NOT NULL DEFAULT 0,
    "idle_claims" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "event_number" INTEGER NOT NULL DEFAULT 0,
    "decision_count" INTEGER NOT NULL DEFAULT 0,
    "evaluation_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "active_ms" INTEGER NOT NULL DEFAULT 0,
    "iterations_used" INTEGER NOT NULL DEFAULT 0,
    "version_count" INTEGER NOT NULL DEFAULT 0,
    "best_version" INTEGER,
    "final_version" INTEGER,
    "first_score" DOUBLE PRECISION,
    "best_score" DOUBLE PRECISION,
    "satisfied" TEXT NOT NULL DEFAULT '',
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "unpriced" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reflection_versions" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "iteration" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "parents" INTEGER[],
    "output" TEXT NOT NULL,
    "strategy" TEXT,
    "improvements_applied" TEXT[],
    "finish_reason" TEXT NOT NULL,
    "interrupted" BOOLEAN NOT NULL DEFAULT false,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reflection_versions_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "evaluations" (
    "run_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    "actor" TEXT,
    "reason" TEXT,
    "status" TEXT NOT NULL,
    "overall_score" DOUBLE PRECISION,
    "criteria_scores" JSONB NOT NULL,
    "reasons" JSONB NOT NULL,
    "satisfactory" BOOLEAN NOT NULL,
    "issues" JSONB NOT NULL,
    "suggestions" TEXT[],
    "confidence" DOUBLE PRECISION,
    "feedback" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "answer" TEXT,
    "same_model_judge" BOOLEAN NOT NULL DEFAULT false,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "evaluations_pkey" PRIMARY KEY ("run_id","ordinal")
);

-- CreateTable
CREATE TABLE "critiques" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "issues" JSONB NOT NULL,
    "suggestions" TEXT[],
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "critiques_pkey" PRIMARY KEY ("run_id","version")
);

-- CreateTable
CREATE TABLE "decisions" (
    "run_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "hook" TEXT NOT NULL,
    "version" INTEGER,
    "iteration" INTEGER NOT NULL,
    "decision" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "actor" TEXT,
    "reason" TEXT,
    "score" DOUBLE PRECISION,
    "criterion" TEXT,
    "pause_id" UUID,
    "step" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "decisions_pkey" PRIMARY KEY ("run_id","ordinal")
);

-- CreateTable
CREATE TABLE "lessons" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "block" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "task_type" TEXT NOT NULL,
    "tools" TEXT[],
    "run_id" UUID,
    "version" INTEGER,
    "step" INTEGER NOT NULL DEFAULT 0,
    "source_input" TEXT NOT NULL,
    "source_score" DOUBLE PRECISION,
    "created_by" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lessons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recalls" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "rank" INTEGER NOT NULL,
    "lesson_id" UUID NOT NULL,
    "score" DOUBLE PRECISION,

    CONSTRAINT "recalls_pkey" PRIMARY KEY ("run_id","version","rank")
);

-- CreateTable
CREATE TABLE "model_calls" (
    "id" SERIAL NOT NULL,
    "run_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "text" TEXT,
    "finish_reason" TEXT,
    "failure" JSONB,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "latency_ms" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "warnings" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "providers" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "base_url" TEXT,
    "sealed_key" TEXT,
    "key_last_four" TEXT,
    "max_concurrency" INTEGER,
    "max_requests_per_minute" INTEGER,
    "next_call_at" TIMESTAMPTZ(3),
    "prices" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "facts" (
    "name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "facts_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "provider_slots" (
    "provider" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "holder" UUID,
    "held_until" TIMESTAMPTZ(3),

    CONSTRAINT "provider_slots_pkey" PRIMARY KEY ("provider","slot")
);

-- CreateIndex
CREATE INDEX "experiments_created_at_id_idx" ON "experiments"("created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "datasets_created_at_id_idx" ON "datasets"("created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "batches_idempotency_key_key" ON "batches"("idempotency_key");

-- CreateIndex
CREATE INDEX "batches_experiment_id_created_at_idx" ON "batches"("experiment_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "runs_number_key" ON "runs"("number");

-- CreateIndex
CREATE INDEX "runs_experiment_id_number_idx" ON "runs"("experiment_id", "number" DESC);

-- CreateIndex
CREATE INDEX "runs_batch_id_position_idx" ON "runs"("batch_id", "position");

-- CreateIndex
CREATE INDEX "runs_status_number_idx" ON "runs"("status", "number" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "decisions_pause_id_key" ON "decisions"("pause_id");

-- CreateIndex
CREATE INDEX "lessons_created_at_id_idx" ON "lessons"("created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "lessons_run_id_version_key" ON "lessons"("run_id", "version");

-- CreateIndex
CREATE INDEX "recalls_lesson_id_idx" ON "recalls"("lesson_id");

-- CreateIndex
CREATE INDEX "model_calls_run_id_id_idx" ON "model_calls"("run_id", "id");

-- AddForeignKey
ALTER TABLE "experiment_versions" ADD CONSTRAINT "experiment_versions_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_cases" ADD CONSTRAINT "dataset_cases_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_experiment_id_experiment_version_fkey" FOREIGN KEY ("experiment_id", "experiment_version") REFERENCES "experiment_versions"("experiment_id", "version") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reflection_versions" ADD CONSTRAINT "reflection_versions_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "critiques" ADD CONSTRAINT "critiques_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recalls" ADD CONSTRAINT "recalls_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recalls" ADD CONSTRAINT "recalls_lesson_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_slots" ADD CONSTRAINT "provider_slots_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE CASCADE ON UPDATE CASCADE;
