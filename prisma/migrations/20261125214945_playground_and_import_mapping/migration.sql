-- AlterTable
ALTER TABLE "datasets" ADD COLUMN     "import_mapping" JSONB;

-- CreateTable
CREATE TABLE "playground_runs" (
    "id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "prompt_name" TEXT,
    "request" JSONB NOT NULL,
    "answers" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "playground_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "playground_runs_actor_id_prompt_name_created_at_idx" ON "playground_runs"("actor_id", "prompt_name", "created_at" DESC);

-- CreateIndex
CREATE INDEX "playground_runs_prompt_name_idx" ON "playground_runs"("prompt_name");

-- AddForeignKey
ALTER TABLE "playground_runs" ADD CONSTRAINT "playground_runs_prompt_name_fkey" FOREIGN KEY ("prompt_name") REFERENCES "prompts"("name") ON DELETE CASCADE ON UPDATE CASCADE;
