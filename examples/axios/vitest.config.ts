// Starts one Sachet for all tests. Each test has its own sandbox.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: ['sachet/vitest/server'] } });
