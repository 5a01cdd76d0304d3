-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "answered" INTEGER,
ADD COLUMN     "quotes" INTEGER[];
