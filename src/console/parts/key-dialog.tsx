// Asks for the key where the tab has none, or one that is not good.

export const KeyDialog = ({ sandbox }: { readonly sandbox: string }) => (
  <dialog id="key" aria-labelledby="key-title">
    <form method="dialog" id="key-form">
      <h2 id="key-title">The key, please</h2>
      <p id="key-words">
        The console shows what the control API shows, so it takes the same key: the admin key that the server printed or
        was started with, or the own key of {sandbox}. It stays in this tab.
      </p>
      <label>
        Key
        <input id="key-input" type="password" autocomplete="off" required />
      </label>
      <button type="submit">Open the console</button>
    </form>
  </dialog>
);
