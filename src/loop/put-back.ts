import type { EventScope } from './events.ts';
import type { Ports } from './ports.ts';

/** What gates and checks changed in the tree is put back; the changed files are kept aside and named. */
export async function putBack({ workspace, folder }: Ports, scope: EventScope): Promise<void> {
  const paths = await workspace.putBack();
  if (paths.length === 0) return;
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  const text = `gates or checks had changed files, which were put back: ${paths.slice(0, 10).join(', ')}${more}`;
  folder.emit({ type: 'warning.raised', text, place: null }, scope);
}
