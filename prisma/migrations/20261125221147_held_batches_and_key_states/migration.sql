-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "held" JSONB;

-- CreateTable
CREATE TABLE "provider_key_states" (
    "provider" TEXT NOT NULL,
    "base_url" TEXT,
    "state" TEXT NOT NULL,
    "message" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_key_states_pkey" PRIMARY KEY ("provider")
);

CREATE TRIGGER provider_key_states_announce AFTER INSERT OR UPDATE OR DELETE ON "provider_key_states" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('providers');
