/** An arm of a comparison: an experiment at one version of its settings. Null means the latest version with ended runs. */
export type ArmName = { experimentId: string; version: number | null };

const ARM = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:@([1-9]\d{0,6}))?$/i;

/** Parses an arm from a URL: `experimentId` or `experimentId@version`. */
export function readArmName(text: string): ArmName | null {
  const [, experimentId, version] = ARM.exec(text.trim()) ?? [];
  if (experimentId === undefined) return null;
  return { experimentId: experimentId.toLowerCase(), version: version === undefined ? null : Number(version) };
}

/** Formats an arm for a URL. */
export function writeArmName({ experimentId, version }: ArmName): string {
  return version === null ? experimentId : `${experimentId}@${version}`;
}
