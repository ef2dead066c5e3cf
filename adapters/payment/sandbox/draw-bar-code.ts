import { type Html, html } from '../../kit/web/pages/html.ts';

/** The five elements of each digit; 1 is a wide one (ISO/IEC 16390). */
const DIGITS: readonly string[] = [
  ...['00110', '10001', '01001', '11000', '00101'],
  ...['10100', '01100', '00011', '10010', '01010'],
];

/** Widths of elements, in units: a bar, a space, a bar, and so on. */
const WIDE = 3;
const START = [1, 1, 1, 1];
const STOP = [WIDE, 1, 1];
/** The empty space before and after the bars. */
const QUIET = 10;

/** Draws an interleaved 2 of 5 bar code. @param digits an even number of them */
export const drawBarCode = (digits: string): Html => {
  const widths = [...START];
  for (const [, bars = '', spaces = ''] of digits.matchAll(/(\d)(\d)/g))
    for (let element = 0; element < 5; element += 1)
      for (const digit of [bars, spaces])
        widths.push(DIGITS[Number(digit)]?.[element] === '1' ? WIDE : 1);
  let x = QUIET;
  const path = [...widths, ...STOP].map((width, index) => {
    const bar = index % 2 === 0 ? `M${x} 0h${width}v40h-${width}z` : '';
    x += width;
    return bar;
  });
  return html`<svg viewBox="0 0 ${x + QUIET} 40" preserveAspectRatio="none" shape-rendering="crispEdges"><path d="${path.join('')}"/></svg>`;
};
