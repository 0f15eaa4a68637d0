// Prints a workerd configuration that serves worker.mjs with the built library on a free port of 127.0.0.1. Run it in the checkout.
import { readdirSync } from 'node:fs';

const files = ['worker.mjs', 'results.mjs'].map((name) => `test/runtimes/${name}`);
const built = readdirSync('dist').filter((name) => name.endsWith('.js') && !/^(?:cli|vitest|node)/.test(name));
const modules = [...files, ...built.map((name) => `dist/${name}`)];
const lines = modules.map((path) => `(name = "${path}", esModule = embed "${path}")`);
process.stdout.write(`using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const main :Workerd.Worker = (compatibilityDate = "2025-01-01", modules = [
  ${lines.join(',\n  ')}]);
`);
