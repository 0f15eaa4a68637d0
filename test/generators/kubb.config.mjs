import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  input: { path: 'generated/service-3.1.json' },
  output: { path: 'generated/kubb', clean: true, extension: { '.ts': '.js' } },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient()],
});
