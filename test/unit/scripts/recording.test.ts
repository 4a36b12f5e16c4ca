import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hideFolder, shortenIterations } from '../../../scripts/recording.ts';

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;

const output = [
  'A scratch repository: /var/folders/x1/ralph-demo-aB3/project',
  '',
  bold('── 1/2 · US-001 First'),
  '├ Write /var/folders/x1/ralph-demo-aB3/project/a.js',
  '✓ gate test · 0.1s',
  '✓ US-001 passed',
  '',
  bold('── 2/2 · US-002 Second'),
  '✓ gate test · 0.1s',
  '✓ US-002 passed',
  '',
  'All 2 stories passed.',
  '',
].join('\n');

describe('the recording of a demo', () => {
  it('holds no path of the machine it was made on', () => {
    const shown = hideFolder(output);
    expect(shown).not.toContain('/var/folders');
    expect(shown).toContain('├ Write /tmp/ralph-demo-XXXX/project/a.js');
    expect(shown.split('\n')).toHaveLength(output.split('\n').length);
  });

  it('is refused where the scratch folder is not known', () => {
    expect(() => hideFolder('ralph: git is not on PATH\n')).toThrow('does not name its scratch repository');
  });

  it('is shortened to headline and verdict, and says by how much', () => {
    expect(shortenIterations(output, [1])).toBe(
      output.replace(/├ Write.*\n✓ gate.*\n/, () => '\u001b[2m⋯ 2 lines\u001b[22m\n'),
    );
  });

  it('is left as it is where nothing is to be shortened', () => {
    expect(shortenIterations(output, [])).toBe(output);
    expect(shortenIterations(output, [3])).toBe(output);
  });
});

describe('the picture in the documents', () => {
  const picture = readFileSync(new URL('../../../docs/demo.svg', import.meta.url), 'utf8');

  it('shows a rejected and an accepted attempt, and no path but the stand-in', () => {
    expect(picture).toContain('✗ US-002 rejected');
    expect(picture).toContain('✓ US-002 passed');
    const paths = picture.match(/(?:\/tmp|\/home|\/root|\/work|\/Users|\/var)\/[\w.-]+/g) ?? [];
    expect(new Set(paths)).toEqual(new Set(['/tmp/ralph-demo-XXXX']));
  });
});
