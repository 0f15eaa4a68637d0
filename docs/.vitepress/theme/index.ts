// The default theme, and Mermaid on the pages that have a diagram. Mermaid's file is a classic script, not a module.
import mermaidUrl from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { onContentUpdated, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { watch } from 'vue';

interface Mermaid {
  initialize(options: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

const loadScript = (src: string) =>
  new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject }));
  });
let loaded: Promise<unknown> | undefined;

async function drawDiagrams(isDark: boolean) {
  const diagrams = document.querySelectorAll<HTMLElement>('pre.mermaid');
  if (diagrams.length === 0) return;
  loaded ??= loadScript(mermaidUrl);
  await loaded;
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
  mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'default' });
  for (const [index, diagram] of diagrams.entries()) {
    diagram.dataset.source ??= diagram.textContent ?? '';
    diagram.innerHTML = (await mermaid.render(`diagram-${index}`, diagram.dataset.source)).svg;
  }
}

export default {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    onContentUpdated(() => drawDiagrams(isDark.value));
    watch(isDark, drawDiagrams);
  },
};
