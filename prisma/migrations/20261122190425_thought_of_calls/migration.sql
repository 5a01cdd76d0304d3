-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "thought" TEXT;
