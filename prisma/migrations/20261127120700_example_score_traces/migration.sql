-- AlterTable
ALTER TABLE "case_tries" ADD COLUMN     "trace" TEXT;

