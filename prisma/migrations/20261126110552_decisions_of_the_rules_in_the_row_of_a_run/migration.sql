-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "policy_decisions" TEXT[] DEFAULT '{}';
