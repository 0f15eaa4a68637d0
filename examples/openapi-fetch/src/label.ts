// Downloads shipping labels from the object storage.

/** Returns the PDF, or undefined if the storage rejects the URL. The URL is signed, so the request needs no token. */
export async function download(url: string): Promise<ArrayBuffer | undefined> {
  const response = await fetch(url);
  if (response.status === 403) return undefined;
  if (!response.ok) throw new Error(`The storage responded with ${response.status}.`);
  return response.arrayBuffer();
}
