// Path templates such as `/v2/orders/{orderId}`.

const name = /\{(\w+)\}/g;
const never = /(?!)/;

/** The template with something in the place of each name. */
export const filled = (template: string, put: (name: string) => string): string =>
  template.replaceAll(name, (_, one: string) => put(one));

/** The names of a template, in their order. */
export const namesIn = (template: string): string[] => Array.from(template.matchAll(name), ([, one = '']) => one);

const literally = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Whether no two names stand between the same two slashes: where one ends and the next begins, nobody could tell. */
export const isTemplate = (template: string): boolean =>
  template.split('/').every((segment) => namesIn(segment).length <= 1);

/** The paths that a template stands for: where a name is, a part without a slash. Of what is no template, the path itself. */
export const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(isTemplate(template) ? name : never)
      .map((part, at) => (at % 2 === 1 ? '[^/]+' : literally(part)))
      .join('')}$`,
  );
