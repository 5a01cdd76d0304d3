-- AlterTable
ALTER TABLE "decisions" ADD COLUMN     "tool_arguments" TEXT,
ADD COLUMN     "tool_call_id" TEXT;

-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "cached_tokens" INTEGER,
ADD COLUMN     "conversation" JSONB,
ADD COLUMN     "reasoning_tokens" INTEGER,
ADD COLUMN     "tool_calls" JSONB;

-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "test" JSONB,
ADD COLUMN     "tested_at" TIMESTAMPTZ(3),
ADD COLUMN     "tools_by" TEXT;

-- CreateTable
CREATE TABLE "agent_turns" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "delegation" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "agent" TEXT NOT NULL,
    "thought" TEXT NOT NULL,
    "calls" JSONB NOT NULL,
    "answer" TEXT,
    "finish_reason" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION,
    "duration_ms" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_turns_pkey" PRIMARY KEY ("run_id","version","delegation","number")
);

-- CreateTable
CREATE TABLE "agent_observations" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "call_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_observations_pkey" PRIMARY KEY ("run_id","version","call_id")
);

-- CreateTable
CREATE TABLE "tool_results" (
    "run_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "call_id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tool_results_pkey" PRIMARY KEY ("run_id","step","call_id","fingerprint")
);

-- CreateTable
CREATE TABLE "mcp_servers" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT,
    "command" TEXT,
    "sealed_headers" TEXT,
    "header_names" JSONB NOT NULL DEFAULT '[]',
    "timeout_ms" INTEGER NOT NULL DEFAULT 30000,
    "tools" JSONB NOT NULL DEFAULT '[]',
    "test" JSONB,
    "tested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_servers_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_hash_key" ON "api_tokens"("hash");

-- CreateIndex
CREATE INDEX "model_calls_created_at_idx" ON "model_calls"("created_at");

-- AddForeignKey
ALTER TABLE "agent_turns" ADD CONSTRAINT "agent_turns_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_observations" ADD CONSTRAINT "agent_observations_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool_results" ADD CONSTRAINT "tool_results_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
