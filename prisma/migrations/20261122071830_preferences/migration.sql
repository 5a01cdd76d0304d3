-- CreateTable
CREATE TABLE "preferences" (
    "id" UUID NOT NULL,
    "experiment_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "first_version" INTEGER NOT NULL,
    "second_version" INTEGER NOT NULL,
    "left_version" INTEGER NOT NULL,
    "choice" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "seconds" DOUBLE PRECISION,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "preferences_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "preferences_experiment_id_actor_id_idx" ON "preferences"("experiment_id", "actor_id");

-- CreateIndex
CREATE UNIQUE INDEX "preferences_run_id_first_version_second_version_actor_id_key" ON "preferences"("run_id", "first_version", "second_version", "actor_id");

-- AddForeignKey
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
