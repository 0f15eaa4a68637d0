// Path templates such as `/v2/orders/{orderId}`.

const name = /\{(\w+)\}/g;

/** The template with something in the place of each name. */
export const filled = (template: string, put: (name: string) => string): string =>
  template.replaceAll(name, (_, one: string) => put(one));

/** The names of a template, in their order. */
export const namesIn = (template: string): string[] => Array.from(template.matchAll(name), ([, one = '']) => one);

const literally = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** The paths that a template stands for: where a name is, a part without a slash. */
export const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(name)
      .map((part, at) => (at % 2 === 1 ? '[^/]+' : literally(part)))
      .join('')}$`,
  );
