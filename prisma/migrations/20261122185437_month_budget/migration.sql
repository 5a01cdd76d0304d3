-- DropIndex
DROP INDEX "model_calls_created_at_idx";

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "aside_cost_usd" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "aside_tokens" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "other_spend" (
    "id" SERIAL NOT NULL,
    "experiment_id" UUID,
    "purpose" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION NOT NULL,
    "unpriced_calls" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "other_spend_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "other_spend_experiment_id_idx" ON "other_spend"("experiment_id");

-- CreateIndex
CREATE INDEX "other_spend_created_at_cost_usd_idx" ON "other_spend"("created_at", "cost_usd");

-- CreateIndex
CREATE INDEX "model_calls_created_at_cost_usd_idx" ON "model_calls"("created_at", "cost_usd");

-- AddForeignKey
ALTER TABLE "other_spend" ADD CONSTRAINT "other_spend_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Calls beside the loop that were made before.
UPDATE "runs" r SET "aside_tokens" = c.tokens, "aside_cost_usd" = c.cost
FROM (SELECT "run_id", sum("input_tokens" + "output_tokens") AS tokens, coalesce(sum("cost_usd"), 0) AS cost
  FROM "model_calls" WHERE "step" < 0 GROUP BY "run_id") c
WHERE c."run_id" = r."id";
