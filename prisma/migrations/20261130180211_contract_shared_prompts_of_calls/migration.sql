-- From this version on, calls can store texts that several runs share in one row of this table, and their fingerprints are shorter. Older
-- processes would show incomplete prompts and would pay for stored responses again.
CREATE TABLE "shared_prompts" (
    "experiment_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "instructions" TEXT NOT NULL,
    "prompt_start" TEXT NOT NULL,
    "prompt_end" TEXT NOT NULL,

    CONSTRAINT "shared_prompts_pkey" PRIMARY KEY ("experiment_id","id")
);
ALTER TABLE "shared_prompts" ADD CONSTRAINT "shared_prompts_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "model_calls" ADD COLUMN     "shared_prompt_id" UUID;
CREATE INDEX "model_calls_shared_prompt_id_idx" ON "model_calls"("shared_prompt_id") WHERE "shared_prompt_id" IS NOT NULL;
