// The picture of a report: how many requests each takes in the time in which Sachet takes one, as bars. SVG made by hand, its text is text.
import { goals } from '../goals.mjs';
import { escaped } from './escaped.mjs';

const width = 720;
const bar = { left: 190, most: 440, height: 18, pitch: 26 };
const top = 34;
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .heading { font-weight: 600; }
  .bar { fill: #8c959f; }
  .sachet { fill: #0969da; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .bar { fill: #6e7681; }
    .sachet { fill: #4493f8; }
  }`;

const panels = [
  {
    heading: 'GET /v2/products, 20 of them (rate, Sachet = 1)',
    own: 'products',
    rest: 'Products',
    raw: 'node:http, fixed bytes',
  },
  { heading: 'POST /v2/orders (rate, Sachet = 1)', own: 'orders', rest: 'Orders', raw: 'node:http, JSON echo' },
];

/** The SVG of a report. @throws where none of its figures can be shown */
export function picture({ figures, machine }) {
  const shown = panels
    .map((panel) => ({ ...panel, bars: barsOf(panel, figures) }))
    .filter(({ bars }) => bars.length > 1);
  if (shown.length === 0) {
    const add = 'npm run bench -- --only orders,products --json FILE';
    throw new Error(`no file has a rate of orders or products beside another server; add one: ${add}`);
  }
  const parts = [];
  let y = top;
  for (const { heading, bars } of shown) {
    parts.push(`<text class="heading" x="0" y="${y - 12}">${escaped(heading)}</text>`, ...drawn(bars, y));
    y += bars.length * bar.pitch + top;
  }
  const label = `Rates beside other servers, Node ${machine.node}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y - top + 8}" role="img" aria-label="${escaped(label)}">
<style>${style}
</style>
${parts.join('\n')}
</svg>
`;
}

/** What stands beside Sachet: `{ label, rate }`, the fastest first. */
function barsOf({ own, rest, raw }, figures) {
  const others = figures
    .filter(({ id, value }) => value !== undefined && (id === own || id.endsWith(rest)))
    .map((figure) => ({ label: figure.id === own ? raw : labelOf(figure), rate: 1 / figure.value.median }));
  return [...others, { label: 'Sachet', rate: 1 }].sort((a, b) => b.rate - a.rate);
}

const labelOf = ({ id }) => goals.find((goal) => goal.id === id).words.split(' / ')[1];

function drawn(bars, y) {
  const most = Math.max(...bars.map(({ rate }) => rate));
  return bars.flatMap(({ label, rate }, at) => {
    const line = y + at * bar.pitch;
    const length = Math.max(1, (rate / most) * bar.most);
    return [
      `<text x="${bar.left - 8}" y="${line + 14}" text-anchor="end">${escaped(label)}</text>`,
      `<rect class="${label === 'Sachet' ? 'sachet' : 'bar'}" x="${bar.left}" y="${line}" width="${length.toFixed(1)}" height="${bar.height}" rx="2"/>`,
      `<text x="${(bar.left + length + 6).toFixed(1)}" y="${line + 14}">${rate.toFixed(2)}</text>`,
    ];
  });
}
