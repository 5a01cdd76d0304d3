-- AlterTable
ALTER TABLE "reflection_versions" ADD COLUMN     "proposal" JSONB;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "call_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "run_cases" (
    "run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "split" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "reference" TEXT,
    "tags" TEXT[],
    "metadata" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "run_cases_pkey" PRIMARY KEY ("run_id","position")
);

-- CreateTable
CREATE TABLE "case_tries" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "output" TEXT NOT NULL,
    "finish_reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "score" DOUBLE PRECISION,
    "criteria_scores" JSONB NOT NULL,
    "satisfactory" BOOLEAN NOT NULL,
    "feedback" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "paid_before" BOOLEAN NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "case_tries_pkey" PRIMARY KEY ("run_id","version","position","attempt")
);

-- CreateTable
CREATE TABLE "paid_replies" (
    "fingerprint" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "run_id" UUID,
    "prompt_name" TEXT,
    "step" INTEGER,
    "text" TEXT NOT NULL,
    "finish_reason" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "latency_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "paid_replies_pkey" PRIMARY KEY ("fingerprint","slot")
);

-- CreateTable
CREATE TABLE "prompts" (
    "name" TEXT NOT NULL,
    "setup" JSONB NOT NULL,
    "latest_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompts_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "prompt_versions" (
    "prompt_name" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "parent" INTEGER,
    "run_id" UUID,
    "run_version" INTEGER,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompt_versions_pkey" PRIMARY KEY ("prompt_name","number")
);

-- CreateTable
CREATE TABLE "prompt_labels" (
    "prompt_name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "moved_by" TEXT NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompt_labels_pkey" PRIMARY KEY ("prompt_name","label")
);

-- CreateTable
CREATE TABLE "prompt_label_moves" (
    "id" SERIAL NOT NULL,
    "prompt_name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "version" INTEGER,
    "previous" INTEGER,
    "reason" TEXT,
    "moved_by" TEXT NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompt_label_moves_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prompt_drafts" (
    "prompt_name" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "base_version" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompt_drafts_pkey" PRIMARY KEY ("prompt_name","actor_id")
);

-- CreateTable
CREATE TABLE "prompt_proofs" (
    "prompt_name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "output" TEXT NOT NULL,
    "finish_reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "score" DOUBLE PRECISION,
    "criteria_scores" JSONB NOT NULL,
    "satisfactory" BOOLEAN NOT NULL,
    "feedback" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompt_proofs_pkey" PRIMARY KEY ("prompt_name","key")
);

-- CreateIndex
CREATE INDEX "paid_replies_run_id_idx" ON "paid_replies"("run_id");

-- CreateIndex
CREATE INDEX "paid_replies_prompt_name_idx" ON "paid_replies"("prompt_name");

-- CreateIndex
CREATE INDEX "prompts_updated_at_name_idx" ON "prompts"("updated_at" DESC, "name");

-- CreateIndex
CREATE INDEX "prompt_versions_run_id_idx" ON "prompt_versions"("run_id");

-- CreateIndex
CREATE INDEX "prompt_label_moves_prompt_name_id_idx" ON "prompt_label_moves"("prompt_name", "id" DESC);

-- AddForeignKey
ALTER TABLE "run_cases" ADD CONSTRAINT "run_cases_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "case_tries" ADD CONSTRAINT "case_tries_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "paid_replies" ADD CONSTRAINT "paid_replies_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "paid_replies" ADD CONSTRAINT "paid_replies_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_label_moves" ADD CONSTRAINT "prompt_label_moves_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_drafts" ADD CONSTRAINT "prompt_drafts_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_proofs" ADD CONSTRAINT "prompt_proofs_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;
