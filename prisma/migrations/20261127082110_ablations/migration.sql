-- CreateTable
CREATE TABLE "ablations" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "parts" JSONB NOT NULL,
    "positions" INTEGER[],
    "max_tries" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "message" TEXT,
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "held_by" UUID,
    "held_until" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "ablations_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "ablation_tries" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "score" DOUBLE PRECISION,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ablation_tries_pkey" PRIMARY KEY ("run_id","number","version","position","attempt")
);

-- CreateIndex
CREATE INDEX "ablations_status_idx" ON "ablations"("status");

-- AddForeignKey
ALTER TABLE "ablations" ADD CONSTRAINT "ablations_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ablation_tries" ADD CONSTRAINT "ablation_tries_run_id_number_fkey" FOREIGN KEY ("run_id", "number") REFERENCES "ablations"("run_id", "number") ON DELETE CASCADE ON UPDATE CASCADE;
