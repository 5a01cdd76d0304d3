-- CreateTable
CREATE TABLE "rescores" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "held_by" UUID,
    "held_until" TIMESTAMPTZ(3),
    "overall_score" DOUBLE PRECISION,
    "criteria_scores" JSONB NOT NULL DEFAULT '{}',
    "message" TEXT,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DOUBLE PRECISION DEFAULT 0,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "rescores_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateIndex
CREATE INDEX "rescores_status_idx" ON "rescores"("status");

-- AddForeignKey
ALTER TABLE "rescores" ADD CONSTRAINT "rescores_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
