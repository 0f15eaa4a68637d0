import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { writeLlmsFiles } from './llms.ts';

/** Links to the pages of a folder, in this order; the text is the page's heading. */
const pages = (folder: string, files: string) =>
  files.split(' ').map((file) => {
    const page = readFileSync(new URL(`../${folder}/${file}.md`, import.meta.url), 'utf8');
    return { text: /^# (.*)$/m.exec(page)?.[1] ?? file, link: `/${folder}/${file}` };
  });

export default defineConfig({
  title: 'Sachet',
  description: 'A high-fidelity sandbox of an Order and Fulfillment Service for personalized packs',
  // A page can link to a server that you started. Every other dead link fails the build.
  ignoreDeadLinks: 'localhostLinks',
  buildEnd: writeLlmsFiles,
  markdown: {
    config(md) {
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index];
        if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? '';
        return `<pre class="mermaid" v-pre>${md.utils.escapeHtml(token.content)}</pre>`;
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'Guide',
        items: pages(
          'guide',
          'getting-started vitest jest test-runners pytest junit coding-agents ci https container binary demo guests ' +
            'several-servers state console',
        ),
      },
      {
        text: 'How-to',
        items: [
          ...pages('how-to', 'expire-a-token get-a-429 lose-an-answer expire-a-label follow-an-order parallel-tests'),
          ...pages('how-to', 'certify-a-client find-dependencies calibrate write-a-scenario'),
          ...pages('how-to', 'use-msw use-undici import-into-postman trace-with-opentelemetry add-to-backstage'),
        ],
      },
      {
        text: 'Reference',
        items: [
          ...pages('reference', 'endpoints requests errors assumptions switches scenarios control-api conduct cli'),
          ...pages('reference', 'fixtures headers state-folder openapi library dependencies conformance'),
        ],
      },
      {
        text: 'Explanation',
        items: [
          ...pages('explanation', 'fidelity clocks isolation architecture performance reliability several-servers'),
          { text: 'The tests', link: '/testing' },
          { text: 'Release a version', link: '/releasing' },
          ...pages('decisions', 'index'),
        ],
      },
    ],
  },
});
