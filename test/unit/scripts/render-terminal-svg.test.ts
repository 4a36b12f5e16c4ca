import { describe, expect, it } from 'vitest';
import { renderTerminalSvg } from '../../../scripts/render-terminal-svg.ts';

/** Column, row, attributes of style and text of each drawn piece. */
function draw(text: string, columns = 40) {
  const svg = renderTerminalSvg(text, { columns, title: 'ralph demo' });
  const pieces = svg.matchAll(
    /<text x="([\d.]+)" y="([\d.]+)" fill="(#\w+)"(.*?) textLength="([\d.]+)"[^>]*>(.*?)<\/text>/gu,
  );
  return [...pieces].map(([, x, y, fill, style, length, content]) => ({
    column: Math.round((Number(x) - 16) / 8.4),
    row: Math.round((Number(y) - 60) / 19),
    fill,
    style: style?.trim(),
    width: Math.round(Number(length) / 8.4),
    content,
  }));
}

function heightOf(text: string): number {
  return Number(/height="([\d.]+)"/u.exec(renderTerminalSvg(text, { columns: 10, title: '' }))?.[1]);
}

describe('a picture of terminal output', () => {
  it('has each piece in its place and colour', () => {
    expect(draw('a \u001b[1mbold\u001b[22m\n\u001b[32m✓ ok\u001b[39m \u001b[2mdim\u001b[0m\n')).toEqual([
      { column: 0, row: 0, fill: '#d7dce4', style: '', width: 2, content: 'a ' },
      { column: 2, row: 0, fill: '#d7dce4', style: 'font-weight="bold"', width: 4, content: 'bold' },
      { column: 0, row: 1, fill: '#8fce7e', style: '', width: 4, content: '✓ ok' },
      { column: 5, row: 1, fill: '#d7dce4', style: 'opacity="0.6"', width: 3, content: 'dim' },
    ]);
  });

  it('breaks lines at the width of the window and counts wide characters twice', () => {
    expect(draw('日本語x', 5).map(({ column, row, content }) => [row, column, content])).toEqual([
      [0, 0, '日本'],
      [1, 0, '語x'],
    ]);
  });

  it('is well formed whatever the text holds', () => {
    const svg = renderTerminalSvg('<a href="x">&\u0000\u001b[2K\u001b]0;t\u0007', { columns: 40, title: '<"&' });
    expect(svg).toContain('>&lt;a href=&quot;x&quot;&gt;&amp;</text>');
    expect(svg).toContain('aria-label="&lt;&quot;&amp;"');
    expect(svg).not.toMatch(new RegExp(String.raw`[\u0000-\u0009\u000b-\u001f]`, 'u'));
  });

  it('is as high as its rows', () => {
    expect(heightOf('a\nb\nc\n') - heightOf('a\n')).toBe(2 * 19);
  });

  it('knows bright colours and forgets what it does not know', () => {
    expect(draw('\u001b[91mx\u001b[4;31my').map(({ fill }) => fill)).toEqual(['#ff8b92', '#f07178']);
  });
});
