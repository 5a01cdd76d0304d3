-- AlterTable
ALTER TABLE "agent_turns" ADD COLUMN     "calls_left_out" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "calls_left_out" INTEGER;
