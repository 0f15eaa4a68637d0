// Downloads shipping labels from the object storage.
import ky from 'ky';

/** Returns the PDF, or undefined if the storage rejects the URL. The URL is signed, so the request needs no token. */
export async function download(url: string): Promise<ArrayBuffer | undefined> {
  const response = await ky.get(url, { throwHttpErrors: (status) => status !== 403 });
  return response.ok ? response.arrayBuffer() : undefined;
}
