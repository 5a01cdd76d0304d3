-- Entries that some kinds of providers need beside address and key, and headers that every request has: their values are sealed.
ALTER TABLE "providers" ADD COLUMN "options" JSONB NOT NULL DEFAULT '{}', ADD COLUMN "sealed_headers" TEXT, ADD COLUMN "header_names" JSONB NOT NULL DEFAULT '[]';
