-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "like_step" INTEGER;
