-- AlterTable
ALTER TABLE "reflection_versions" ADD COLUMN     "strategy_note" TEXT;
