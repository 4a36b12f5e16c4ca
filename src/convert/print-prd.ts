/** As wide as a line may get, with the comma behind it. */
const WIDTH = 120;

const scalar = String.raw`(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null)`;
const list = new RegExp(String.raw`^( *(?:"[^"\\]*(?:\\.[^"\\]*)*": )?)\[\n((?: *${scalar},?\n)+) *\](,?)$`, 'gm');

/** The text of a prd.json that ralph writes anew, as formatters leave it: a short list of texts stands on one line. */
export function printPrd(value: object): string {
  return `${JSON.stringify(value, null, 2).replace(list, join)}\n`;
}

function join(whole: string, start: string, items: string, comma: string): string {
  const line = `${start}[${items.trim().replace(/,\n */g, ', ')}]${comma}`;
  return line.length > WIDTH ? whole : line;
}
