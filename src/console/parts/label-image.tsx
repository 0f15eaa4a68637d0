// A shipping label as an image within a page: the drawing of its PDF, as SVG. Not the PDF itself: it would need a
// weaker policy, some browsers only download it, and its URL would add a call to the journal.
import type { ShippingLabel } from '../../domain/labels.ts';
import { labelDrawing } from '../../http/storage/label.ts';
import { type DrawingStep, labelSize } from '../../http/storage/label-layout.ts';

/** Fonts as wide as Helvetica on any system. Each text states its width besides. */
const fonts = 'Helvetica, Arial, "Liberation Sans", Arimo, sans-serif';

const rounded = (number: number): number => Math.round(number * 1000) / 1000;

export async function labelImage(label: ShippingLabel) {
  const { width, height } = labelSize;
  const steps = await labelDrawing(label);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="label"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={describe(label)}
      font-family={fonts}
      shape-rendering="crispEdges"
    >
      <rect width={width} height={height} fill="#fff" />
      {steps.map(draw)}
    </svg>
  );
}

function draw(step: DrawingStep) {
  const [x, y] = [rounded(step.x), rounded(step.y)];
  if (step.kind === 'fill') return <rect x={x} y={y} width={rounded(step.width)} height={rounded(step.height)} />;
  const { text, width, size, bold, gray, degrees } = step;
  return (
    <text
      x={x}
      y={y}
      font-size={size}
      font-weight={bold ? 'bold' : 'normal'}
      fill={gray > 0 ? `rgb(${gray * 100}%, ${gray * 100}%, ${gray * 100}%)` : undefined}
      textLength={rounded(width)}
      lengthAdjust="spacingAndGlyphs"
      transform={degrees === 0 ? undefined : `rotate(${-degrees} ${x} ${y})`}
    >
      {text}
    </text>
  );
}

/** The label in words, for screen readers. */
function describe({ carrier, to, from, orderNumber, contents }: ShippingLabel): string {
  const service = carrier ? `${carrier.name} ${carrier.method}, ${carrier.trackingNumber}` : 'carrier not assigned';
  const addresses = `to ${to.join(', ')}; from ${from.join(' ')}`;
  return `Shipping label: ${service}; ${addresses}; order ${orderNumber}; contents: ${contents.join(', ')}`;
}
