/** Downloads a file in the browser. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Revoked later, because the browser still reads the URL after this function returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
