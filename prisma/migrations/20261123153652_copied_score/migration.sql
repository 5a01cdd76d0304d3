-- AlterTable
ALTER TABLE "evaluations" ADD COLUMN     "copied_from" INTEGER;
