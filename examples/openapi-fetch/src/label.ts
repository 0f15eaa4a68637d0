// Downloads of shipping labels from the storage.

/** The PDF; undefined where the storage refuses the URL. The URL is signed by itself: it takes no token. */
export async function download(url: string): Promise<ArrayBuffer | undefined> {
  const response = await fetch(url);
  if (response.status === 403) return undefined;
  if (!response.ok) throw new Error(`The storage answers with ${response.status}.`);
  return response.arrayBuffer();
}
