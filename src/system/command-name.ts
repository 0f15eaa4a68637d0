/** How messages name the command. The build of the binary replaces this file (`bundle.mjs`). */
export const commandName = 'npx --no -- sachet';
