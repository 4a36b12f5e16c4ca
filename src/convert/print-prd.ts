/** The text of a prd.json that ralph writes anew. */
export function printPrd(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
