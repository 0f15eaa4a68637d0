// One Sachet for the run; each test has a sandbox of its own in it.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: ['sachet/vitest/server'] } });
