/** The paths of the state files that lie beside prd.json; like its own, from the root of the working tree. */
export function besideOf(prd: string): { progress: string; archive: string } {
  const folder = prd.slice(0, prd.lastIndexOf('/') + 1);
  return { progress: `${folder}progress.txt`, archive: `${folder}archive` };
}
