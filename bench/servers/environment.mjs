// The environment that the servers get.

/** This process's own, without what would measure something else: a slower start of Node, or another configuration than the default. */
export function childEnvironment() {
  const isForeign = (name) => name === 'NODE_EXTRA_CA_CERTS' || name.startsWith('SACHET_');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}
