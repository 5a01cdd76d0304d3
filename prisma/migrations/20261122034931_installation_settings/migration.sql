-- CreateTable
CREATE TABLE "installation_settings" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installation_settings_pkey" PRIMARY KEY ("key")
);
