// A flame graph as SVG made by hand: a function stands on what called it, as wide as its share of the time. Its text is text.
import { escaped } from '../report/escaped.mjs';
import { groups } from './frames.mjs';
import { countsByGroup } from './tree.mjs';

const width = 1000;
const margin = 10;
const row = 18;
const boxHeight = row - 1;
const head = 82;
const legendPitch = 330;
/** What is narrower is left out: it could not be read, and there is too much of it. */
const leastShare = 0.003;
const characterWidth = 6.7;
const leastCharacters = 3;

const style = `
  .page { fill: #ffffff; }
  text { font: 11px ui-monospace, monospace; fill: #1f2328; pointer-events: none; }
  .heading { font: 600 14px system-ui, sans-serif; }
  .legend { font: 12px system-ui, sans-serif; }
  .sachet { fill: #8ec5ff; }
  .node { fill: #9fdcac; }
  .v8 { fill: #ecd9a0; }
  .gc { fill: #ff9d94; }
  .kernel { fill: #cdbcf2; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; }
    text { fill: #f0f6fc; }
    .sachet { fill: #1f5fa8; }
    .node { fill: #2b6e3f; }
    .v8 { fill: #6b5a20; }
    .gc { fill: #a3362d; }
    .kernel { fill: #59449a; }
  }`;

/** The SVG of a tree of `folded`; `about` says what was measured. */
export function flameGraph(root, about) {
  const frames = framesOf(root);
  const rows = Math.max(...frames.map(({ depth }) => depth)) + 1;
  const height = head + rows * row + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(about)}">
<style>${style}
</style>
<rect class="page" width="${width}" height="${height}"/>
<text class="heading" x="${margin}" y="22">${escaped(about)}</text>
${legendOf(root).join('\n')}
${frames.map((frame) => drawn(frame, height - margin - (frame.depth + 1) * row)).join('\n')}
</svg>
`;
}

/** What is wide enough to be shown: `{ name, group, share, depth, from }`, `from` the share that lies left of it. */
function framesOf(root) {
  const frames = [];
  const visit = ({ children }, depth, from) => {
    let left = from;
    for (const child of [...children.values()].sort((a, b) => b.count - a.count)) {
      const share = child.count / root.count;
      if (share < leastShare) continue;
      frames.push({ name: child.name, group: child.group, share, depth, from: left });
      visit(child, depth + 1, left);
      left += share;
    }
  };
  visit(root, 0, 0);
  return frames;
}

function drawn({ name, group, share, from }, y) {
  const across = width - 2 * margin;
  const [x, length] = [margin + from * across, share * across];
  const title = `<title>${escaped(`${name}: ${percent(share)}`)}</title>`;
  const box = `<rect class="${group}" x="${x.toFixed(1)}" y="${y}" width="${(length - 0.5).toFixed(1)}" height="${boxHeight}">${title}</rect>`;
  const text = fitted(name, Math.floor((length - 6) / characterWidth));
  return text === '' ? box : `${box}<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>`;
}

function fitted(name, most) {
  if (most < leastCharacters) return '';
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

/** Each group with its own share of all samples. */
function legendOf(root) {
  const counts = countsByGroup(root);
  return Object.entries(groups).map(([group, words], at) => {
    const [x, y] = [margin + (at % 3) * legendPitch, 34 + Math.floor(at / 3) * 20];
    const text = `${words}, ${percent((counts[group] ?? 0) / root.count)}`;
    return `<rect class="${group}" x="${x}" y="${y}" width="17" height="${boxHeight}"/><text class="legend" x="${x + 23}" y="${y + 13}">${escaped(text)}</text>`;
  });
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;
