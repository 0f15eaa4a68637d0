import { defineConfig } from 'vitepress';

const pages = (folder: string, items: Record<string, string>) =>
  Object.entries(items).map(([file, text]) => ({ text, link: `/${folder}/${file}` }));

export default defineConfig({
  title: 'Sachet',
  description: 'A high-fidelity sandbox of an Order and Fulfillment Service for personalized packs',
  // A page can link to a server that you started. Every other dead link fails the build.
  ignoreDeadLinks: 'localhostLinks',
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
        items: pages('guide', {
          'getting-started': 'Getting started',
          vitest: 'Test with Vitest',
          pytest: 'Test with pytest',
          junit: 'Test with JUnit',
          ci: 'Run in CI',
          container: 'Run in a container',
          demo: 'Host a demo',
          'several-servers': 'Run several servers',
          state: 'Keep state',
          console: 'Use the console',
        }),
      },
      {
        text: 'How-to',
        items: pages('how-to', {
          'expire-a-token': 'Expire a token',
          'get-a-429': 'Get a 429',
          'lose-an-answer': 'Lose an answer',
          'expire-a-label': 'Expire a label',
          'follow-an-order': 'Follow an order',
          'parallel-tests': 'Run tests in parallel',
          'certify-a-client': 'Certify a client',
          'find-dependencies': 'Find dependencies',
          'write-a-scenario': 'Write a scenario',
        }),
      },
      {
        text: 'Reference',
        items: pages('reference', {
          endpoints: 'Endpoints',
          requests: 'Requests and responses',
          errors: 'Errors',
          assumptions: 'Assumptions',
          switches: 'Switches and faults',
          scenarios: 'Scenarios',
          'control-api': 'Control API',
          conduct: 'Conduct report',
          cli: 'Command line',
          fixtures: 'Fixtures',
          headers: 'Headers',
          'state-folder': 'State folder and database',
          openapi: 'OpenAPI',
          library: 'Library',
          dependencies: 'Runtime dependencies',
          conformance: 'Conformance',
        }),
      },
      {
        text: 'Explanation',
        items: [
          ...pages('explanation', {
            fidelity: 'Fidelity',
            clocks: 'Clocks',
            isolation: 'Isolation',
            architecture: 'Architecture',
            performance: 'Performance',
            reliability: 'Reliability',
            'several-servers': 'How several servers work',
          }),
          { text: 'Decisions', link: '/decisions/' },
        ],
      },
    ],
  },
});
